package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_SUPPORTED;
import static io.ostraka.core.error.ErrorCode.INCOMPLETE_TRANSACTION_HISTORY;
import static io.ostraka.core.error.ErrorCode.TRANSACTION_TOO_OLD;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.Lookup;
import io.ostraka.node.view.PresentView;
import io.ostraka.node.view.View;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Keeps the records by which retried writes find their first results. Safe for many threads. */
public final class SessionWriter {
    /** One document a session. */
    public static final Namespace TRANSACTIONS = new Namespace("config", "transactions");

    /** What does not fit into it of a long batch, by session, number and part. */
    static final Namespace PARTS = new Namespace("config", "transactionParts");

    private final WriteParts parts;

    public SessionWriter(WriteParts parts) {
        this.parts = parts;
    }

    /** @throws io.ostraka.core.error.CommandException 115 if the collection is kept by the server alone */
    public static void checkOpen(Namespace namespace) {
        if (namespace.equals(TRANSACTIONS) || namespace.equals(PARTS)) {
            throw COMMAND_NOT_SUPPORTED.because(
                    "%s holds the results of retryable writes and is kept by the server; records go by themselves when "
                            + "their session has been unused for long",
                    namespace);
        }
    }

    /**
     * Takes the session of a write for as long as it runs. Where the operation has no {@code txnNumber} nothing is taken.
     *
     * @throws io.ostraka.core.error.CommandException 225 TransactionTooOld for a number below the session's highest
     */
    public HeldSession hold(Operation operation) {
        if (operation.options().txnNumber().isEmpty()
                || operation.options().lsid().isEmpty()
                || operation.isInTransaction()) {
            return HeldSession.NONE;
        }
        return hold(
                operation.options().lsid().get(),
                operation.options().txnNumber().getAsLong(),
                operation);
    }

    /**
     * Whether a statement has run here; waits for one that runs.
     *
     * @throws io.ostraka.core.error.CommandException 225 as {@link #hold}
     */
    public boolean hasRun(RawDocument lsid, long number, int statement, Operation operation) {
        try (HeldSession session = hold(lsid.compact(), number, operation)) {
            return session.first(statement).isPresent();
        }
    }

    private HeldSession hold(RawDocument lsid, long number, Operation operation) {
        prepare(operation);
        Term term = parts.terms().current();
        LockSet lock = term.locks().begin();
        PresentView present = new PresentView(parts.views());
        boolean held = false;
        try {
            lock.session(lsid, operation);
            CollectionEntry collection = parts.views().catalog().get(TRANSACTIONS);
            Optional<HeldSession.Stored> stored =
                    term.sessions().take(lsid).or(() -> stored(present.get(), collection, lsid));
            SessionRecord record = stored.map(HeldSession.Stored::record)
                    .filter(found -> found.number() >= number)
                    .orElseGet(() -> SessionRecord.fresh(lsid, number));
            if (record.number() > number) {
                throw TRANSACTION_TOO_OLD.because(
                        "Retryable write with txnNumber %d is prohibited on this session because a newer one with "
                                + "txnNumber %d has already started",
                        number, record.number());
            }
            if (record.committed()) {
                throw INCOMPLETE_TRANSACTION_HISTORY.because(
                        "txnNumber %d of this session is that of a transaction, which has been committed", number);
            }
            parts.transactions().overtaken(lsid, number);
            held = true;
            return new HeldSession(parts, term, lock, present, collection, stored, record);
        } finally {
            if (!held) {
                present.close();
                lock.close();
            }
        }
    }

    /** Adds to a transaction's changes that it is committed. */
    void commit(Term term, Transaction transaction) {
        CollectionEntry collection = parts.views().catalog().get(TRANSACTIONS);
        forgetCached(term, transaction.lsid());
        SessionRecord record = new SessionRecord(
                transaction.lsid(),
                transaction.number(),
                parts.clock().wallMillis(),
                transaction.collections(),
                0,
                List.of(),
                true);
        var ignored = HeldSession.put(
                parts, term, collection, stored(collection, transaction.lsid()), record, transaction.changes());
    }

    /** The record of a session, as of now. */
    Optional<SessionRecord> find(RawDocument lsid) {
        try (View view = parts.views().open()) {
            return find(view, lsid);
        }
    }

    /** Makes the collections where they are missing. Before any lock. */
    void prepare(Operation operation) {
        for (Namespace namespace : List.of(TRANSACTIONS, PARTS)) {
            if (parts.views().catalog().find(namespace).isEmpty()) {
                // The client's operation was sent under the placement of what it writes, not of this.
                Operation own = Operation.ofProcess("sessions", namespace.database(), operation.deadline());
                parts.collections().createImplicitly(namespace, own);
            }
        }
    }

    private Optional<HeldSession.Stored> stored(CollectionEntry collection, RawDocument lsid) {
        try (View view = parts.views().open()) {
            return stored(view, collection, lsid);
        }
    }

