package io.ostraka.replication.raft;

import io.ostraka.core.check.Check;

/**
 * When a member saves its state, and how much of its log it keeps behind it.
 *
 * @param checkpointEntries after so many entries of the log
 * @param checkpointBytes or after so many bytes of them
 * @param keptEntries entries before a checkpoint that stay, for members that are a little behind; whole files only
 * @param segmentBytes of one file of the log
 */
public record RaftLimits(long checkpointEntries, long checkpointBytes, long keptEntries, int segmentBytes) {
    public static final RaftLimits DEFAULT = new RaftLimits(100_000, 256L << 20, 10_000, 16 << 20);

    public RaftLimits {
        Check.that(checkpointEntries > 0 && checkpointBytes > 0, "a log ends somewhere");
        Check.that(keptEntries >= 0, "entries are kept or not");
        Check.that(segmentBytes >= 4 << 20, "a segment holds the largest of what is sent at once");
    }
}
