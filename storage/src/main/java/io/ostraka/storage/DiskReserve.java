package io.ostraka.storage;

import static io.ostraka.core.error.ErrorCode.OUT_OF_DISK_SPACE;

import io.ostraka.core.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Refuses writes while the disk has less free than a reserve: a database that fills its disk cannot even delete. The
 * disk is asked at most twice a second, so a burst may eat into the reserve; that is what it is for.
 */
public final class DiskReserve {
    private static final long ASK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final LongSupplier freeBytes;
    private volatile long reserveBytes;
    private final Clock clock;
    private volatile long askedAt;
    private volatile long free;

    public DiskReserve(LongSupplier freeBytes, long reserveBytes, Clock clock) {
        this.freeBytes = freeBytes;
        this.reserveBytes = reserveBytes;
        this.clock = clock;
        askedAt = clock.nanos() - ASK_EVERY_NANOS;
    }

    /** Keeps another reserve from now on, at least 0. */
    public void keep(long bytes) {
        reserveBytes = bytes;
    }

    /** @throws io.ostraka.core.error.CommandException 14031 OutOfDiskSpace */
    public void check() {
        long now = clock.nanos();
        if (now - askedAt >= ASK_EVERY_NANOS) {
            free = freeBytes.getAsLong();
            askedAt = now;
        }
        if (free < reserveBytes) {
            throw OUT_OF_DISK_SPACE.because(
                    "available disk space of %d bytes is less than the required minimum of %d; free some space, reads go on",
                    free, reserveBytes);
        }
    }
}
