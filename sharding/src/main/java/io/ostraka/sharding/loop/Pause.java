package io.ostraka.sharding.loop;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The pause between two rounds of a background task: it ends by itself, by being woken, or for good by closing. Being
 * woken during a round is not lost, the next pause ends at once. Safe for many threads; one awaits.
 */
public final class Pause implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;
    private boolean closed;

    /** Waits. @return whether there is a next round: false when closed or interrupted */
    public boolean await(Duration atMost) {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (!closed && !woken && left > 0) {
                left = changed.awaitNanos(left);
            }
            woken = false;
            return !closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the pause, or the next one. */
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** There is no next round. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
