package io.ostraka.sharding.mover;

import io.ostraka.core.error.CommandException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** What a donor knows of its recipient from what it asked for last. Safe for many threads. */
final class Pull {
    /** What the recipient holds once it has everything. */
    record Drained(long documents, long bytes) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private boolean caughtUp;
    private long heardNanos;
    private long blockedAt = -1;
    private Drained drained;
    private CommandException failure;
    private CompletableFuture<Void> next = new CompletableFuture<>();

    private void locked(Runnable body) {
        CompletableFuture<Void> told;
        lock.lock();
        try {
            body.run();
            change.signalAll();
            told = next;
            next = new CompletableFuture<>();
        } finally {
            lock.unlock();
        }
        told.complete(null);
    }

    /**
     * For what requests for rows say themselves: the donor hears it, {@link #nextChange} does not, or a waiting request
     * would wake itself again and again.
     */
    private void toDonor(Runnable body) {
        lock.lock();
        try {
            body.run();
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The recipient was heard. */
    void heard(long nanos) {
        toDonor(() -> heardNanos = nanos);
    }

    /** The recipient has applied all but a few rows, or not. */
    void caughtUp(boolean is) {
        toDonor(() -> caughtUp = is);
    }

    /** Writers are blocked: the last row of the range is at or below this cluster time. */
    void blockAt(long time) {
        locked(() -> {
            blockedAt = time;
            drained = null;
        });
    }

    /** Writers go on. */
    void unblock() {
        locked(() -> {
            blockedAt = -1;
            drained = null;
            caughtUp = false;
        });
    }

    /** The recipient has everything up to the block. */
    void drained(Drained all) {
        locked(() -> drained = all);
    }

    /** The recipient cannot go on. */
    void failed(CommandException why) {
        locked(() -> failure = why);
    }

    void changed() {
        locked(() -> {});
    }

    boolean isCaughtUp() {
        lock.lock();
        try {
            return caughtUp;
        } finally {
            lock.unlock();
        }
    }

    long heardNanos() {
        lock.lock();
        try {
            return heardNanos;
        } finally {
            lock.unlock();
        }
    }

    /** The cluster time writers were blocked at, or -1. */
    long blockedAt() {
        lock.lock();
        try {
            return blockedAt;
        } finally {
            lock.unlock();
        }
    }

    Optional<Drained> drained() {
        lock.lock();
        try {
            return Optional.ofNullable(drained);
        } finally {
            lock.unlock();
        }
    }

    Optional<CommandException> failure() {
        lock.lock();
        try {
            return Optional.ofNullable(failure);
        } finally {
            lock.unlock();
        }
    }

    /** Completed with the next change that the donor makes after this call. Ask first, then look, then wait. */
    CompletableFuture<Void> nextChange() {
        lock.lock();
        try {
            return next.copy();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something holds, at most so long. */
    void await(BooleanSupplier holds, long millis) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (!holds.getAsBoolean() && left > 0) {
                left = change.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
