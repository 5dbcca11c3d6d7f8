package io.ostraka.node.lock;

import io.ostraka.wire.command.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;

/**
 * Locks for one holder at a time, first come first served, handed over directly. They belong to a {@link LockSet}, not
 * to a thread: a set is closed by whoever learns its proposal's fate.
 */
final class ExclusiveLocks {
    private static final int STRIPES = 64;

    private static final class Cell {
        private LockSet holder;
        private final Deque<Waiter> waiters = new ArrayDeque<>();

        Cell(LockSet holder) {
            this.holder = holder;
        }
    }

    private record Waiter(LockSet set, CompletableFuture<Void> granted) {}

    private final List<Map<Resource, Cell>> stripes = new ArrayList<>();

    ExclusiveLocks() {
        for (int i = 0; i < STRIPES; i++) {
            stripes.add(new HashMap<>());
        }
    }

    private Map<Resource, Cell> stripe(Resource resource) {
        int hash = resource.hashCode();
        return stripes.get((hash ^ hash >>> 16) & STRIPES - 1);
    }

    /** Takes it at once, or says false. True as well where the set has it already. */
    boolean tryAcquire(Resource resource, LockSet set) {
        Map<Resource, Cell> stripe = stripe(resource);
        synchronized (stripe) {
            Cell cell = stripe.get(resource);
            if (cell == null) {
                stripe.put(resource, new Cell(set));
                return true;
            }
            return cell.holder == set;
        }
    }

    /** Waits for it as long as the operation lives. */
    void acquire(Resource resource, LockSet set, CompletableFuture<Void> over, Operation operation) {
        Map<Resource, Cell> stripe = stripe(resource);
        Waiter waiter;
        synchronized (stripe) {
            Cell cell = stripe.get(resource);
            if (cell == null) {
                stripe.put(resource, new Cell(set));
                return;
            }
            if (cell.holder == set) {
                return;
            }
            waiter = new Waiter(set, new CompletableFuture<>());
            cell.waiters.add(waiter);
        }
        boolean granted = false;
        try {
            Object ignored = operation.await(
                    CompletableFuture.anyOf(waiter.granted, over), LockTables.LONGEST_WAIT_NANOS, LockTables::tooLong);
            granted = waiter.granted.isDone();
            if (!granted) {
                throw LockTables.over();
            }
        } finally {
            if (!granted) {
                withdraw(resource, waiter);
                // Nobody waits any more: or what was tied to the end of the leadership would stay until then.
                boolean unused = waiter.granted.complete(null);
            }
        }
    }

    /** Leaves the queue, or gives back what was granted in the same moment. */
    private void withdraw(Resource resource, Waiter waiter) {
        Map<Resource, Cell> stripe = stripe(resource);
        synchronized (stripe) {
            Cell cell = stripe.get(resource);
            if (cell != null && cell.waiters.remove(waiter)) {
                return;
            }
        }
        release(resource, waiter.set);
    }

    void release(Resource resource, LockSet set) {
        Map<Resource, Cell> stripe = stripe(resource);
        synchronized (stripe) {
            Cell cell = stripe.get(resource);
            if (cell == null || cell.holder != set) {
                return;
            }
            Waiter next = cell.waiters.poll();
            if (next == null) {
                stripe.remove(resource);
            } else {
                cell.holder = next.set;
                next.granted.complete(null);
            }
        }
    }

    /** Whether some lock held now satisfies a condition. */
    boolean anyHeld(BiPredicate<Resource, LockSet> condition) {
        for (Map<Resource, Cell> stripe : stripes) {
            synchronized (stripe) {
                Iterator<Map.Entry<Resource, Cell>> held = stripe.entrySet().iterator();
                while (held.hasNext()) {
                    Map.Entry<Resource, Cell> entry = held.next();
                    if (condition.test(entry.getKey(), entry.getValue().holder)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
