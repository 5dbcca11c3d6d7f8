package io.ostraka.wire.command;

import io.ostraka.core.time.Clock;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes a thread that only computes step back now and then. Virtual threads are not preempted: as many heavy queries as
 * there are carrier threads would let nobody else run, not even whoever wants to kill them. May be used by several
 * threads at once; a race makes one of them step back a little sooner or later.
 */
final class TimeSlice {
    /** How long a thread computes at a stretch. */
    private static final long NANOS = 5_000_000;

    /** Any pause does: the others are before it in the line then. */
    private static final long PAUSE_NANOS = 1_000;

    /** Short steps between two looks at the clock, which costs as much as a short step. */
    private static final int STEPS = 16;

    private final Clock clock;
    private long since;
    private int left = STEPS;

    TimeSlice(Clock clock, long since) {
        this.clock = clock;
        this.since = since;
    }

    /** A step was done. */
    void used() {
        if (--left > 0) {
            return;
        }
        long used = clock.nanos() - since;
        left = used > 2 * NANOS ? 1 : STEPS; // long steps are looked at one by one
        if (used > NANOS) {
            // A yield would put it behind what its carrier has at hand, and before all that arrives from outside.
            LockSupport.parkNanos(PAUSE_NANOS);
            since = clock.nanos();
        }
    }
}
