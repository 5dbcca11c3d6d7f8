package io.ostraka.replication;

import io.ostraka.core.check.Check;
import java.util.UUID;

/**
 * A place in the log of one incarnation of a group.
 *
 * @param incarnation changes when a group is made anew from a state: positions of different ones do not compare
 * @param term the leadership that appended the entry
 * @param index rises by one from entry to entry; 0 is before the first
 */
public record LogPosition(UUID incarnation, long term, long index) {
    /** Before the first entry. */
    public static LogPosition start(UUID incarnation) {
        return new LogPosition(incarnation, 0, 0);
    }

    /** Whether this entry, of the same incarnation, is at or before another. */
    public boolean isCoveredBy(LogPosition applied) {
        Check.that(incarnation.equals(applied.incarnation), "positions compared are of one incarnation");
        return index <= applied.index;
    }

    /** The next place, in a term. */
    public LogPosition next(long inTerm) {
        return new LogPosition(incarnation, inTerm, index + 1);
    }
}
