package io.ostraka.node.apply;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/** Wakes those who wait for the Applier to come to a time, or for a change of the catalog. Safe for many threads. */
public final class Progress {
    /** @param time a cluster time, or bytes of the oplog */
    private record Waiter(long time, CompletableFuture<Void> reached) {}

    private final PriorityQueue<Waiter> waiters =
            new PriorityQueue<>(Comparator.comparing(Waiter::time, Long::compareUnsigned));
    private final PriorityQueue<Waiter> oplogWaiters = new PriorityQueue<>(Comparator.comparing(Waiter::time));
    private CompletableFuture<Void> catalogChange = new CompletableFuture<>();
    private long catalogChanges;
    private long time;
    private boolean closed;

    Progress(long time) {
        this.time = time;
    }

    /** Completed when everything up to a cluster time has been applied, at once if it has. */
    public synchronized CompletableFuture<Void> reaches(long wanted) {
        if (Long.compareUnsigned(time, wanted) >= 0) {
            return CompletableFuture.completedFuture(null);
        }
        Waiter waiter = new Waiter(wanted, new CompletableFuture<>());
        waiters.add(waiter);
        if (closed) {
            fail();
        }
        return waiter.reached;
    }

    /** How often the catalog has changed since the member was opened. */
    public synchronized long catalogChanges() {
        return catalogChanges;
    }

    /**
     * Completed when the catalog has changed more often than that, at once if it has. Asked for only by those who wait:
     * each leaves a trace until the next change.
     */
    public synchronized CompletableFuture<Void> catalogChangeAfter(long changes) {
        return catalogChanges > changes ? CompletableFuture.completedFuture(null) : catalogChange.copy();
    }

    /** Completed when so many bytes of oplog rows have been written since the member was opened. */
    public synchronized CompletableFuture<Void> oplogReaches(long bytes) {
        Waiter waiter = new Waiter(bytes, new CompletableFuture<>());
        oplogWaiters.add(waiter);
        if (closed) {
            fail();
        }
        return waiter.reached;
    }

    /** @param oplogWritten bytes of rows written since opening */
    void publish(long applied, boolean catalogChanged, long oplogWritten) {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        synchronized (this) {
            time = applied;
            while (!waiters.isEmpty() && Long.compareUnsigned(waiters.peek().time, applied) <= 0) {
                due.add(waiters.poll().reached);
            }
            while (!oplogWaiters.isEmpty() && oplogWaiters.peek().time <= oplogWritten) {
                due.add(oplogWaiters.poll().reached);
            }
            if (catalogChanged) {
                catalogChanges++;
                due.add(catalogChange);
                catalogChange = new CompletableFuture<>();
            }
        }
        due.forEach(waiter -> waiter.complete(null));
    }

    /** Ends all waits: the member is shutting down. */
    public synchronized void close() {
        closed = true;
        fail();
    }

    private void fail() {
        var reason = io.ostraka.core.error.ErrorCode.INTERRUPTED_AT_SHUTDOWN.because("interrupted at shutdown");
        waiters.forEach(waiter -> waiter.reached.completeExceptionally(reason));
        waiters.clear();
        oplogWaiters.forEach(waiter -> waiter.reached.completeExceptionally(reason));
        oplogWaiters.clear();
        catalogChange.completeExceptionally(reason);
    }
}
