package io.ostraka.wire.command;

import io.ostraka.core.time.Clock;

/**
 * When an operation must have ended, on the monotonic clock.
 *
 * @param clock the clock that tells
 * @param atNanos the moment, in {@link Clock#nanos}; {@link Long#MAX_VALUE} for never
 */
public record Deadline(Clock clock, long atNanos) {
    public static Deadline never(Clock clock) {
        return new Deadline(clock, Long.MAX_VALUE);
    }

    /** @param millis from now; 0 means never, as in {@code maxTimeMS: 0} */
    public static Deadline in(Clock clock, long millis) {
        return millis <= 0 ? never(clock) : new Deadline(clock, clock.nanos() + millis * 1_000_000);
    }

    public boolean isNever() {
        return atNanos == Long.MAX_VALUE;
    }

    public boolean hasPassed() {
        return !isNever() && clock.nanos() - atNanos >= 0;
    }

    /** Nanoseconds left, at least 0; {@link Long#MAX_VALUE} for never. */
    public long nanosLeft() {
        return isNever() ? Long.MAX_VALUE : Math.max(0, atNanos - clock.nanos());
    }

    /** The earlier of this and so many milliseconds from now. */
    public Deadline atMost(long millis) {
        Deadline other = new Deadline(clock, clock.nanos() + millis * 1_000_000);
        return isNever() || other.atNanos - atNanos < 0 ? other : this;
    }
}
