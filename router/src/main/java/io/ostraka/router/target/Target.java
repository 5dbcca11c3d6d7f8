package io.ostraka.router.target;

import io.ostraka.core.placement.ShardId;
import java.util.Optional;
import java.util.Set;

/**
 * Where an operation goes.
 *
 * @param shards in order of their names; empty only where the collection's database does not exist
 * @param whyBroadcast if the filter says nothing that leaves out a shard: what it lacks, for explain
 */
public record Target(Set<ShardId> shards, Optional<String> whyBroadcast) {
    public boolean isSingle() {
        return shards.size() == 1;
    }

    public ShardId single() {
        return shards.iterator().next();
    }
}
