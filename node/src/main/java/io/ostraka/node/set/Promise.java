package io.ostraka.node.set;

import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;

import io.ostraka.core.time.Clock;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Whom a member without a set has promised to follow, so that of several members that make a set at once one succeeds
 * and the others make none. In memory only, and for a while only: who was promised may have died. Safe for many threads.
 */
final class Promise {
    /** How long one holds: longer than it takes to ask all others and to begin. */
    static final long HOLDS_MILLIS = 10_000;

    private final Clock clock;
    private UUID to;
    private long untilNanos;

    Promise(Clock clock) {
        this.clock = clock;
    }

    /** Promises, or goes on with what was promised. @throws io.ostraka.core.error.CommandException 117 if another was promised */
    synchronized void give(UUID maker) {
        check(maker);
        to = maker;
        untilNanos = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(HOLDS_MILLIS);
    }

    /** @throws io.ostraka.core.error.CommandException 117 if another was promised */
    synchronized void check(UUID maker) {
        if (to != null && !to.equals(maker) && untilNanos - clock.nanos() > 0) {
            throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                    "another member is making a set of this one at the moment; look at rs.status() in some seconds");
        }
    }

    /** Takes it back. */
    synchronized void withdraw(UUID maker) {
        if (maker.equals(to)) {
            to = null;
        }
    }
}
