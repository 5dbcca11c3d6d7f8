package io.ostraka.node.lock;

import static io.ostraka.core.error.ErrorCode.LOCK_TIMEOUT;

import io.ostraka.wire.command.Operation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One collection's lock: shared by its writers, exclusive for DDL. First come first served, so that DDL is not starved
 * by a stream of writers.
 */
final class SharedLock {
    private record Waiter(boolean exclusive, CompletableFuture<Void> granted) {}

    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private int sharers;
    private boolean exclusive;
    private boolean retired;

    /** Waits for it. @return false at once if it was retired: another one has its name by now */
    boolean acquire(boolean wantExclusive, CompletableFuture<Void> over, Operation operation) {
        return acquire(
                wantExclusive,
                over,
                future -> operation.await(future, LockTables.LONGEST_WAIT_NANOS, LockTables::tooLong));
    }

    /** The same, at most so long. */
    boolean acquire(boolean wantExclusive, CompletableFuture<Void> over, Operation operation, long nanosAtMost) {
        return acquire(
                wantExclusive,
                over,
                future -> operation.await(
                        future,
                        nanosAtMost,
                        () -> LOCK_TIMEOUT.because(
                                "Unable to acquire the collection's lock within %d ms: another"
                                        + " operation creates, drops or changes it",
                                nanosAtMost / 1_000_000)));
    }

    private boolean acquire(
            boolean wantExclusive, CompletableFuture<Void> over, Consumer<CompletableFuture<Object>> waiting) {
        Waiter waiter;
        synchronized (this) {
            if (retired) {
                return false;
            }
            if (waiters.isEmpty() && isFree(wantExclusive)) {
                take(wantExclusive);
                return true;
            }
            waiter = new Waiter(wantExclusive, new CompletableFuture<>());
            waiters.add(waiter);
        }
        boolean granted = false;
        try {
            waiting.accept(CompletableFuture.anyOf(waiter.granted, over));
            granted = waiter.granted.isDone();
            if (!granted) {
                throw LockTables.over();
            }
        } finally {
            if (!granted) {
                withdraw(waiter);
                // Nobody waits any more: or what was tied to the end of the leadership would stay until then.
                boolean unused = waiter.granted.complete(null);
            }
        }
        return true;
    }

    /** Ends its use if nobody holds it or waits for it. @return whether that was so */
    synchronized boolean retire() {
        retired |= !exclusive && sharers == 0 && waiters.isEmpty();
        return retired;
    }

    private synchronized void withdraw(Waiter waiter) {
        if (waiters.remove(waiter)) {
            handOver();
        } else {
            release(waiter.exclusive);
        }
    }

    private boolean isFree(boolean forExclusive) {
        return !exclusive && (!forExclusive || sharers == 0);
    }

    private void take(boolean asExclusive) {
        if (asExclusive) {
            exclusive = true;
        } else {
            sharers++;
        }
    }

    synchronized void release(boolean asExclusive) {
        if (asExclusive) {
            exclusive = false;
        } else {
            sharers--;
        }
        handOver();
    }

    private void handOver() {
        while (!waiters.isEmpty() && isFree(waiters.peek().exclusive)) {
            Waiter next = waiters.poll();
            take(next.exclusive);
            // False if its operation has just given up: then withdraw gives back what was taken for it.
            boolean unused = next.granted.complete(null);
        }
    }
}
