package io.ostraka.sharding.config;

import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.CollectionRow;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** What operators write in {@code config.settings}, as it stands now. Read each time: there is nothing to invalidate. */
public final class ClusterSettings {
    /** The chunk size where none is set, as in MongoDB since 6.0. */
    public static final long DEFAULT_CHUNK_BYTES = 128L << 20;
    /** The smallest chunk size, and the unit of the setting. */
    public static final long MEGABYTE = 1L << 20;
    /** The largest chunk size, in megabytes. */
    public static final int MAX_CHUNK_MEGABYTES = 1_024;

    private final CatalogStore store;

    public ClusterSettings(CatalogStore store) {
        this.store = store;
    }

    private BsonDocument row(String id) {
        return store.get(ClusterCatalog.SETTINGS, new BsonString(id)).orElseGet(BsonDocument::new);
    }

    /** The chunk size of the cluster, in bytes. */
    public long chunkBytes() {
        BsonDocument row = row("chunksize");
        return row.isNumber("value") ? row.getNumber("value").longValue() * MEGABYTE : DEFAULT_CHUNK_BYTES;
    }

    /** The chunk size of a collection: its own, or the cluster's. */
    public long chunkBytes(CollectionRow collection) {
        BsonDocument row = collection.document();
        long own = row.isNumber("maxChunkSizeBytes")
                ? row.getNumber("maxChunkSizeBytes").longValue()
                : 0;
        return own > 0 ? own : chunkBytes();
    }

    /** Whether shards split chunks that outgrow the chunk size by themselves. */
    public boolean autosplit() {
        return row("autosplit").getBoolean("enabled", BsonBoolean.TRUE).getValue();
    }

    /** Whether the balancer is switched on. */
    public boolean balancerOn() {
        BsonDocument row = row("balancer");
        boolean stopped = row.getBoolean("stopped", BsonBoolean.FALSE).getValue();
        return !stopped
                && !row.getString("mode", new BsonString("full")).getValue().equals("off");
    }

    /**
     * Whether the balancer may begin moves at a moment: within its window, which may cross midnight, or always.
     *
     * @param wallMillis the moment; the window is in this machine's time zone
     */
    public boolean inWindow(long wallMillis) {
        BsonDocument row = row("balancer");
        if (!row.isDocument("activeWindow")) {
            return true;
        }
        LocalTime start = LocalTime.parse(
                row.getDocument("activeWindow").getString("start").getValue());
        LocalTime stop = LocalTime.parse(
                row.getDocument("activeWindow").getString("stop").getValue());
        LocalTime now = java.time.Instant.ofEpochMilli(wallMillis)
                .atZone(ZoneId.systemDefault())
                .toLocalTime();
        boolean afterStart = !now.isBefore(start);
        boolean beforeStop = now.isBefore(stop);
        return start.isBefore(stop) ? afterStart && beforeStop : afterStart || beforeStop;
    }

    /** Switches the balancer. */
    public void switchBalancer(boolean on) {
        BsonDocument row = row("balancer").clone();
        row.put("_id", new BsonString("balancer"));
        row.put("mode", new BsonString(on ? "full" : "off"));
        row.put("stopped", BsonBoolean.valueOf(!on));
        store.commit(List.of(new CatalogStore.Change.Put(ClusterCatalog.SETTINGS, row)));
    }
}
