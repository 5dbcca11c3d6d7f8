package io.ostraka.sharding.balancer;

import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
     * @param zones the zones it belongs to
     */
    public record Shard(ShardId id, boolean draining, Set<String> zones) {
        public Shard {
            zones = Set.copyOf(zones);
        }

        /** Whether chunks of a zone may live here; chunks of no zone may live everywhere. */
        boolean accepts(Optional<String> zone) {
            return !draining && (zone.isEmpty() || zones.contains(zone.get()));
        }
    }

    /**
     * One sharded collection.
     *
     * @param bytes owned bytes by shard; a shard that is missing owns none
     * @param chunkBytes the chunk size in force
     * @param mayMove whether balancing is on for it
     * @param jumbo chunks that cannot be moved without being asked for
     * @param zones ranges that belong to zones; they do not overlap
     */
    public record Collection(
            RoutingTable table,
            Map<ShardId, Long> bytes,
            long chunkBytes,
            boolean mayMove,
            Set<KeyRange> jumbo,
            List<Zone> zones) {
        public Collection {
            zones = List.copyOf(zones);
        }

        /** The zone of a chunk: the one that holds all of it. A chunk across an edge is in none until it is split there. */
        Optional<String> zoneOf(KeyRange chunk) {
            return zones.stream()
                    .filter(zone -> zone.range().covers(chunk))
                    .map(Zone::name)
                    .findFirst();
        }

        /** The zones there are, and none. */
        Set<Optional<String>> groups() {
            Set<Optional<String>> groups = new LinkedHashSet<>();
            groups.add(Optional.empty());
            zones.forEach(zone -> groups.add(Optional.of(zone.name())));
            return groups;
        }
    }

    public ClusterState {
        shards = List.copyOf(shards);
        collections = List.copyOf(collections);
    }
}
