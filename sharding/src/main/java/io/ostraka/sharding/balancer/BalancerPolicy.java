package io.ostraka.sharding.balancer;

import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.ShardId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides moves: first what leaves draining shards, then what lies outside its zone, then what evens out bytes. The
 * chunks of each zone, and those of none, are even when the most and the least loaded of the shards they may live on
 * differ by no more than one chunk size.
 */
public final class BalancerPolicy {
    /** Why a chunk should move, in the order in which reasons count. */
    public enum Reason {
        DRAINING("draining"),
        ZONE("zoneViolation"),
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

    /** One collection being looked at: its chunks by zone and shard. One thread. */
    private static final class Look {
        private final ClusterState state;
        private final ClusterState.Collection collection;
        private final Map<Optional<String>, Map<ShardId, List<Chunk>>> chunks = new HashMap<>();
        private final Set<ShardId> donors;
        private final Set<ShardId> recipients;

        Look(ClusterState state, ClusterState.Collection collection, Set<ShardId> donors, Set<ShardId> recipients) {
            this.state = state;
            this.collection = collection;
            this.donors = donors;
            this.recipients = recipients;
            for (Chunk chunk : collection.table().chunks()) {
                chunks.computeIfAbsent(collection.zoneOf(chunk.range()), _ -> new HashMap<>())
                        .computeIfAbsent(chunk.owner(), _ -> new ArrayList<>())
                        .add(chunk);
            }
        }

        private List<Chunk> of(Optional<String> zone, ShardId shard) {
            return chunks.getOrDefault(zone, Map.of()).getOrDefault(shard, List.of());
        }

        private long bytes(ShardId shard) {
            return collection.bytes().getOrDefault(shard, 0L);
        }

        /** Bytes of a zone's chunks on a shard: of what the shard holds, by the share of chunks. */
        private long bytes(Optional<String> zone, ShardId shard) {
            int all = collection.table().chunksOf(shard);
            return all == 0 ? 0 : bytes(shard) / all * of(zone, shard).size();
        }

        private Optional<ShardId> least(Optional<String> zone) {
            return state.shards().stream()
                    .filter(shard -> shard.accepts(zone) && !recipients.contains(shard.id()))
                    .map(ClusterState.Shard::id)
                    .min(Comparator.comparingLong((ShardId id) -> bytes(zone, id))
                            .thenComparingLong(this::bytes)
                            .thenComparing(Comparator.naturalOrder()));
        }

        Optional<Move> next(Reason reason) {
            for (Optional<String> zone : collection.groups()) {
                Optional<Move> move = switch (reason) {
                    case DRAINING -> leave(zone, reason, ClusterState.Shard::draining);
                    case ZONE -> leave(zone, reason, shard -> !shard.draining() && !shard.accepts(zone));
                    case IMBALANCE -> even(zone);
                };
                if (move.isPresent()) {
                    return move;
                }
            }
            return Optional.empty();
        }

        /** A chunk of a zone that is on a shard where it must not stay. */
        private Optional<Move> leave(Optional<String> zone, Reason reason, Predicate<ClusterState.Shard> wrong) {
            Optional<ShardId> to = least(zone);
            if (to.isEmpty()) {
                return Optional.empty();
            }
            return state.shards().stream()
                    .filter(shard -> wrong.test(shard) && !donors.contains(shard.id()))
                    .flatMap(shard -> of(zone, shard.id()).stream())
                    .findFirst()
                    .map(chunk -> new Move(collection, chunk, to.get(), reason));
        }

        private Optional<Move> even(Optional<String> zone) {
            Optional<ShardId> to = least(zone);
            Optional<ShardId> from = state.shards().stream()
                    .filter(shard -> shard.accepts(zone) && !donors.contains(shard.id()))
                    .map(ClusterState.Shard::id)
                    .filter(id -> of(zone, id).size() > 1)
                    .max(Comparator.comparingLong((ShardId id) -> bytes(zone, id))
                            .thenComparing(Comparator.reverseOrder()));
            if (to.isEmpty() || from.isEmpty() || from.equals(to)) {
                return Optional.empty();
            }
            long gap = bytes(zone, from.get()) - bytes(zone, to.get());
            // What one chunk holds is not known exactly; the donor's mean is, and is what a move shifts on average.
            long mean = bytes(zone, from.get()) / of(zone, from.get()).size();
            if (gap <= collection.chunkBytes() || mean >= gap) {
                return Optional.empty();
            }
            return pick(zone, from.get(), to.get())
                    .map(chunk -> new Move(collection, chunk, to.get(), Reason.IMBALANCE));
        }

        /** A chunk of the donor, beside one of the recipient's where there is one: neighbours can be merged. */
        private Optional<Chunk> pick(Optional<String> zone, ShardId from, ShardId to) {
            List<Chunk> candidates = of(zone, from).stream()
                    .filter(chunk -> !collection.jumbo().contains(chunk.range()))
                    .toList();
            Set<ByteBuffer> edges = new HashSet<>();
            for (Chunk chunk : of(zone, to)) {
                edges.add(ByteBuffer.wrap(chunk.range().min()));
                edges.add(ByteBuffer.wrap(chunk.range().max()));
            }
            return candidates.stream()
                    .filter(chunk -> edges.contains(
                                    ByteBuffer.wrap(chunk.range().min()))
                            || edges.contains(ByteBuffer.wrap(chunk.range().max())))
                    .findFirst()
                    .or(() -> candidates.stream().findFirst());
        }
    }

    private BalancerPolicy() {}

    /** The moves that can be made at once: each shard gives at most one chunk and takes at most one. */
    public static List<Move> plan(ClusterState state) {
        List<Move> moves = new ArrayList<>();
        Set<ShardId> donors = new HashSet<>();
        Set<ShardId> recipients = new HashSet<>();
        List<Look> looks = state.collections().stream()
                .filter(ClusterState.Collection::mayMove)
                .map(collection -> new Look(state, collection, donors, recipients))
                .toList();
        for (Reason reason : Reason.values()) {
            for (Look look : looks) {
                Optional<Move> move;
                while ((move = look.next(reason)).isPresent()) {
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
        Look look = new Look(state, collection, Set.of(), Set.of());
        for (Reason reason : Reason.values()) {
            if (look.next(reason).isPresent()) {
                return Optional.of(reason);
            }
        }
        return Optional.empty();
    }
}
