package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.MAX_TIME_MS_EXPIRED;
import static io.ostraka.core.error.ErrorCode.OPERATION_FAILED;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.sharding.balancer.BalancerPolicy;
import io.ostraka.sharding.balancer.ClusterState;
import io.ostraka.sharding.catalog.ChunkRow;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.catalog.MovePlan;
import io.ostraka.sharding.catalog.MovePlan.Decision;
import io.ostraka.sharding.catalog.ShardRow;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Makes moves happen: those users ask for, those the splitter asks for, and those the balancer decides. */
final class ChunkMoves {
    /** How long a shard may take to say how many bytes it holds. */
    private static final long SIZES_MILLIS = 30_000;

    private final ConfigServices services;
    private final Zones zones;

    ChunkMoves(ConfigServices services, Zones zones) {
        this.services = services;
        this.zones = zones;
    }

    /** Splits chunks at the edges of zones. */
    void splitAtZones() {
        for (CollectionRow row : services.catalog().collections(Optional.empty())) {
            zones.splitAtEdges(row, services.catalog().chunks(row.namespace()));
        }
    }

    /**
     * Moves a range and waits until it has arrived.
     *
     * @throws io.ostraka.core.error.CommandException those of {@link io.ostraka.sharding.catalog.MovePlans#open}; 96 if the move was aborted; 50 if the deadline passes first (the move goes on)
     */
    void move(
            Namespace namespace,
            BsonDocument min,
            BsonDocument max,
            ShardId to,
            boolean waitForDelete,
            Operation operation) {
        Optional<MovePlan> plan = services.plans().open(namespace, min, max, to, waitForDelete);
        if (plan.isEmpty()) {
            return;
        }
        CompletableFuture<MoveRunner.Outcome> running = services.moves().run(plan.get());
        MoveRunner.Outcome outcome = operation.await(
                running,
                operation.deadline().nanosLeft(),
                () -> MAX_TIME_MS_EXPIRED.because("operation exceeded time limit; the move goes on"));
        if (outcome.decision() == Decision.ABORTED) {
            throw OPERATION_FAILED.because(
                    "The move of %s from '%s' to '%s' was given up: %s",
                    namespace, plan.get().from(), to, outcome.reason());
        }
    }

    /** The same, but waits for moves that keep the donor or the recipient busy instead of failing. */
    void moveWhenFree(
            Namespace namespace,
            BsonDocument min,
            BsonDocument max,
            ShardId to,
            boolean waitForDelete,
            Operation operation) {
        while (true) {
            operation.checkAlive();
            try {
                move(namespace, min, max, to, waitForDelete, operation);
                return;
            } catch (CommandException e) {
                List<MovePlan> others = services.plans().all();
                if (e.code() != CONFLICTING_OPERATION_IN_PROGRESS || others.isEmpty()) {
                    throw e;
                }
                for (MovePlan other : others) {
                    MoveRunner.Outcome unused = operation.await(services.moves().run(other));
                }
            }
        }
    }

    /** Begins to move the chunk at the top of a rising key to the shard with the least data; does not wait. */
    boolean moveTop(Namespace namespace, BsonDocument min, BsonDocument max) {
        boolean wanted = services.settings().balancerOn()
                && services.settings().inWindow(services.clock().wallMillis())
                && services.catalog()
                        .collection(namespace)
                        .map(CollectionRow::mayBalance)
                        .orElse(false);
        if (!wanted) {
            return false;
        }
        ClusterState state = gather();
        Optional<ClusterState.Collection> collection = state.collections().stream()
                .filter(each -> each.table().namespace().equals(namespace))
                .findFirst();
        Optional<ShardId> least = collection.flatMap(all -> state.shards().stream()
                .filter(shard -> !shard.draining())
                .map(ClusterState.Shard::id)
                .min(Comparator.comparingLong(id -> all.bytes().getOrDefault(id, 0L))));
        if (least.isEmpty()) {
            return false;
        }
        Optional<MovePlan> plan = services.plans().open(namespace, min, max, least.get(), false);
        plan.ifPresent(begun -> {
            CompletableFuture<MoveRunner.Outcome> ignored = services.moves().run(begun);
        });
        return plan.isPresent();
    }

    /** What the balancer looks at, asked of all shards now. A shard that does not answer ends the round with its error. */
    ClusterState gather() {
        List<ShardRow> shards = services.catalog().shards();
        Map<String, Map<ShardId, Long>> bytes = new HashMap<>();
        for (ShardRow shard : shards) {
            BsonDocument reply = services.shards()
                    .call(
                            shard.id(),
                            new BsonDocument("_shardsvrDataSizes", new BsonInt32(1)),
                            Deadline.in(services.clock(), SIZES_MILLIS));
            for (Map.Entry<String, BsonValue> size : reply.getDocument("bytes").entrySet()) {
                bytes.computeIfAbsent(size.getKey(), _ -> new HashMap<>())
                        .put(shard.id(), size.getValue().asNumber().longValue());
            }
        }
        List<ClusterState.Collection> collections = new ArrayList<>();
        for (CollectionRow row : services.catalog().collections(Optional.empty())) {
            Optional<RoutingTable> table = services.catalog().table(row.namespace());
            if (table.isEmpty()) {
                continue;
            }
            Set<KeyRange> jumbo = new HashSet<>();
            for (ChunkRow chunk : services.catalog().chunks(row.namespace())) {
                if (chunk.jumbo()) {
                    jumbo.add(chunk.range());
                }
            }
            collections.add(new ClusterState.Collection(
                    table.get(),
                    bytes.getOrDefault(row.namespace().toString(), Map.of()),
                    services.settings().chunkBytes(row),
                    row.mayBalance(),
                    jumbo,
                    zones.of(row)));
        }
        return new ClusterState(
                shards.stream()
                        .map(shard -> new ClusterState.Shard(shard.id(), shard.draining(), shard.zones()))
                        .toList(),
                collections);
    }

    /** Begins a move the balancer decided; empty if the chunk is gone or a shard is busy. */
    Optional<CompletableFuture<MoveRunner.Outcome>> begin(BalancerPolicy.Move move) {
        Namespace namespace = move.collection().table().namespace();
        Optional<ChunkRow> row = services.catalog().chunks(namespace).stream()
                .filter(chunk -> chunk.range().equals(move.chunk().range())
                        && chunk.shard().equals(move.from()))
                .findFirst();
        return row.flatMap(chunk -> services.plans().open(namespace, chunk.min(), chunk.max(), move.to(), false))
                .map(plan -> services.moves().run(plan));
    }
}
