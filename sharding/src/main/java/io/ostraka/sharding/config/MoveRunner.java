package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.time.Clock;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.MovePlan;
import io.ostraka.sharding.catalog.MovePlan.Decision;
import io.ostraka.sharding.catalog.MovePlans;
import io.ostraka.sharding.remote.Shards;
import io.ostraka.wire.command.Deadline;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that every plan of the mover ends: asks its donor to carry it out, again and again while the donor is
 * away, until the plan is decided and both sides have nothing more to do for it. One virtual thread a plan.
 */
public final class MoveRunner implements AutoCloseable {
    /** How a plan ended. */
    public record Outcome(Decision decision, String reason) {}

    /** How long one attempt may take, and the pause before the next. */
    public record Limits(long attemptMillis, long pauseMillis) {
        public static final Limits DEFAULT = new Limits(3_600_000, 200);
    }

    private static final Logger LOG = LoggerFactory.getLogger(MoveRunner.class);

    private final ClusterCatalog catalog;
    private final MovePlans plans;
    private final Shards shards;
    private final Clock clock;
    private final Limits limits;
    private final ExecutorService threads;
    private final Map<UUID, CompletableFuture<Outcome>> running = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    public MoveRunner(
            ClusterCatalog catalog,
            MovePlans plans,
            Shards shards,
            Clock clock,
            Limits limits,
            ExecutorService threads) {
        this.catalog = catalog;
        this.plans = plans;
        this.shards = shards;
        this.clock = clock;
        this.limits = limits;
        this.threads = threads;
    }

    /** Carries out a plan; a plan that is being carried out already is joined. */
    public CompletableFuture<Outcome> run(MovePlan plan) {
        CompletableFuture<Outcome> mine = new CompletableFuture<>();
        CompletableFuture<Outcome> other = running.putIfAbsent(plan.id(), mine);
        if (other != null) {
            return other;
        }
        threads.execute(() -> {
            try {
                mine.complete(drive(plan));
            } catch (RuntimeException e) {
                mine.completeExceptionally(e);
            } finally {
                running.remove(plan.id(), mine);
            }
        });
        return mine;
    }

    /** Goes on with the plans another leader left. */
    public void resume() {
        for (MovePlan plan : plans.all()) {
            LOG.info("going on with the move {} of {}", plan.id(), plan.namespace());
            CompletableFuture<Outcome> ignored = run(plan);
        }
    }

    /** Plans being carried out. */
    public int running() {
        return running.size();
    }

    private Outcome drive(MovePlan plan) {
        Outcome outcome = null;
        while (outcome == null) {
            try {
                outcome = attempt(plan);
            } catch (CommandException e) {
                LOG.info("the move {} of {} waits: {}", plan.id(), plan.namespace(), e.getMessage());
                pause();
            }
        }
        return outcome;
    }

    private Outcome attempt(MovePlan plan) {
        if (plans.get(plan.id()).isEmpty()) {
            // Somebody who joined late asks for a plan that has ended: its donor must not begin it anew.
            return new Outcome(Decision.ABORTED, "the move had ended already");
        }
        BsonDocument command = new BsonDocument(
                        "_shardsvrMoveRange", new BsonString(plan.namespace().toString()))
                .append("plan", plan.toBson())
                .append("toHosts", hosts(plan));
        String reason = "";
        try {
            BsonDocument reply = shards.call(plan.from(), command, Deadline.in(clock, limits.attemptMillis));
            reason = reply.getString("reason", new BsonString("")).getValue();
        } catch (CommandException e) {
            if (e.code().kind() != ErrorCode.Kind.USER) {
                throw e;
            }
            // The donor cannot: unless the plan was decided already, it ends here.
            reason = e.getMessage();
            plans.settle(plan.id(), reason);
        }
        Decision decision = plans.settle(plan.id(), "the donor ended without a decision");
        if (decision == Decision.ABORTED) {
            shards.call(
                    plan.to(),
                    new BsonDocument(
                                    "_shardsvrAbortReceive",
                                    new BsonString(plan.namespace().toString()))
                            .append("plan", plan.toBson()),
                    Deadline.in(clock, limits.attemptMillis));
        }
        plans.finish(plan.id(), new BsonDocument());
        return new Outcome(decision, reason);
    }

    private BsonArray hosts(MovePlan plan) {
        BsonArray hosts = new BsonArray();
        catalog.shard(plan.to()).hosts().forEach(host -> hosts.add(new BsonString(host)));
        return hosts;
    }

    private void pause() {
        try {
            if (closed.await(limits.pauseMillis, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("this process leads no more; the next leader goes on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.because("interrupted; the next leader goes on");
        }
    }

    /** Stops carrying out plans; they stay stored. */
    @Override
    public void close() {
        closed.countDown();
    }
}
