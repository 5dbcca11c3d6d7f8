package io.ostraka.node.apply;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/** Wakes those who wait for the Applier to come to a time, or for a change of the catalog. Safe for many threads. */
public final class Progress {
    private record Waiter(long time, CompletableFuture<Void> reached) {}

    private final PriorityQueue<Waiter> waiters =
            new PriorityQueue<>(Comparator.comparing(Waiter::time, Long::compareUnsigned));
    private CompletableFuture<Void> catalogChange = new CompletableFuture<>();
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

    /** Completed with the next change of the catalog after this call. Ask first, then look, then wait. */
    public synchronized CompletableFuture<Void> nextCatalogChange() {
        return catalogChange.copy();
    }

    void publish(long applied, boolean catalogChanged) {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        synchronized (this) {
            time = applied;
            while (!waiters.isEmpty() && Long.compareUnsigned(waiters.peek().time, applied) <= 0) {
                due.add(waiters.poll().reached);
            }
            if (catalogChanged) {
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
        catalogChange.completeExceptionally(reason);
    }
}
