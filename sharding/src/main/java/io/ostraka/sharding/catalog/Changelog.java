package io.ostraka.sharding.catalog;

import io.ostraka.core.placement.ShardId;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import java.time.Instant;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Makes entries of {@code config.changelog} and {@code config.actionlog}: {@code {_id, server, shard, clientAddr,
 * time, what, ns, details}}.
 *
 * @param server {@code host:port} of this process
 */
public record Changelog(String server, Clock clock, Ids ids) {
    public static final String CHANGES = "changelog";
    public static final String ACTIONS = "actionlog";
    /** Bytes {@code config.changelog} keeps. */
    public static final long CHANGES_BYTES = 209_715_200;
    /** Bytes {@code config.actionlog} keeps. */
    public static final long ACTIONS_BYTES = 20_971_520;

    /** An entry about a namespace, to be committed with the change it tells of. */
    public CatalogStore.Change change(String what, String namespace, BsonDocument details) {
        return new CatalogStore.Change.Put(CHANGES, entry(what, namespace, details));
    }

    /** An entry about a round of the balancer. */
    public CatalogStore.Change action(String what, BsonDocument details) {
        return new CatalogStore.Change.Put(ACTIONS, entry(what, "", details));
    }

    private BsonDocument entry(String what, String namespace, BsonDocument details) {
        long now = clock.wallMillis();
        return new BsonDocument(
                        "_id",
                        new BsonString(server + "-" + Instant.ofEpochMilli(now) + "-"
                                + ids.objectId().toHexString()))
                .append("server", new BsonString(server))
                .append("shard", new BsonString(ShardId.CONFIG.name()))
                .append("clientAddr", new BsonString(""))
                .append("time", new BsonDateTime(now))
                .append("what", new BsonString(what))
                .append("ns", new BsonString(namespace))
                .append("details", details);
    }
}
