package io.ostraka.sharding.ddl;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;
import static io.ostraka.core.error.ErrorCode.MAX_TIME_MS_EXPIRED;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.time.Clock;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.CollectionChanges;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.catalog.MovePlan;
import io.ostraka.sharding.catalog.MovePlans;
import io.ostraka.sharding.remote.Shards;
import io.ostraka.wire.command.Deadline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives coordinators on the leader of the config servers: one virtual thread each, the stored document first, then
 * the effects. What fails because something is away is tried again until it is back.
 */
public final class CoordinatorDriver implements AutoCloseable {
    /** The collection of running changes. */
    public static final String COORDINATORS = "coordinators";

    /**
     * Bounds of waits.
     *
     * @param callMillis how long one command to a shard may take before it is sent again
     * @param firstPauseMillis before the second attempt
     * @param lastPauseMillis the longest pause between attempts
     * @param lockMillis how long a change waits for another one of the same collection
     * @param resultMillis how long a client without a deadline waits for a change's end; the change goes on
     */
    public record Limits(
            long callMillis, long firstPauseMillis, long lastPauseMillis, long lockMillis, long resultMillis) {
        public static final Limits DEFAULT = new Limits(60_000, 20, 1_000, 300_000, 3_600_000);
    }

    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorDriver.class);

    private final CatalogStore store;
    private final CollectionChanges changes;
    private final MovePlans plans;
    private final Shards shards;
    private final Clock clock;
    private final Limits limits;
    private final ExecutorService threads;
    private final DdlLocks locks = new DdlLocks();
    private final Map<BsonDocument, Running> running = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    private record Running(BsonDocument request, CompletableFuture<BsonDocument> result) {}

    /** @param threads makes a virtual thread a task; owned by the caller */
    public CoordinatorDriver(
            CatalogStore store,
            CollectionChanges changes,
            MovePlans plans,
            Shards shards,
            Clock clock,
            Limits limits,
            ExecutorService threads) {
        this.store = store;
        this.changes = changes;
        this.plans = plans;
        this.shards = shards;
        this.clock = clock;
        this.limits = limits;
        this.threads = threads;
    }

    /**
     * Runs a change to its end. A change that is running already is joined; another one of the same namespace is
     * waited for.
     *
     * @param deadline of the caller; the change goes on after it
     * @return what the change replies with
     * @throws CommandException what stopped the change; 50 when the deadline passes; 24 if another change took too long
     */
    public BsonDocument run(Coordinator coordinator, Deadline deadline) {
        Running same = running.get(coordinator.id());
        if (same != null && same.request().equals(coordinator.request())) {
            return await(same.result(), deadline);
        }
        locks.acquire(coordinator.holds(), deadline.atMost(limits.lockMillis));
        Running mine = new Running(coordinator.request(), new CompletableFuture<>());
        running.put(coordinator.id(), mine);
        threads.execute(() -> drive(coordinator, new Event.Started(), mine));
        return await(mine.result(), deadline);
    }

    /** Goes on with the changes another leader left. Called once, before anything else may run. */
    public void resume() {
        for (BsonDocument stored : store.find(COORDINATORS, new BsonDocument())) {
            Coordinator coordinator = read(stored);
            LOG.info("going on with {} from state {}", coordinator.id().toJson(), stored.get("state"));
            locks.acquire(coordinator.holds(), Deadline.in(clock, limits.callMillis));
            Running mine = new Running(coordinator.request(), new CompletableFuture<>());
            running.put(coordinator.id(), mine);
            threads.execute(() -> drive(coordinator, new Event.Resumed(), mine));
        }
    }

    private static Coordinator read(BsonDocument stored) {
        String type = stored.getDocument("_id").getString("type").getValue();
        return switch (type) {
            case ShardCollection.TYPE -> ShardCollection.of(stored);
            case DropCollection.TYPE -> DropCollection.of(stored);
            case RenameCollection.TYPE -> RenameCollection.of(stored);
            case DropDatabase.TYPE -> DropDatabase.of(stored);
            default -> throw new IllegalStateException("config.coordinators holds unknown type " + type);
        };
    }

    private BsonDocument await(CompletableFuture<BsonDocument> result, Deadline deadline) {
        try {
            return result.get(deadline.atMost(limits.resultMillis).nanosLeft(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw MAX_TIME_MS_EXPIRED.because("operation exceeded time limit; the change goes on");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CommandException refused) {
                throw refused;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ErrorCode.INTERRUPTED.because("interrupted; the change goes on");
        }
    }

    private void drive(Coordinator coordinator, Event first, Running mine) {
        try {
            List<Effect> effects = coordinator.on(first);
            Pauses pauses = new Pauses();
            while (!coordinator.isDone()) {
                if (effects.isEmpty()) {
                    // An effect that only goes forward was refused: it is asked for again until it is done.
                    pauses.pause();
                    effects = coordinator.on(new Event.Resumed());
                }
                put(coordinator);
                List<Event> events = new ArrayList<>();
                for (Effect effect : effects) {
                    events.add(perform(effect));
                }
                effects = new ArrayList<>();
                for (Event event : events) {
                    effects.addAll(coordinator.on(event));
                }
            }
            persist(() -> store.commit(List.of(new CatalogStore.Change.Delete(COORDINATORS, coordinator.id()))));
            mine.result().complete(coordinator.result());
        } catch (CommandException e) {
            mine.result().completeExceptionally(e);
        } catch (RuntimeException e) {
            LOG.error(
                    "{} stopped; it goes on when this process starts again",
                    coordinator.id().toJson(),
                    e);
            mine.result().completeExceptionally(e);
        } finally {
            running.remove(coordinator.id(), mine);
            locks.release(coordinator.holds());
        }
    }

    private void put(Coordinator coordinator) {
        persist(() -> store.commit(List.of(new CatalogStore.Change.Put(COORDINATORS, coordinator.toBson()))));
    }

    private void persist(Runnable write) {
        Pauses pauses = new Pauses();
        while (true) {
            try {
                write.run();
                return;
            } catch (CommandException e) {
                pauses.orStop(e);
            }
        }
    }

    private Event perform(Effect effect) {
        try {
            return switch (effect) {
                case Effect.Call(var step, var commands) -> new Event.Replied(step, call(commands));
                case Effect.SettleMoves(var step, var namespace) -> {
                    settle(namespace);
                    yield new Event.Committed(step);
                }
                case Effect.Track(var step, var primary, var row, var chunks, var details) ->
                    commit(step, () -> changes.track(primary, row, chunks, details));
                case Effect.ForgetCollections(var step, var database) -> {
                    for (CollectionRow row : changes.tracked(database)) {
                        settle(row.namespace());
                        persist(() -> changes.drop(row.namespace(), row.uuid()));
                    }
                    yield new Event.Committed(step);
                }
                case Effect.Forget(var step, var namespace, var uuid) ->
                    commit(step, () -> changes.drop(namespace, uuid));
                case Effect.Rename(var step, var from, var to, var uuid) ->
                    commit(step, () -> changes.rename(from, to, uuid));
                case Effect.ForgetDatabase(var step, var database) ->
                    commit(step, () -> changes.dropDatabase(database));
            };
        } catch (CommandException e) {
            if (closed.getCount() == 0) {
                throw e;
            }
            LOG.info("step {} was refused: {}", effect.step(), e.getMessage());
            return new Event.Refused(effect.step(), e);
        }
    }

    private Event commit(String step, Runnable change) {
        persist(change);
        return new Event.Committed(step);
    }

    private Map<ShardId, BsonDocument> call(Map<ShardId, BsonDocument> commands) {
        Map<ShardId, CompletableFuture<BsonDocument>> pending = new LinkedHashMap<>();
        commands.forEach((shard, command) ->
                pending.put(shard, CompletableFuture.supplyAsync(() -> callUntilHeard(shard, command), threads)));
        Map<ShardId, BsonDocument> replies = new LinkedHashMap<>();
        CommandException refused = null;
        for (var entry : pending.entrySet()) {
            try {
                replies.put(entry.getKey(), entry.getValue().join());
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof CommandException refusal)) {
                    throw e;
                }
                refused = refusal;
            }
        }
        if (refused != null) {
            throw refused;
        }
        return replies;
    }

    private BsonDocument callUntilHeard(ShardId shard, BsonDocument command) {
        Pauses pauses = new Pauses();
        while (true) {
            try {
                return shards.call(shard, command, Deadline.in(clock, limits.callMillis));
            } catch (CommandException e) {
                LOG.debug("{} did not do {}: {}", shard, command.getFirstKey(), e.getMessage());
                pauses.orStop(e);
            }
        }
    }

    /** Lets no plan of the mover for this collection stay undecided, and waits until decided ones are finished. */
    public void settleMoves(Namespace namespace) {
        settle(namespace);
    }

    /** Every undecided plan of the collection is aborted; decided ones are waited for. */
    private void settle(Namespace namespace) {
        Pauses pauses = new Pauses();
        while (true) {
            List<MovePlan> left = plans.all().stream()
                    .filter(plan -> plan.namespace().equals(namespace))
                    .toList();
            if (left.isEmpty()) {
                return;
            }
            left.forEach(plan -> plans.settle(plan.id(), "the collection is being changed"));
            pauses.pause();
        }
    }

    /** Growing pauses between attempts, ended by closing. */
    private final class Pauses {
        private long next = limits.firstPauseMillis;

        /** Waits before the next attempt after an error that may pass, or throws it. */
        void orStop(CommandException error) {
            if (error.code().kind() == ErrorCode.Kind.USER && error.code() != MAX_TIME_MS_EXPIRED) {
                throw error;
            }
            pause();
        }

        void pause() {
            try {
                if (closed.await(next, TimeUnit.MILLISECONDS)) {
                    throw INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.because(
                            "this process leads no more; the next leader goes on");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.because("interrupted; the next leader goes on");
            }
            next = Math.min(limits.lastPauseMillis, next * 2);
        }
    }

    /** Stops driving; what runs is left to the next leader. */
    @Override
    public void close() {
        closed.countDown();
    }
}
