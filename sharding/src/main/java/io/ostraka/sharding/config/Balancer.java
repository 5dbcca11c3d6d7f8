package io.ostraka.sharding.config;

import io.ostraka.core.error.CommandException;
import io.ostraka.sharding.balancer.BalancerPolicy;
import io.ostraka.sharding.catalog.MovePlan.Decision;
import io.ostraka.sharding.loop.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The balancer's loop on the leader of the config servers: gather, decide, move, note it in {@code config.actionlog}.
 */
public final class Balancer implements AutoCloseable {
    /** Pauses between rounds: after one that moved something, and after one that did not. */
    public record Limits(Duration afterWork, Duration idle) {
        public static final Limits DEFAULT = new Limits(Duration.ofMillis(200), Duration.ofSeconds(10));
    }

    private static final Logger LOG = LoggerFactory.getLogger(Balancer.class);

    private final ConfigServices services;
    private final ChunkMoves moves;
    private final Limits limits;
    private final Pause pause = new Pause();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roundEnded = lock.newCondition();
    private Thread thread;
    private boolean inRound;
    private long rounds;

    Balancer(ConfigServices services, ChunkMoves moves, Limits limits) {
        this.services = services;
        this.moves = moves;
        this.limits = limits;
    }

    void start() {
        thread = Thread.ofVirtual().name("balancer").start(this::loop);
    }

    boolean isInRound() {
        lock.lock();
        try {
            return inRound;
        } finally {
            lock.unlock();
        }
    }

    long rounds() {
        lock.lock();
        try {
            return rounds;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the pause: something may be out of balance. */
    void wake() {
        pause.wake();
    }

    /** Waits until no round runs. @return whether that was so in time */
    boolean awaitNoRound(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (inRound && !pause.isClosed()) {
                if (left <= 0) {
                    return false;
                }
                left = roundEnded.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void loop() {
        boolean moved = true;
        while (pause.await(moved ? limits.afterWork() : limits.idle())) {
            moved = false;
            begun();
            try {
                if (services.settings().balancerOn()
                        && services.settings().inWindow(services.clock().wallMillis())) {
                    moved = round();
                }
            } catch (RuntimeException e) {
                LOG.info("a round of the balancer failed: {}", e.getMessage());
                note(0, 0, 0, e.getMessage());
            } finally {
                finished();
            }
        }
    }

    private void begun() {
        lock.lock();
        try {
            inRound = true;
        } finally {
            lock.unlock();
        }
    }

    private void finished() {
        lock.lock();
        try {
            inRound = false;
            rounds++;
            roundEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean round() {
        long started = services.clock().nanos();
        moves.splitAtZones();
        List<BalancerPolicy.Move> wanted = BalancerPolicy.plan(moves.gather());
        if (wanted.isEmpty()) {
            return false;
        }
        List<CompletableFuture<MoveRunner.Outcome>> begun = new ArrayList<>();
        String error = "";
        for (BalancerPolicy.Move move : wanted) {
            try {
                moves.begin(move).ifPresent(begun::add);
            } catch (CommandException e) {
                error = e.getMessage();
            }
        }
        int moved = 0;
        for (CompletableFuture<MoveRunner.Outcome> each : begun) {
            MoveRunner.Outcome outcome = each.join();
            if (outcome.decision() == Decision.COMMITTED) {
                moved++;
            } else {
                error = outcome.reason();
            }
        }
        note((services.clock().nanos() - started) / 1_000_000, wanted.size(), moved, error);
        return moved > 0;
    }

    private void note(long millis, int candidates, int moved, String error) {
        BsonDocument details = new BsonDocument("executionTimeMillis", new BsonInt64(millis))
                .append("errorOccured", BsonBoolean.valueOf(!error.isEmpty()))
                .append("candidateChunks", new BsonInt32(candidates))
                .append("chunksMoved", new BsonInt32(moved));
        if (!error.isEmpty()) {
            details.append("errmsg", new BsonString(error));
        }
        try {
            services.store().commit(List.of(services.changelog().action("balancer.round", details)));
        } catch (RuntimeException e) {
            LOG.debug("the round is not in the actionlog: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        pause.close();
        lock.lock();
        try {
            roundEnded.signalAll();
        } finally {
            lock.unlock();
        }
        if (thread != null) {
            // A round waits for moves; they end when the client to the shards is closed.
            thread.interrupt();
        }
    }
}
