package io.ostraka.router;

import io.ostraka.core.time.Clock;
import io.ostraka.wire.command.ClusterTimeSource;
import io.ostraka.wire.command.HybridClock;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonTimestamp;

/** Time as a router knows it: the greatest heard, and the greatest operation time in an answer of a shard. */
public final class RouterTime implements ClusterTimeSource {
    private final HybridClock clock;
    private final AtomicLong answered = new AtomicLong();

    public RouterTime(Clock clock) {
        this.clock = new HybridClock(clock);
    }

    @Override
    public BsonTimestamp clusterTime() {
        return clock.clusterTime();
    }

    @Override
    public BsonTimestamp operationTime() {
        return new BsonTimestamp(answered.get());
    }

    @Override
    public void heard(BsonTimestamp time, boolean trusted) {
        clock.heard(time, trusted);
    }

    @Override
    public void answered(BsonTimestamp operationTime) {
        answered.accumulateAndGet(operationTime.getValue(), (a, b) -> Long.compareUnsigned(a, b) >= 0 ? a : b);
        clock.heard(operationTime, true);
    }
}
