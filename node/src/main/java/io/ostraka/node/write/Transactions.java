package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NO_SUCH_TRANSACTION;
import static io.ostraka.core.error.ErrorCode.RESOURCE_EXHAUSTED;
import static io.ostraka.core.error.ErrorCode.TRANSACTION_COMMITTED;
import static io.ostraka.core.error.ErrorCode.TRANSACTION_EXCEEDED_LIFETIME_LIMIT_SECONDS;
import static io.ostraka.core.error.ErrorCode.TRANSACTION_TOO_OLD;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.View;
import io.ostraka.wire.command.Operation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * The multi-document transactions of one member: one a session, known until the session begins another or ends. They live
 * in memory and die with the leadership they began under; that one was committed stands in its session's record. Safe for
 * many threads.
 */
public final class Transactions {
    /** Transactions open at once; each holds a snapshot of the store. */
    private static final int OPEN_MAX = 10_000;

    /** Sessions whose last transaction is known; those that ended longest ago are forgotten first. */
    private static final int KNOWN_MAX = 100_000;

    /** How long one may live unless told otherwise. */
    public static final int LIFETIME_SECONDS = 60;

    private final Map<RawDocument, Transaction> bySession = new LinkedHashMap<>();
    /** By the number of the operation, which the parts of one share. */
    private final Map<Long, Running> running = new ConcurrentHashMap<>();

    private record Running(Operation operation, Transaction transaction) {}

    private Term watched;
    private final AtomicLong committed = new AtomicLong();
    private final AtomicLong aborted = new AtomicLong();
    private final AtomicLong started = new AtomicLong();
    private volatile long lifetimeNanos = LIFETIME_SECONDS * 1_000_000_000L;
    private volatile ObjLongConsumer<RawDocument> whenEnded = (_, _) -> {};

    /** From now on a transaction lives at most so long. */
    public void setLifetime(long seconds) {
        lifetimeNanos = seconds * 1_000_000_000L;
    }

    /** From now on told of each transaction that has ended, by session and number: its cursors are closed. */
    public void whenEnded(ObjLongConsumer<RawDocument> told) {
        whenEnded = told;
    }

    /** The transaction a statement is of. */
    Optional<Transaction> of(Operation operation) {
        return operation.isInTransaction()
                ? Optional.ofNullable(running.get(operation.id())).map(Running::transaction)
                : Optional.empty();
    }

    /** What a statement of a transaction reads; closed with the transaction. Empty where the operation is none. */
    public Optional<View> view(Operation operation) {
        return of(operation).map(transaction -> transaction.view().borrowed());
    }

    private synchronized Optional<Transaction> known(RawDocument lsid) {
        return Optional.ofNullable(bySession.get(lsid));
    }

    private synchronized List<Transaction> open() {
        return bySession.values().stream()
                .filter(each -> each.state() == Transaction.State.IN_PROGRESS)
                .toList();
    }

    private synchronized void remember(Transaction transaction) {
        bySession.remove(transaction.lsid());
        bySession.put(transaction.lsid(), transaction);
        if (bySession.size() > KNOWN_MAX) {
            RawDocument eldest = bySession.entrySet().stream()
                    .filter(each -> each.getValue().state() != Transaction.State.IN_PROGRESS)
                    .findFirst()
                    .orElseThrow()
                    .getKey();
            bySession.remove(eldest);
        }
    }

    /**
     * Runs a statement of a transaction, which is begun where it is the first. An error, or an answer with errors, aborts it.
     *
     * @throws io.ostraka.core.error.CommandException 251 NoSuchTransaction, 256 TransactionCommitted, 225 TransactionTooOld, and what the statement throws
     */
    public <T> T statement(WriteParts parts, Operation operation, Supplier<T> body) {
        if (operation.options().writeConcern().isPresent()) {
            throw INVALID_OPTIONS.because(
                    "writeConcern is not allowed within a multi-statement transaction: give it with"
                            + " commitTransaction");
        }
        SessionWriter sessions = new SessionWriter(parts);
        sessions.prepare(operation);
        Term term = parts.terms().current();
        try (LockSet _ = term.locks().begin().session(lsid(operation), operation)) {
            Transaction transaction = operation.options().transaction() == Operation.InTransaction.STARTS
                    ? begin(parts, sessions, term, operation)
                    : goOn(sessions, operation);
            running.put(operation.id(), new Running(operation, transaction));
            boolean well = false;
            try {
                T result = body.get();
                operation.checkAlive();
                well = !transaction.hasFailed();
                return result;
            } finally {
                running.remove(operation.id());
                if (!well) {
                    end(transaction, false);
                }
            }
        }
    }

