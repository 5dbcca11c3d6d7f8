package io.ostraka.sharding.catalog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** One lock per name. Names are few (databases and collections that were ever changed) and are kept. */
final class NamespaceLocks {
    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    <T> T with(String name, Supplier<T> body) {
        ReentrantLock lock = locks.computeIfAbsent(name, ignored -> new ReentrantLock());
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
