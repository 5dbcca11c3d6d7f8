package io.ostraka.acceptance.support;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other processes and threads do, for a bounded time. */
public final class Awaiting {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);
    private static final long LOOK_AGAIN_NANOS = 20_000_000;

    private Awaiting() {}

    /** Looks again and again for a minute, and fails if it is not so by then. */
    public static void await(BooleanSupplier condition) {
        await(A_MINUTE, condition);
    }

    /** Looks again and again for a while, and fails if it is not so by then. */
    public static void await(Duration atMost, BooleanSupplier condition) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("it did not come to pass within " + atMost);
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }
}
