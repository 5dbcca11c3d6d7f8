package io.ostraka.replication.raft;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one entry of the Raft log holds: proposals of one leadership, or a part of a proposal too large for one entry.
 *
 * <pre>
 * version(1) term(8) origin(8) number(8) part(4) parts(4) body
 * body of all parts together: count(4) { length(4) bytes }
 * </pre>
 *
 * @param term of the leadership that evaluated it
 * @param origin the opened group that proposed it, at random: two openings of one member differ
 * @param number of the batch within its origin
 * @param part from 0
 * @param parts 1 for all but large ones
 */
record RaftEntry(long term, long origin, long number, int part, int parts, byte[] body) {
    private static final byte VERSION = 1;
    static final int HEADER = 1 + 8 + 8 + 8 + 4 + 4;

    /** Which batch it is part of. */
    record Batch(long origin, long number) {}

    Batch batch() {
        return new Batch(origin, number);
    }

    byte[] encode() {
        return ByteBuffer.allocate(HEADER + body.length)
                .put(VERSION)
                .putLong(term)
                .putLong(origin)
                .putLong(number)
                .putInt(part)
                .putInt(parts)
                .put(body)
                .array();
    }

    /** @throws IllegalArgumentException for a version this program does not know */
    static RaftEntry decode(ByteBuffer buffer) {
        byte version = buffer.get();
        if (version != VERSION) {
            throw new IllegalArgumentException("an entry of the log has version " + version + "; this program reads "
                    + VERSION + ". Start the version that wrote it.");
        }
        long term = buffer.getLong();
        long origin = buffer.getLong();
        long number = buffer.getLong();
        int part = buffer.getInt();
        int parts = buffer.getInt();
        byte[] body = new byte[buffer.remaining()];
        buffer.get(body);
        return new RaftEntry(term, origin, number, part, parts, body);
    }

    /** Proposals as the bodies of entries of at most {@code partBytes} each. */
    static List<RaftEntry> of(long term, long origin, long number, List<byte[]> proposals, int partBytes) {
        int size =
                4 + proposals.stream().mapToInt(proposal -> 4 + proposal.length).sum();
        ByteBuffer body = ByteBuffer.allocate(size).putInt(proposals.size());
        for (byte[] proposal : proposals) {
            body.putInt(proposal.length).put(proposal);
        }
        int parts = Math.ceilDiv(size, partBytes);
        if (parts == 1) {
            return List.of(new RaftEntry(term, origin, number, 0, 1, body.array()));
        }
        List<RaftEntry> entries = new ArrayList<>(parts);
        for (int part = 0; part < parts; part++) {
            int from = part * partBytes;
            byte[] piece = Arrays.copyOfRange(body.array(), from, Math.min(size, from + partBytes));
            entries.add(new RaftEntry(term, origin, number, part, parts, piece));
        }
        return entries;
    }

    /** The proposals in the body of a whole batch. */
    static List<byte[]> proposals(byte[] body) {
        ByteBuffer buffer = ByteBuffer.wrap(body);
        int count = buffer.getInt();
        List<byte[]> proposals = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] proposal = new byte[buffer.getInt()];
            buffer.get(proposal);
            proposals.add(proposal);
        }
        return proposals;
    }
}
