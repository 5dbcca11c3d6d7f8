package io.ostraka.wire.command;

import io.ostraka.core.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonTimestamp;

/**
 * A cluster time of seconds and increment that never goes back: the greatest of the wall clock, every time heard and
 * every time {@linkplain #applied applied}. The increment's upper 10 bits are the millisecond. Safe for many threads.
 */
public final class HybridClock implements ClusterTimeSource {
    /** How far ahead of the wall clock a client's time is still believed. */
    private static final long BELIEVED_AHEAD_SECONDS = 10;

    private final Clock clock;
    private final AtomicLong highest = new AtomicLong();
    private final AtomicLong applied = new AtomicLong();

    public HybridClock(Clock clock) {
        this.clock = clock;
    }

    /** The wall clock as a cluster time. */
    public static long ofWall(long wallMillis) {
        return wallMillis / 1000 << 32 | wallMillis % 1000 << 22;
    }

    /** The reading for something new: at least the wall clock and everything heard. */
    public BsonTimestamp reading() {
        return new BsonTimestamp(raise(highest, ofWall(clock.wallMillis())));
    }

    @Override
    public BsonTimestamp clusterTime() {
        return new BsonTimestamp(highest.get());
    }

    @Override
    public BsonTimestamp operationTime() {
        return new BsonTimestamp(applied.get());
    }

    /** Something of this time has been applied here, or was seen in an answer. */
    public void applied(BsonTimestamp time) {
        raise(applied, time.getValue());
        raise(highest, time.getValue());
    }

    @Override
    public void heard(BsonTimestamp time, boolean trusted) {
        long limit = clock.wallMillis() / 1000 + BELIEVED_AHEAD_SECONDS;
        if (trusted || Integer.toUnsignedLong(time.getTime()) <= limit) {
            raise(highest, time.getValue());
        }
    }

    private static long raise(AtomicLong to, long value) {
        return to.accumulateAndGet(value, (a, b) -> Long.compareUnsigned(a, b) >= 0 ? a : b);
    }
}
