package io.ostraka.wire.cursor;

import static io.ostraka.core.error.ErrorCode.CURSOR_IN_USE;
import static io.ostraka.core.error.ErrorCode.CURSOR_KILLED;
import static io.ostraka.core.error.ErrorCode.CURSOR_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION;
import static io.ostraka.core.error.ErrorCode.RESOURCE_EXHAUSTED;
import static io.ostraka.core.error.ErrorCode.UNAUTHORIZED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.command.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The open cursors of one process. A cursor is used by one request at a time, is closed after ten idle minutes (by
 * {@link #closeIdle}, which the server calls), and there is a bound on how many are open. Safe for many threads.
 */
public final class CursorRegistry implements AutoCloseable {
    /**
     * @param maxOpen cursors open at once
     * @param idle how long one may lie unused
     */
    public record Limits(int maxOpen, Duration idle) {
        public static final Limits DEFAULT = new Limits(50_000, Duration.ofMinutes(10));
    }

    /** What the registry knows of a cursor, for {@code currentOp} and {@code serverStatus}. */
    public record Shown(long id, String namespace, Optional<RawDocument> lsid, RawDocument opened, boolean pinned) {}

    private final Limits limits;
    private final Clock clock;
    private final Ids ids;
    private final Map<Long, Entry> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public CursorRegistry(Limits limits, Clock clock, Ids ids) {
        this.limits = limits;
        this.clock = clock;
        this.ids = ids;
    }

    /**
     * Fills the first batch of a cursor and keeps the cursor if there is more.
     *
     * @param batch the batch, empty yet
     * @param single whether the client wants no second one
     * @param noTimeout whether the cursor may lie idle for ever
     * @return the reply
     */
    public RawDocument open(
            OpenCursor cursor,
            String namespace,
            BatchReply batch,
            boolean single,
            boolean noTimeout,
            Operation operation) {
        boolean keep = false;
        try {
            boolean ended = cursor.fill(batch, operation);
            if (ended || single) {
                return batch.finish(0);
            }
            long id = add(new Entry(cursor, namespace, operation, noTimeout));
            keep = true;
            return batch.finish(id);
        } finally {
            if (!keep) {
                cursor.close();
            }
        }
    }

    private long add(Entry entry) {
        if (closed || open.size() >= limits.maxOpen()) {
            throw RESOURCE_EXHAUSTED.because(
                    "%d cursors are open, which is the limit; read them to their end or close them", open.size());
        }
        while (true) {
            long id = ids.random() & Long.MAX_VALUE;
            if (id != 0 && open.putIfAbsent(id, entry) == null) {
                entry.usedAt = clock.nanos();
                return id;
            }
        }
    }

    /** Continues a cursor: {@code getMore}. */
    public RawDocument next(long id, String namespace, int maxDocuments, Operation operation) {
        Entry entry = open.get(id);
        if (entry == null) {
            throw CURSOR_NOT_FOUND.because("cursor id %d not found", id);
        }
        if (!entry.namespace.equals(namespace)) {
            throw UNAUTHORIZED.because(
                    "Requested getMore on namespace '%s', but cursor belongs to a different namespace %s",
                    namespace, entry.namespace);
        }
        entry.checkSession(id, operation);
        entry.take(id, operation);
        boolean ended = true;
        try {
            BatchReply batch = BatchReply.next(namespace, maxDocuments);
            ended = entry.cursor.fill(batch, operation);
            return batch.finish(ended ? 0 : id);
        } finally {
            entry.usedAt = clock.nanos();
            if (entry.giveBack(ended)) {
                open.remove(id, entry);
                entry.cursor.close();
            }
        }
    }

    /** Ends a cursor; one in use ends when its request does. False where there is none of that id. */
    public boolean kill(long id) {
        Entry entry = open.remove(id);
        if (entry == null) {
            return false;
        }
        if (entry.end()) {
            entry.cursor.close();
        }
        return true;
    }

    /** Ends a cursor if it is of that namespace: {@code killCursors}. */
    public boolean kill(long id, String namespace) {
        Entry entry = open.get(id);
        return entry != null && entry.namespace.equals(namespace) && kill(id);
    }

    /** Ends all cursors of a session. */
    public void killSession(RawDocument lsid) {
        killIf(entry -> entry.lsid.filter(lsid::equals).isPresent());
    }

    /** Ends the cursors that were opened in a transaction. */
    public void killTransaction(RawDocument lsid, long number) {
        killIf(entry -> entry.lsid.filter(lsid::equals).isPresent() && entry.isOf(number));
    }

    /** Ends all cursors of a namespace, as when a collection is dropped. */
    public void killNamespace(String namespace) {
        killIf(entry -> entry.namespace.equals(namespace));
    }

    /** Closes what has been idle for too long. */
    public void closeIdle() {
        long now = clock.nanos();
        killIf(entry -> !entry.noTimeout
                && entry.user == null
                && now - entry.usedAt > limits.idle().toNanos());
    }

    private void killIf(Predicate<Entry> which) {
        List<Long> found = new ArrayList<>();
        open.forEach((id, entry) -> {
            if (which.test(entry)) {
                found.add(id);
            }
        });
        found.forEach(this::kill);
    }

    public int count() {
        return open.size();
    }

    public List<Shown> all() {
        List<Shown> all = new ArrayList<>();
        open.forEach(
                (id, entry) -> all.add(new Shown(id, entry.namespace, entry.lsid, entry.opened, entry.user != null)));
        return List.copyOf(all);
    }

    @Override
    public void close() {
        closed = true;
        killIf(entry -> true);
    }

    /** One cursor and who uses it. */
    private static final class Entry {
        private final OpenCursor cursor;
        private final String namespace;
        private final Optional<RawDocument> lsid;
        private final OptionalLong transaction;
        private final RawDocument opened;
        private final boolean noTimeout;
        private volatile long usedAt;
        private volatile Operation user;
        private boolean ended;

        Entry(OpenCursor cursor, String namespace, Operation opener, boolean noTimeout) {
            this.cursor = cursor;
            this.namespace = namespace;
            this.lsid = opener.options().lsid();
            this.transaction = opener.isInTransaction() ? opener.options().txnNumber() : OptionalLong.empty();
            this.opened = opener.request();
            this.noTimeout = noTimeout;
        }

        boolean isOf(long number) {
            return transaction.isPresent() && transaction.getAsLong() == number;
        }

        void checkSession(long id, Operation operation) {
            boolean inOther = operation.isInTransaction()
                    ? !isOf(operation.options().txnNumber().orElseThrow())
                    : transaction.isPresent();
            if (inOther) {
                throw OPERATION_NOT_SUPPORTED_IN_TRANSACTION.because(
                        "Cannot run getMore on cursor %d: a cursor is read in the transaction it was opened in", id);
            }
            boolean other = lsid.isPresent()
                    && operation.options().lsid().isPresent()
                    && !lsid.equals(operation.options().lsid());
            if (other) {
                throw UNAUTHORIZED.because("cursor id %d was opened in another session", id);
            }
        }

        synchronized void take(long id, Operation operation) {
            if (ended) {
                throw CURSOR_NOT_FOUND.because("cursor id %d not found", id);
            }
            if (user != null) {
                throw CURSOR_IN_USE.because("cursor id %d is already in use", id);
            }
            user = operation;
        }

        /** Whether the caller must close the cursor. */
        synchronized boolean giveBack(boolean hasEnded) {
            user = null;
            boolean close = ended || hasEnded;
            ended = close;
            return close;
        }

        /** Whether the caller must close the cursor; otherwise its user will. */
        synchronized boolean end() {
            boolean first = !ended;
            ended = true;
            if (user != null) {
                user.kill(CURSOR_KILLED.because("cursor was killed"));
                return false;
            }
            return first;
        }
    }
}
