package io.ostraka.replication;

import io.ostraka.core.error.CommandException;

/** How a proposal ended. There is no other end; until it is known, what the proposer locked stays locked. */
public sealed interface Fate {
    /** Decided and applied here, with everything before it. */
    record Applied(LogPosition position) implements Fate {}

    /** Never appended: too large, too many waiting, or no leader at the door. */
    record Refused(CommandException reason) implements Fate {}

    /** An entry of a later leadership was applied and this one was not: it never will be. */
    record Void() implements Fate {}
}
