package io.ostraka.router.write;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.request.Within;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The shards a statement of many documents has yet to reach, each with the ranges it is held to there. Immutable.
 *
 * @param table by which the shards own the ranges
 * @param ranges by shard; empty for all it owns
 */
record ManyShards(RawDocument statement, RoutingTable table, Map<ShardId, Optional<KeyRanges>> ranges) {
    static ManyShards of(Routing routing, Route.Many many) {
        Map<ShardId, Optional<KeyRanges>> all = new TreeMap<>();
        many.shards().forEach(shard -> all.put(shard, Optional.empty()));
        return new ManyShards(many.statement(), routing.table().orElseThrow(), all);
    }

    List<ShardBatch> batches(int index) {
        List<ShardBatch> batches = new ArrayList<>();
        ranges.forEach((shard, held) -> {
            ShardBatch batch = new ShardBatch(shard);
            if (batch.add(index, held.map(this::held).orElse(statement))) {
                batches.add(batch);
            }
        });
        return batches;
    }

    private RawDocument held(KeyRanges to) {
        RawBuilder held = new RawBuilder(statement.size() + 256).elements(statement);
        Within.add(held, to);
        return held.build();
    }

    /** Whether the documents are those this was made for, perhaps in another generation. */
    boolean isSameCollection(Routing now) {
        return now.table()
                .map(other -> other.head().uuid().equals(table.head().uuid()))
                .orElse(false);
    }

    /**
     * What is left when some shards are done: the others' ranges, by their owners now.
     *
     * @return nothing where the collection is not the one it was
     */
    Optional<ManyShards> left(Set<ShardId> done, Routing now) {
        Optional<RoutingTable> fresh =
                now.table().filter(other -> other.generation().equals(table.generation()));
        if (fresh.isEmpty()) {
            return Optional.empty();
        }
        KeyRanges missed = KeyRanges.NONE;
        for (Map.Entry<ShardId, Optional<KeyRanges>> entry : ranges.entrySet()) {
            if (!done.contains(entry.getKey())) {
                KeyRanges owned = entry.getValue().orElseGet(() -> table.rangesOf(entry.getKey()));
                List<KeyRange> both = new ArrayList<>(missed.asList());
                both.addAll(owned.asList());
                missed = KeyRanges.of(both);
            }
        }
        Map<ShardId, Optional<KeyRanges>> next = new TreeMap<>();
        for (ShardId shard : fresh.get().shards()) {
            KeyRanges here = missed.intersect(fresh.get().rangesOf(shard));
            if (!here.isEmpty()) {
                next.put(shard, Optional.of(here));
            }
        }
        return Optional.of(new ManyShards(statement, fresh.get(), next));
    }
}
