package io.ostraka.storage;

import org.rocksdb.BloomFilter;
import org.rocksdb.LRUCache;
import org.rocksdb.WriteBufferManager;

/**
 * What all engines of one process share: a block cache, the write buffers charged to it, and the bounds. Made once,
 * passed to every {@link Engine}, closed after the last of them. Safe for many threads.
 */
public final class StorageResources implements AutoCloseable {
    private final StorageLimits limits;
    private final LRUCache cache;
    private final WriteBufferManager writeBuffers;
    private final BloomFilter filter;

    private StorageResources(StorageLimits limits) {
        this.limits = limits;
        cache = new LRUCache(limits.blockCacheBytes());
        // No stalls: a writer that waits for the flush of another engine's buffers would tie members to each other.
        writeBuffers = new WriteBufferManager(limits.writeBufferBytes(), cache, false);
        filter = new BloomFilter(10);
    }

    public static StorageResources open(StorageLimits limits) {
        NativeLibrary.load();
        return new StorageResources(limits);
    }

    public StorageLimits limits() {
        return limits;
    }

    LRUCache cache() {
        return cache;
    }

    WriteBufferManager writeBuffers() {
        return writeBuffers;
    }

    BloomFilter filter() {
        return filter;
    }

    /** Bytes of the block cache in use now. */
    public long cacheUsedBytes() {
        return cache.getUsage();
    }

    /** Only after the last engine that uses them has closed. */
    @Override
    public void close() {
        filter.close();
        writeBuffers.close();
        cache.close();
    }
}
