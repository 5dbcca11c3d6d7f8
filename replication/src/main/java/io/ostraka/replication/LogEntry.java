package io.ostraka.replication;

import io.ostraka.core.check.Check;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/**
 * One decided proposal.
 *
 * @param position its place
 * @param proposalTerm the term it was evaluated in; where that is not the position's, everybody skips it
 * @param proposal what the leader evaluated
 */
public record LogEntry(LogPosition position, long proposalTerm, byte[] proposal) {
    private static final byte VERSION = 1;
    private static final int HEADER = 1 + 16 + 8 + 8;

    /** As the log carries it. The proposal's term is the position's: others are not written. */
    public byte[] encode() {
        Check.that(proposalTerm == position.term(), "an entry is written in the term that evaluated it");
        return ByteBuffer.allocate(HEADER + proposal.length)
                .put(VERSION)
                .putLong(position.incarnation().getMostSignificantBits())
                .putLong(position.incarnation().getLeastSignificantBits())
                .putLong(position.term())
                .putLong(position.index())
                .put(proposal)
                .array();
    }

    /** @throws IllegalArgumentException for a version this program does not know */
    public static LogEntry decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        byte version = buffer.get();
        if (version != VERSION) {
            throw new IllegalArgumentException("a log entry has version " + version + "; this program reads " + VERSION
                    + ". Start the version that wrote it.");
        }
        UUID incarnation = new UUID(buffer.getLong(), buffer.getLong());
        LogPosition position = new LogPosition(incarnation, buffer.getLong(), buffer.getLong());
        return new LogEntry(position, position.term(), Arrays.copyOfRange(bytes, HEADER, bytes.length));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogEntry that
                && position.equals(that.position)
                && proposalTerm == that.proposalTerm
                && Arrays.equals(proposal, that.proposal);
    }

    @Override
    public int hashCode() {
        return 31 * position.hashCode() + Arrays.hashCode(proposal);
    }
}
