package io.ostraka.sharding.balancer;

import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the balancer looks at.
 *
 * @param shards all shards
 * @param collections the sharded collections
 */
public record ClusterState(List<Shard> shards, List<Collection> collections) {
    /**
     * One shard.
     *
     * @param draining whether it is being removed: everything leaves, nothing comes
     */
    public record Shard(ShardId id, boolean draining) {}

    /**
     * One sharded collection.
     *
     * @param bytes owned bytes by shard; a shard that is missing owns none
     * @param chunkBytes the chunk size in force
     * @param mayMove whether balancing is on for it
     * @param jumbo chunks that cannot be moved without being asked for
     */
    public record Collection(
            RoutingTable table, Map<ShardId, Long> bytes, long chunkBytes, boolean mayMove, Set<KeyRange> jumbo) {}

    public ClusterState {
        shards = List.copyOf(shards);
        collections = List.copyOf(collections);
    }
}
