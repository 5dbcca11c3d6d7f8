package io.ostraka.storage;

import io.ostraka.core.check.Check;

/**
 * Bounds of what all engines of one process use together.
 *
 * @param blockCacheBytes memory for blocks read, with the write buffers charged to it
 * @param writeBufferBytes memory for what is written and not yet flushed, over all engines
 * @param memtableBytes when one family of one engine is flushed
 * @param journalBytes when old write-ahead logs force a flush, for one engine
 * @param backgroundJobs flushes and compactions at a time
 * @param diskReserveBytes free disk space below which writes are refused
 */
public record StorageLimits(
        long blockCacheBytes,
        long writeBufferBytes,
        long memtableBytes,
        long journalBytes,
        int backgroundJobs,
        long diskReserveBytes) {
    public static final StorageLimits DEFAULT =
            new StorageLimits(256L << 20, 128L << 20, 32L << 20, 128L << 20, 2, 256L << 20);

    public StorageLimits withDiskReserve(long bytes) {
        return new StorageLimits(blockCacheBytes, writeBufferBytes, memtableBytes, journalBytes, backgroundJobs, bytes);
    }

    public StorageLimits {
        Check.that(blockCacheBytes >= 8 << 20, "the block cache holds at least eight megabytes");
        Check.that(writeBufferBytes <= blockCacheBytes, "write buffers are charged to the block cache and fit in it");
        Check.that(memtableBytes <= writeBufferBytes, "one memtable fits in the write buffers");
        Check.that(journalBytes >= memtableBytes, "the journal covers at least one memtable");
        Check.that(backgroundJobs >= 1, "somebody flushes");
        Check.that(diskReserveBytes >= 0, "a reserve is not negative");
    }
}
