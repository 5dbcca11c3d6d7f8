package io.ostraka.sharding.shard;

import io.ostraka.core.placement.ChunkCodec;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardKey;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * What the config servers said of a collection last: its table, if it is tracked, and what the splitter needs to know.
 *
 * @param table empty for a collection that is not tracked
 * @param chunkBytes the chunk size in force
 * @param autosplit whether shards split chunks by themselves
 */
public record KnownPlacement(Optional<RoutingTable> table, long chunkBytes, boolean autosplit) {
    /** Not tracked. */
    public static final KnownPlacement UNTRACKED = new KnownPlacement(Optional.empty(), 0, false);

    /**
     * Reads a reply of {@code _configsvrGetRouting}.
     *
     * @param before what was known when it was asked for: changes are laid over it
     */
    public static KnownPlacement of(Namespace namespace, BsonDocument reply, Optional<RoutingTable> before) {
        if (!reply.getBoolean("tracked").getValue()) {
            return UNTRACKED;
        }
        var chunks = ChunkCodec.decode(reply.getBinary("chunks").getData());
        RoutingTable table;
        if (reply.getBoolean("full").getValue()) {
            table = RoutingTable.of(
                    new RoutingTable.Head(
                            namespace,
                            reply.getBinary("uuid").asUuid(),
                            ShardKey.parse(reply.getDocument("key")),
                            reply.getBoolean("unique").getValue(),
                            !reply.getBoolean("unsplittable").getValue(),
                            new Generation(reply.getObjectId("epoch").getValue(), reply.getTimestamp("timestamp"))),
                    chunks);
        } else {
            table = before.orElseThrow().with(chunks);
        }
        return new KnownPlacement(
                Optional.of(table),
                reply.getInt64("chunkBytes").getValue(),
                reply.getBoolean("autosplit").getValue());
    }
}
