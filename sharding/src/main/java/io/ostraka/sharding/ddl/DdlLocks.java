package io.ostraka.sharding.ddl;

import static io.ostraka.core.error.ErrorCode.LOCK_TIMEOUT;

import io.ostraka.wire.command.Deadline;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What running changes hold: collections by {@code db.coll}, databases as a whole by {@code db}. A database conflicts
 * with each of its collections. Several names are taken all at once or not yet, so that no two changes wait for each
 * other.
 */
final class DdlLocks {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Set<String> held = new HashSet<>();

    /** @throws io.ostraka.core.error.CommandException 24 LockTimeout when the deadline passes first */
    void acquire(List<String> names, Deadline deadline) {
        lock.lock();
        try {
            while (names.stream().anyMatch(this::isTaken)) {
                if (deadline.hasPassed() || !released.await(deadline.nanosLeft(), TimeUnit.NANOSECONDS)) {
                    throw LOCK_TIMEOUT.because(
                            "Another change of '%s' is running; try again when it has ended", names.getFirst());
                }
            }
            held.addAll(names);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LOCK_TIMEOUT.because("interrupted while waiting for another change of '%s'", names.getFirst());
        } finally {
            lock.unlock();
        }
    }

    void release(List<String> names) {
        lock.lock();
        try {
            names.forEach(held::remove);
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isTaken(String name) {
        return held.stream().anyMatch(other -> conflict(name, other));
    }

    private static boolean conflict(String a, String b) {
        return a.equals(b) || a.startsWith(b + ".") && !b.contains(".") || b.startsWith(a + ".") && !a.contains(".");
    }
}
