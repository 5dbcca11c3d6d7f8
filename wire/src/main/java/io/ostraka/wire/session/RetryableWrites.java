package io.ostraka.wire.session;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED;
import static io.ostraka.core.error.ErrorCode.MAX_TIME_MS_EXPIRED;
import static io.ostraka.core.error.ErrorCode.TRANSACTION_TOO_OLD;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Operation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Remembers what the statements of retryable writes answered, so that a repeated number gets the first result. Lives
 * as long as the process. Keeps each session's highest number only, and a bounded number of sessions: the ones used
 * longest ago are forgotten first. Safe for many threads.
 */
public final class RetryableWrites {
    /** Sessions remembered unless told otherwise. */
    public static final int SESSIONS = 100_000;

    private final Map<RawDocument, Session> sessions;

    public RetryableWrites(int maxSessions) {
        sessions = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<RawDocument, Session> eldest) {
                return size() > maxSessions && !eldest.getValue().lock.isLocked();
            }
        };
    }

    /**
     * Takes the session of a write for as long as it runs, so that a retry waits for the first attempt. Taken before
     * any other lock. Where the operation has no {@code txnNumber} nothing is taken and nothing remembered.
     *
     * @throws io.ostraka.core.error.CommandException 225 TransactionTooOld for a number below the session's highest
     */
    public Held hold(Operation operation) {
        if (operation.options().txnNumber().isEmpty()
                || operation.options().lsid().isEmpty()) {
            return new Held(null);
        }
        RawDocument lsid = operation.options().lsid().get();
        long number = operation.options().txnNumber().getAsLong();
        Session session;
        synchronized (sessions) {
            session = sessions.computeIfAbsent(lsid.compact(), ignored -> new Session());
        }
        lock(session, operation);
        try {
            session.advance(number);
        } catch (RuntimeException old) {
            session.lock.unlock();
            throw old;
        }
        return new Held(session);
    }

    private static void lock(Session session, Operation operation) {
        try {
            if (!session.lock.tryLock(operation.deadline().nanosLeft(), TimeUnit.NANOSECONDS)) {
                throw MAX_TIME_MS_EXPIRED.because("operation exceeded time limit: an earlier one of its session runs");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw INTERRUPTED.because("operation was interrupted");
        }
    }

    /** Forgets a session that has ended. */
    public void forget(RawDocument lsid) {
        synchronized (sessions) {
            sessions.remove(lsid);
        }
    }

    /** Sessions remembered. */
    public int size() {
        synchronized (sessions) {
            return sessions.size();
        }
    }

    /** A session, held. One thread. */
    public static final class Held implements AutoCloseable {
        private final Session session;

        private Held(Session session) {
            this.session = session;
        }

        /** What the statement answered when it ran first, if it did. */
        public Optional<RawDocument> first(int stmtId) {
            return session == null ? Optional.empty() : Optional.ofNullable(session.results.get(stmtId));
        }

        /** The statement has run and must not run again. */
        public void record(int stmtId, RawDocument result) {
            if (session != null) {
                session.results.put(stmtId, result.compact());
            }
        }

        @Override
        public void close() {
            if (session != null) {
                session.lock.unlock();
            }
        }
    }

    private static final class Session {
        private final ReentrantLock lock = new ReentrantLock();
        private long number = -1;
        private Map<Integer, RawDocument> results = new HashMap<>();

        void advance(long wanted) {
            if (wanted < number) {
                throw TRANSACTION_TOO_OLD.because(
                        "Retryable write with txnNumber %d is prohibited on this session because a newer one with "
                                + "txnNumber %d has already started",
                        wanted, number);
            }
            if (wanted > number) {
                number = wanted;
                results = new HashMap<>();
            }
        }
    }
}
