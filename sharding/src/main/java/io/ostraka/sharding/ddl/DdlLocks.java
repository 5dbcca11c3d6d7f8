package io.ostraka.sharding.ddl;

import static io.ostraka.core.error.ErrorCode.LOCK_TIMEOUT;

import io.ostraka.wire.command.Deadline;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What running changes hold: collections by {@code db.coll}, databases as a whole by {@code db}. A database conflicts
 * with each of its collections.
 */
final class DdlLocks {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Set<String> held = new HashSet<>();

    /** @throws io.ostraka.core.error.CommandException 24 LockTimeout when the deadline passes first */
    void acquire(String name, Deadline deadline) {
        lock.lock();
        try {
            while (held.stream().anyMatch(other -> conflict(name, other))) {
                if (deadline.hasPassed() || !released.await(deadline.nanosLeft(), TimeUnit.NANOSECONDS)) {
                    throw LOCK_TIMEOUT.because("Another change of '%s' is running; try again when it has ended", name);
                }
            }
            held.add(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LOCK_TIMEOUT.because("interrupted while waiting for another change of '%s'", name);
        } finally {
            lock.unlock();
        }
    }

    void release(String name) {
        lock.lock();
        try {
            held.remove(name);
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static boolean conflict(String a, String b) {
        return a.equals(b) || a.startsWith(b + ".") && !b.contains(".") || b.startsWith(a + ".") && !a.contains(".");
    }
}
