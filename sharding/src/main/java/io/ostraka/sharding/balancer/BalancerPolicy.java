package io.ostraka.sharding.balancer;

import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.ShardId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides moves: first what leaves draining shards, then what evens out bytes. A collection is even when its most and
 * its least loaded shard differ by no more than one chunk size.
 */
public final class BalancerPolicy {
    /** Why a chunk should move. */
    public enum Reason {
        DRAINING("draining"),
        IMBALANCE("chunksImbalance");

        private final String word;

        Reason(String word) {
            this.word = word;
        }

        /** The word {@code balancerCollectionStatus} uses. */
        public String word() {
            return word;
        }
    }

    /** One move that should be made. */
    public record Move(ClusterState.Collection collection, Chunk chunk, ShardId to, Reason reason) {
        public ShardId from() {
            return chunk.owner();
        }
    }

    private BalancerPolicy() {}

    /** The moves that can be made at once: each shard gives at most one chunk and takes at most one. */
    public static List<Move> plan(ClusterState state) {
        List<Move> moves = new ArrayList<>();
        Set<ShardId> donors = new HashSet<>();
        Set<ShardId> recipients = new HashSet<>();
        for (Reason reason : Reason.values()) {
            for (ClusterState.Collection collection : state.collections()) {
                if (!collection.mayMove()) {
                    continue;
                }
                Optional<Move> move;
                while ((move = next(state, collection, reason, donors, recipients)).isPresent()) {
                    moves.add(move.get());
                    donors.add(move.get().from());
                    recipients.add(move.get().to());
                }
            }
        }
        return moves;
    }

    /** Why a collection is not at rest, if it is not: what should be done, whether or not balancing is on. */
    public static Optional<Reason> violation(ClusterState state, ClusterState.Collection collection) {
        for (Reason reason : Reason.values()) {
            if (next(state, collection, reason, Set.of(), Set.of()).isPresent()) {
                return Optional.of(reason);
            }
        }
        return Optional.empty();
    }

    private static Optional<Move> next(
            ClusterState state,
            ClusterState.Collection collection,
            Reason reason,
            Set<ShardId> donors,
            Set<ShardId> recipients) {
        List<ClusterState.Shard> free = state.shards().stream()
                .filter(shard -> !shard.draining() && !recipients.contains(shard.id()))
                .toList();
        Optional<ShardId> to = free.stream()
                .map(ClusterState.Shard::id)
                .min(Comparator.comparingLong((ShardId id) -> bytesOf(collection, id))
                        .thenComparing(Comparator.naturalOrder()));
        if (to.isEmpty()) {
            return Optional.empty();
        }
        return switch (reason) {
            case DRAINING ->
                state.shards().stream()
                        .filter(ClusterState.Shard::draining)
                        .map(ClusterState.Shard::id)
                        .filter(id -> !donors.contains(id) && collection.table().chunksOf(id) > 0)
                        .findFirst()
                        .flatMap(from -> pick(collection, from, to.get(), true))
                        .map(chunk -> new Move(collection, chunk, to.get(), reason));
            case IMBALANCE -> even(state, collection, to.get(), donors);
        };
    }

    private static Optional<Move> even(
            ClusterState state, ClusterState.Collection collection, ShardId to, Set<ShardId> donors) {
        Optional<ShardId> from = state.shards().stream()
                .map(ClusterState.Shard::id)
                .filter(id -> !donors.contains(id) && collection.table().chunksOf(id) > 1)
                .max(Comparator.comparingLong((ShardId id) -> bytesOf(collection, id))
                        .thenComparing(Comparator.reverseOrder()));
        if (from.isEmpty() || from.get().equals(to)) {
            return Optional.empty();
        }
        long gap = bytesOf(collection, from.get()) - bytesOf(collection, to);
        // What one chunk of the donor holds is not known exactly; its mean is, and is what a move will shift on
        // average.
        long mean = bytesOf(collection, from.get()) / collection.table().chunksOf(from.get());
        if (gap <= collection.chunkBytes() || mean >= gap) {
            return Optional.empty();
        }
        return pick(collection, from.get(), to, false).map(chunk -> new Move(collection, chunk, to, Reason.IMBALANCE));
    }

    /** A chunk of the donor, beside one of the recipient's where there is one: neighbours can be merged. */
    private static Optional<Chunk> pick(
            ClusterState.Collection collection, ShardId from, ShardId to, boolean jumboToo) {
        Chunk any = null;
        Chunk before = null;
        for (Chunk chunk : collection.table().chunks()) {
            boolean mayMove = jumboToo || !collection.jumbo().contains(chunk.range());
            if (chunk.owner().equals(from) && mayMove) {
                if (before != null && before.owner().equals(to)) {
                    return Optional.of(chunk);
                }
                any = any == null ? chunk : any;
            } else if (chunk.owner().equals(to)
                    && before != null
                    && before.owner().equals(from)) {
                if (jumboToo || !collection.jumbo().contains(before.range())) {
                    return Optional.of(before);
                }
            }
            before = chunk;
        }
        return Optional.ofNullable(any);
    }

    private static long bytesOf(ClusterState.Collection collection, ShardId shard) {
        return collection.bytes().getOrDefault(shard, 0L);
    }
}
