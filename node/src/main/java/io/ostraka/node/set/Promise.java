package io.ostraka.node.set;

import static io.ostraka.core.error.ErrorCode.ALREADY_INITIALIZED;
import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;

import io.ostraka.core.time.Clock;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Whom a member without a set has promised to follow, so that of several members that make a set at once one succeeds
 * and the others make none. In memory only, and for a while only: who was promised may have died. Safe for many threads.
 */
final class Promise {
    /** How long one holds: longer than it takes to ask all others and to begin. */
    private static final long HOLDS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Clock clock;
    private UUID to;
    private long untilNanos;
    private OptionalLong countedNanos = OptionalLong.empty();

    Promise(Clock clock) {
        this.clock = clock;
    }

    /**
     * Promises, or goes on with what was promised.
     *
     * @throws io.ostraka.core.error.CommandException 117 if another was promised, 23 if a set counts on a member at this address
     */
    synchronized void give(UUID maker) {
        check(maker);
        if (countedNanos.isPresent() && clock.nanos() - countedNanos.getAsLong() < HOLDS_NANOS) {
            throw ALREADY_INITIALIZED.because(
                    "a replica set counts on a member at this address, and the folder here is empty: a set made here would"
                            + " be a second one under its name. Remove the member there and add it again (rs.remove, rs.add):"
                            + " then it is filled.");
        }
        to = maker;
        untilNanos = clock.nanos() + HOLDS_NANOS;
    }

    /** @throws io.ostraka.core.error.CommandException 117 if another was promised */
    synchronized void check(UUID maker) {
        if (to != null && !to.equals(maker) && untilNanos - clock.nanos() > 0) {
            throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                    "another member is making a set of this one at the moment; look at rs.status() in some seconds");
        }
    }

    /**
     * A set's leader sends its log to this address, as to a member whose folder was emptied. Remembered for a while; a leader
     * sends several times a second.
     */
    synchronized void counted() {
        countedNanos = OptionalLong.of(clock.nanos());
    }

    /** Takes it back. */
    synchronized void withdraw(UUID maker) {
        if (maker.equals(to)) {
            to = null;
        }
    }
}