    private static Optional<HeldSession.Stored> stored(View view, CollectionEntry collection, RawDocument lsid) {
        return Lookup.byId(view, collection, id(lsid))
                .map(found -> HeldSession.Stored.read(found.id(), found.document()));
    }

    private static KeyString id(RawDocument lsid) {
        return KeyString.of(lsid.toBson());
    }

    /**
     * Takes over the records of another shard: a higher number wins, of the same one the statements unite. May be done again
     * with the same or older ones.
     *
     * @param records whole ones, at most a hundred or so
     */
    public void merge(List<SessionRecord> records, Operation operation) {
        if (records.isEmpty()) {
            return;
        }
        prepare(operation);
        Map<RawDocument, SessionRecord> last = new LinkedHashMap<>();
        records.stream().sorted(BY_LSID).forEach(record -> last.merge(record.lsid(), record, SessionWriter::united));
        Term term = parts.terms().current();
        LockSet locks = term.locks().begin();
        boolean proposed = false;
        try {
            last.keySet().forEach(lsid -> locks.session(lsid, operation));
            CollectionEntry collection = parts.views().catalog().get(TRANSACTIONS);
            ChangeList changes = parts.changes();
            for (SessionRecord record : last.values()) {
                forgetCached(term, record.lsid());
                Optional<HeldSession.Stored> stored = stored(collection, record.lsid());
                Optional<SessionRecord> own =
                        stored.map(HeldSession.Stored::record).map(this::whole);
                SessionRecord next = own.map(mine -> united(mine, record)).orElse(record);
                if (own.isEmpty() || !own.get().equals(next)) {
                    var ignored = HeldSession.put(parts, term, collection, stored, next, changes);
                }
            }
            proposed = true;
            parts.proposer().propose(locks, changes, operation);
        } finally {
            if (!proposed) {
                locks.close();
            }
        }
    }

    private static final Comparator<SessionRecord> BY_LSID =
            Comparator.comparing(record -> record.lsid().toByteArray(), Arrays::compareUnsigned);

    private static SessionRecord united(SessionRecord mine, SessionRecord other) {
        if (mine.number() != other.number()) {
            return mine.number() > other.number() ? mine : other;
        }
        List<SessionRecord.Run> runs = new ArrayList<>(mine.runs());
        other.runs().stream().filter(run -> !runs.contains(run)).forEach(runs::add);
        Set<UUID> collections = new LinkedHashSet<>(mine.collections());
        collections.addAll(other.collections());
        return new SessionRecord(
                mine.lsid(),
                mine.number(),
                Math.max(mine.wallMillis(), other.wallMillis()),
                collections,
                0,
                runs,
                mine.committed() || other.committed());
    }

    /** Under the session's lock, before its record is written otherwise than by who takes it from there. */
    private static void forgetCached(Term term, RawDocument lsid) {
        Optional<HeldSession.Stored> unused = term.sessions().take(lsid);
    }

    /** The record of a session in a View. */
    public Optional<SessionRecord> find(View view, RawDocument lsid) {
        return view.find(TRANSACTIONS)
                .flatMap(collection -> Lookup.byId(view, collection, id(lsid)))
                .map(found -> SessionRecord.of(found.document()));
    }

    /** A record with all that was put away. */
    public SessionRecord whole(SessionRecord record) {
        return record.parts() == 0 ? record : record.whole(HeldSession.older(parts, record));
    }

    /**
     * Forgets sessions that nobody uses at the moment.
     *
     * @param lsids at most a hundred or so
     * @param before those whose last write was earlier than this wall time
     * @return how many were forgotten
     */
    public int forget(List<RawDocument> lsids, long before, Operation operation) {
        Optional<CollectionEntry> collection = parts.views().catalog().find(TRANSACTIONS);
        if (collection.isEmpty()) {
            return 0;
        }
        Term term = parts.terms().current();
        LockSet locks = term.locks().begin();
        boolean proposed = false;
        try {
            ChangeList changes = parts.changes();
            int forgotten = 0;
            for (RawDocument lsid : lsids) {
                Optional<HeldSession.Stored> stored =
                        locks.trySession(lsid) ? stored(collection.get(), lsid) : Optional.empty();
                if (stored.isPresent()) {
                    forgetCached(term, lsid);
                    SessionRecord record = stored.get().record();
                    if (record.wallMillis() < before) {
                        HeldSession.dropParts(parts, record, changes);
                        RawDocument raw = stored.get().raw();
                        changes.unbook(
                                collection.get(),
                                stored.get().id(),
                                raw,
                                parts.indexer().keys(collection.get(), raw));
                        forgotten++;
                    }
                }
            }
            proposed = true;
            parts.proposer().propose(locks, changes, operation);
            return forgotten;
        } finally {
            if (!proposed) {
                locks.close();
            }
        }
    }
}
