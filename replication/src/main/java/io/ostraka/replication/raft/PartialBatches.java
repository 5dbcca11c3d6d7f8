package io.ostraka.replication.raft;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Batches too large for one entry, until their last part has come. They are kept in memory, at most one proposal's bytes
 * for each leadership in flight: a checkpoint is taken only while there are none, so that a replay finds every part.
 */
final class PartialBatches {
    private static final class Partial {
        private final long term;
        private final byte[][] parts;
        private int come;

        Partial(long term, int parts) {
            this.term = term;
            this.parts = new byte[parts][];
        }
    }

    private final Map<RaftEntry.Batch, Partial> open = new HashMap<>();

    boolean isEmpty() {
        return open.isEmpty();
    }

    void clear() {
        open.clear();
    }

    /** Nothing more comes for batches of earlier terms. */
    void reached(long term) {
        open.values().removeIf(partial -> partial.term < term);
    }

    /** Takes an entry; the body of the whole batch if this was what was missing. */
    Optional<byte[]> take(RaftEntry entry) {
        if (entry.parts() == 1) {
            return Optional.of(entry.body());
        }
        Partial partial = open.computeIfAbsent(entry.batch(), _ -> new Partial(entry.term(), entry.parts()));
        if (partial.parts[entry.part()] == null) {
            partial.parts[entry.part()] = entry.body();
            partial.come++;
        }
        if (partial.come < partial.parts.length) {
            return Optional.empty();
        }
        open.remove(entry.batch());
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : partial.parts) {
            whole.writeBytes(part);
        }
        return Optional.of(whole.toByteArray());
    }
}