    private static RawDocument lsid(Operation operation) {
        return operation.options().lsid().orElseThrow();
    }

    private static long number(Operation operation) {
        return operation.options().txnNumber().orElseThrow();
    }

    private Transaction begin(WriteParts parts, SessionWriter sessions, Term term, Operation operation) {
        RawDocument lsid = lsid(operation);
        long number = number(operation);
        Optional<Transaction> last = known(lsid);
        Optional<SessionRecord> record = sessions.find(lsid);
        long highest = Math.max(
                last.map(Transaction::number).orElse(-1L),
                record.map(SessionRecord::number).orElse(-1L));
        checkNotOlder(number, highest);
        boolean startedAnew = last.isPresent() && last.get().number() == number && mayStartAnew(last.get(), operation);
        if (number == highest && !startedAnew) {
            throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                    "Cannot start a transaction with txnNumber %d on this session because that number has been used; use a"
                            + " higher one",
                    number);
        }
        last.ifPresent(before -> end(before, false));
        if (open().size() >= OPEN_MAX) {
            throw RESOURCE_EXHAUSTED.because("%d transactions are open, which is the limit", OPEN_MAX);
        }
        Transaction transaction =
                new Transaction(parts, lsid, number, term, parts.clock().nanos());
        remember(transaction);
        started.incrementAndGet();
        watch(term);
        return transaction;
    }

    /** When a leadership ends, so do its transactions: their locks are gone with it. */
    private synchronized void watch(Term term) {
        if (watched != term) {
            watched = term;
            term.leadership()
                    .whenOver(() -> open().stream()
                            .filter(each -> each.term().leadership().isOver())
                            .forEach(each -> end(each, false)));
        }
    }

    /** A router begins anew, under the same number, what has done nothing yet. */
    private static boolean mayStartAnew(Transaction last, Operation operation) {
        return operation.client().ofCluster()
                && (last.state() == Transaction.State.IN_PROGRESS || last.state() == Transaction.State.ABORTED);
    }

    private static void checkNotOlder(long number, long highest) {
        if (number < highest) {
            throw TRANSACTION_TOO_OLD.because(
                    "Cannot start transaction %d on this session because a newer one with txnNumber %d has already started",
                    number, highest);
        }
    }

    private Transaction goOn(SessionWriter sessions, Operation operation) {
        if (operation.options().readConcern().isPresent()) {
            throw INVALID_OPTIONS.because("Only the first command in a transaction may specify a readConcern");
        }
        long number = number(operation);
        Optional<Transaction> known = known(lsid(operation));
        known.ifPresent(last -> checkNotOlder(number, last.number()));
        boolean isCommitted = isCommitted(sessions, operation, known);
        if (isCommitted) {
            throw TRANSACTION_COMMITTED.because("Transaction with { txnNumber: %d } has been committed.", number);
        }
        return known.filter(last -> last.number() == number && last.state() == Transaction.State.IN_PROGRESS)
                .orElseThrow(() -> none(number));
    }

    private static RuntimeException none(long number) {
        return NO_SUCH_TRANSACTION.because(
                "Transaction with { txnNumber: %d } has been aborted, or is not known here; begin it anew", number);
    }

    /** Asked under the session's lock, so the fate of all that was proposed is known. */
    private static boolean isCommitted(SessionWriter sessions, Operation operation, Optional<Transaction> known) {
        long number = number(operation);
        if (known.isPresent() && known.get().number() == number) {
            if (known.get().state() == Transaction.State.COMMITTED) {
                return true;
            }
            if (known.get().state() != Transaction.State.COMMITTING) {
                return false;
            }
        }
        return sessions.find(lsid(operation))
                .filter(record -> record.number() == number && record.committed())
                .isPresent();
    }

    /**
     * Commits: proposes everything at once. May be sent again.
     *
     * @throws io.ostraka.core.error.CommandException 251 NoSuchTransaction if it has been aborted or is not known, 225 if the session has gone on
     */
    public void commit(WriteParts parts, Operation operation) {
        SessionWriter sessions = new SessionWriter(parts);
        Term term = parts.terms().current();
        LockSet session = term.locks().begin().session(lsid(operation), operation);
        boolean handedOn = false;
        try {
            Optional<Transaction> known = known(lsid(operation));
            known.ifPresent(last -> checkNotOlder(number(operation), last.number()));
            if (isCommitted(sessions, operation, known)) {
                known.ifPresent(last -> last.become(Transaction.State.COMMITTED));
                return;
            }
            Transaction transaction = known.filter(
                            last -> last.number() == number(operation) && last.state() == Transaction.State.IN_PROGRESS)
                    .orElseThrow(() -> none(number(operation)));
            if (transaction.changes().isEmpty()) {
                close(transaction, Transaction.State.COMMITTED);
                transaction.locks().close();
                return;
            }
            sessions.commit(term, transaction);
            close(transaction, Transaction.State.COMMITTING);
            // Whoever asks again waits until the fate is known, and finds it in the record.
            transaction.locks().whenClosed(session::close);
            transaction.changes().whenRefused(() -> transaction.become(Transaction.State.ABORTED));
            handedOn = true;
            parts.proposer().propose(transaction.locks(), transaction.changes(), operation);
            transaction.become(Transaction.State.COMMITTED);
        } finally {
            if (!handedOn) {
                session.close();
            }
        }
    }

    private void close(Transaction transaction, Transaction.State next) {
        transaction.become(next);
        committed.incrementAndGet();
        whenEnded.accept(transaction.lsid(), transaction.number());
        transaction.view().close();
    }

    /**
     * Aborts. May be sent again.
     *
     * @throws io.ostraka.core.error.CommandException 251 NoSuchTransaction, 256 TransactionCommitted
     */
    public void abort(WriteParts parts, Operation operation) {
        SessionWriter sessions = new SessionWriter(parts);
        Term term = parts.terms().current();
        try (LockSet _ = term.locks().begin().session(lsid(operation), operation)) {
            Optional<Transaction> known = known(lsid(operation));
            known.ifPresent(last -> checkNotOlder(number(operation), last.number()));
            if (isCommitted(sessions, operation, known)) {
                throw TRANSACTION_COMMITTED.because(
                        "Transaction with { txnNumber: %d } has been committed.", number(operation));
            }
            Optional<Transaction> own = known.filter(last -> last.number() == number(operation));
            if (own.isPresent() && own.get().isAbortedByClient()) {
                return;
            }
            end(
                    own.filter(last -> last.state() == Transaction.State.IN_PROGRESS)
                            .orElseThrow(() -> none(number(operation))),
                    true);
        }
    }

    private void end(Transaction transaction, boolean asked) {
        if (transaction.state() == Transaction.State.IN_PROGRESS) {
            whenEnded.accept(transaction.lsid(), transaction.number());
            transaction.abort(asked);
            aborted.incrementAndGet();
        }
    }

    /** A session goes on to this number. Called under its lock. */
    void overtaken(RawDocument lsid, long number) {
        known(lsid).ifPresent(last -> {
            checkNotOlder(number, last.number());
            if (last.number() < number) {
                end(last, false);
            }
        });
    }

    /** A session is over: what it has open is aborted, at once or when the statement that runs has ended. */
    public void sessionEnded(RawDocument lsid) {
        known(lsid).ifPresent(transaction -> {
            abortUnless(transaction, NO_SUCH_TRANSACTION.because("the session of the transaction has ended"));
        });
    }

    /** Aborts those that are too old. */
    public void expire(long nowNanos) {
        for (Transaction transaction : open()) {
            if (nowNanos - transaction.startedNanos() > lifetimeNanos) {
                abortUnless(
                        transaction,
                        TRANSACTION_EXCEEDED_LIFETIME_LIMIT_SECONDS.because(
                                "the transaction has lived for longer than %d seconds (transactionLifetimeLimitSeconds)",
                                lifetimeNanos / 1_000_000_000));
            }
        }
    }

    /** Aborts it, or ends the statement that runs in it, and that aborts it. */
    private void abortUnless(Transaction transaction, io.ostraka.core.error.CommandException reason) {
        try (LockSet session = transaction.term().locks().begin()) {
            if (session.trySession(transaction.lsid())) {
                end(transaction, false);
                return;
            }
        }
        for (Running each : running.values()) {
            if (each.transaction() == transaction) {
                each.operation().kill(reason);
            }
        }
    }

    /** For {@code serverStatus.transactions}. */
    public BsonDocument shown() {
        return new BsonDocument("currentOpen", new BsonInt64(open().size()))
                .append("currentActive", new BsonInt64(running.size()))
                .append("totalStarted", new BsonInt64(started.get()))
                .append("totalCommitted", new BsonInt64(committed.get()))
                .append("totalAborted", new BsonInt64(aborted.get()));
    }
}
