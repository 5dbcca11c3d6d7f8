package io.ostraka.node.write;

import io.ostraka.core.check.Check;
import io.ostraka.core.error.CommandException;
import io.ostraka.node.change.OplogRow;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.OplogReader;
import io.ostraka.node.view.View;
import io.ostraka.storage.Engine;
import io.ostraka.storage.Family;
import io.ostraka.wire.command.Operation;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the oplog within its bound: the leader proposes that the oldest rows go. Never those that somebody still has to
 * follow. One thread, from opening to closing.
 */
public final class OplogTrim implements Runnable {
    /**
     * Bounds of the oplog.
     *
     * @param bytes what is kept at least, once there is so much
     * @param everyBytes how much is written between two looks at it
     */
    public record Limits(long bytes, long everyBytes) {
        public static final Limits DEFAULT = new Limits(512L << 20, 64L << 20);

        public Limits {
            Check.that(everyBytes > 0 && bytes >= everyBytes, "more is kept than is written between two looks");
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(OplogTrim.class);

    private final WriteParts parts;
    private final Engine engine;
    private final Limits limits;
    private final LongSupplier neededFrom;
    private final Operation operation;

    /**
     * @param neededFrom the cluster time from which rows are still needed; -1, the greatest of all, for none
     * @param operation killed when the member closes
     */
    public OplogTrim(WriteParts parts, Engine engine, Limits limits, LongSupplier neededFrom, Operation operation) {
        this.parts = parts;
        this.engine = engine;
        this.limits = limits;
        this.neededFrom = neededFrom;
        this.operation = operation;
    }

    @Override
    public void run() {
        long next = limits.everyBytes();
        try {
            while (true) {
                operation.await(parts.views().progress().oplogReaches(next));
                next += limits.everyBytes();
                trim();
            }
        } catch (CommandException over) {
            LOG.debug("the oplog is trimmed no more: {}", over.getMessage());
        }
    }

    /** Proposes what is too much, if it is. */
    private void trim() {
        long excess = engine.estimatedBytes(Family.OPLOG) - limits.bytes();
        if (excess <= 0) {
            return;
        }
        long cut = 0;
        try (View view = parts.views().open();
                OplogReader reader = new OplogReader(view, 0, 0)) {
            long bytes = 0;
            Optional<OplogRow> row = reader.next();
            while (row.isPresent() && bytes < excess) {
                operation.checkAlive();
                cut = row.get().time();
                bytes += row.get().after().map(document -> document.size()).orElse(0) + 128L;
                row = reader.next();
            }
        }
        long needed = neededFrom.getAsLong();
        long upTo = Long.compareUnsigned(cut, needed) < 0 ? cut : needed;
        LockSet locks = parts.terms().current().locks().begin();
        ChangeList changes = parts.changes();
        changes.truncateOplog(upTo);
        parts.proposer().propose(locks, changes, operation);
        LOG.info("the oplog was cut by about {} bytes", excess);
    }
}
