package io.ostraka.sharding.catalog;

import io.ostraka.core.placement.ShardId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;

/**
 * A row of {@code config.shards}.
 *
 * @param id the shard's name
 * @param set the name of its replica set
 * @param hosts its members, {@code host:port}
 * @param draining whether it is being removed
 * @param document the row as stored, with tags and whatever else it holds
 */
public record ShardRow(ShardId id, String set, List<String> hosts, boolean draining, BsonDocument document) {
    public static ShardRow create(ShardId id, String set, List<String> hosts, BsonTimestamp topologyTime) {
        return of(new BsonDocument("_id", new BsonString(id.name()))
                .append("host", new BsonString(set + "/" + String.join(",", hosts)))
                .append("state", new BsonInt32(1))
                .append("topologyTime", topologyTime)
                .append("replSetConfigVersion", new BsonInt64(-1)));
    }

    public static ShardRow of(BsonDocument row) {
        String host = row.getString("host").getValue();
        int slash = host.indexOf('/');
        return new ShardRow(
                new ShardId(row.getString("_id").getValue()),
                host.substring(0, slash),
                Arrays.asList(host.substring(slash + 1).split(",")),
                row.getBoolean("draining", BsonBoolean.FALSE).getValue(),
                row);
    }

    /** The same shard at other addresses. */
    public ShardRow at(List<String> newHosts) {
        BsonDocument row = document.clone();
        row.put("host", new BsonString(set + "/" + String.join(",", newHosts)));
        return of(row);
    }

    /** The zones it belongs to, called tags in the row. */
    public Set<String> zones() {
        Set<String> zones = new TreeSet<>();
        document.getArray("tags", new BsonArray())
                .forEach(tag -> zones.add(tag.asString().getValue()));
        return zones;
    }

    /** The same shard, to be emptied or not any more. */
    public ShardRow draining(boolean is) {
        BsonDocument row = document.clone();
        if (is) {
            row.put("draining", BsonBoolean.TRUE);
        } else {
            row.remove("draining");
        }
        return of(row);
    }

    /** {@code set/host:port,host:port}. */
    public String connectionString() {
        return document.getString("host").getValue();
    }
}
