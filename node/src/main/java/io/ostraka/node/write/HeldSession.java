package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.change.OplogRow;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.Lookup;
import io.ostraka.node.view.PresentView;
import io.ostraka.node.view.View;
import io.ostraka.node.view.Views;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;

/**
 * A client's session, held by one retryable write from its beginning until the fate of all it proposed is known, so that a
 * retry waits for the first attempt. One thread; {@link #close} ends its use.
 */
public final class HeldSession implements AutoCloseable {
    /** Of a write that is no retryable one: knows nothing and records nothing. */
    public static final HeldSession NONE = new HeldSession(null, null, null, null, null, Optional.empty(), null);

    private final WriteParts parts;
    private final Term term;
    private final LockSet lock;
    private final PresentView present;
    private final CollectionEntry collection;
    /** This command, and each proposal whose fate is not known yet. */
    private final AtomicInteger holders = new AtomicInteger(1);

    private Optional<Stored> stored;
    /** Proposals of which this command has not learned what became of them. */
    private int unsettled;

    private SessionRecord record;
    /** Of the present number, put away earlier; null before it is asked for. */
    private List<SessionRecord.Run> older;

    private final Map<Integer, RawDocument> fresh = new LinkedHashMap<>();
    private final Map<Integer, RawDocument> idle = new LinkedHashMap<>();

    /** Where a record is stored, and what it is there, in bytes and read. */
    record Stored(RecordId id, RawDocument raw, SessionRecord record) {
        static Stored read(RecordId id, RawDocument raw) {
            return new Stored(id, raw, SessionRecord.of(raw));
        }
    }

    /**
     * @param present the record was read in it; closed with this at the latest
     * @param collection {@code config.transactions}
     * @param record what is known of the command's own number
     */
    HeldSession(
            WriteParts parts,
            Term term,
            LockSet lock,
            PresentView present,
            CollectionEntry collection,
            Optional<Stored> stored,
            SessionRecord record) {
        this.parts = parts;
        this.term = term;
        this.lock = lock;
        this.present = present;
        this.collection = collection;
        this.stored = stored;
        this.record = record;
    }

    /** Whether this is a retryable write, whose statements are recorded. */
    public boolean isNumbered() {
        return lock != null;
    }

    /** What its write looks at: the View the record was read in, as long as that is present. */
    PresentView present(Views views) {
        return isNumbered() ? present : new PresentView(views);
    }

    /** What the statement answered when it ran first, if it did. */
    public Optional<RawDocument> first(int statement) {
        if (!isNumbered()) {
            return Optional.empty();
        }
        Optional<RawDocument> known = record.first(statement);
        if (known.isPresent() || record.parts() == 0) {
            return known;
        }
        if (older == null) {
            older = older(parts, record);
        }
        return SessionRecord.first(older, statement);
    }

    /** All runs put away of a record. */
    static List<SessionRecord.Run> older(WriteParts parts, SessionRecord record) {
        List<SessionRecord.Run> runs = new ArrayList<>();
        try (View view = parts.views().open()) {
            CollectionEntry collection = view.catalog().get(SessionWriter.PARTS);
            for (int part = 0; part < record.parts(); part++) {
                Lookup.byId(view, collection, KeyString.of(partId(record, part)))
                        .ifPresent(found ->
                                runs.addAll(SessionRecord.runs(found.document().find("stmts"))));
            }
        }
        return runs;
    }

    static BsonDocument partId(SessionRecord record, int part) {
        return new BsonDocument("lsid", record.lsid().toBson())
                .append("n", new BsonInt64(record.number()))
                .append("p", new BsonInt32(part));
    }

    /**
     * The statement ran and changed nothing. Recorded with the next of this command that does: a retry must not do it
     * after that one. Alone it may as well be done again.
     */
    public void idle(int statement, RawDocument answer) {
        if (isNumbered() && record.first(statement).isEmpty()) {
            idle.put(statement, answer);
        }
    }

    /** For the rows of a statement. */
    Optional<OplogRow.Statement> statement(int number) {
        return Optional.of(new OplogRow.Statement(record.lsid(), record.number(), number));
    }

    /** The statement changes something in the proposal being evaluated. */
    void did(int statement, RawDocument answer) {
        fresh.put(statement, answer.compact());
    }

    /** Forgets what the proposal being evaluated did: it is evaluated anew, or not at all. */
    void undo() {
        fresh.clear();
    }

    /**
     * Adds the record to a proposal whose other changes are complete, and holds the session until its fate is known.
     *
     * @param touched the collection it changes
     * @param locks the proposal's
     */
    void addTo(ChangeList changes, UUID touched, LockSet locks) {
        if (fresh.isEmpty()) {
            return;
        }
        if (locks.leadership() != lock.leadership()) {
            // The session was locked among the locks of another leadership, and may be somebody else's by now.
            throw INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.because("the leadership this write began under is over");
        }
        Optional<Stored> storedBefore = stored;
        SessionRecord before = record;
        Map<Integer, RawDocument> answers = new LinkedHashMap<>(idle);
        answers.putAll(fresh);
        record = record.with(answers, Optional.of(touched), parts.clock().wallMillis());
        fresh.clear();
        if (record.isFull()) {
            putAway(changes);
        }
        stored = Optional.of(put(parts, term, collection, stored, record, changes));
        unsettled++;
        changes.whenRefused(() -> {
            record = before;
            stored = storedBefore;
            unsettled--;
        });
        changes.whenApplied(() -> unsettled--);
        holders.incrementAndGet();
        locks.whenClosed(this::release);
    }

    private void putAway(ChangeList changes) {
        CollectionEntry target = parts.views().catalog().get(SessionWriter.PARTS);
        RawDocument part = SessionRecord.putRuns(
                        new RawBuilder(SessionRecord.RUNS_BYTES * 2).put("_id", partId(record, record.parts())),
                        record.runs())
                .build();
        changes.book(target, term.nextRecord(target), part, parts.indexer().keys(target, part));
        if (older == null) {
            older = older(parts, record);
        }
        older = new ArrayList<>(older);
        older.addAll(record.runs());
        record = record.emptied();
    }

    /** Puts a record in place of what is stored of its session; the parts of a lower number go. */
    static Stored put(
            WriteParts parts,
            Term term,
            CollectionEntry collection,
            Optional<Stored> stored,
            SessionRecord record,
            ChangeList changes) {
        RawDocument raw = record.toRaw();
        if (stored.isEmpty()) {
            RecordId id = term.nextRecord(collection);
            changes.book(collection, id, raw, parts.indexer().keys(collection, raw));
            return new Stored(id, raw, record);
        }
        SessionRecord had = stored.get().record();
        if (had.parts() > 0 && (had.number() != record.number() || record.parts() == 0)) {
            dropParts(parts, had, changes);
        }
        changes.bookAgain(collection, stored.get().id(), stored.get().raw(), raw);
        return new Stored(stored.get().id(), raw, record);
    }

    static void dropParts(WriteParts parts, SessionRecord record, ChangeList changes) {
        try (View view = parts.views().open()) {
            CollectionEntry collection = view.catalog().get(SessionWriter.PARTS);
            for (int part = 0; part < record.parts(); part++) {
                Lookup.byId(view, collection, KeyString.of(partId(record, part)))
                        .ifPresent(found -> changes.unbook(
                                collection,
                                found.id(),
                                found.document(),
                                parts.indexer().keys(collection, found.document())));
            }
        }
    }

    private void release() {
        if (holders.decrementAndGet() == 0) {
            if (unsettled == 0) {
                stored.ifPresent(known -> term.sessions().putBack(record.lsid(), known));
            }
            lock.close();
        }
    }

    @Override
    public void close() {
        if (isNumbered()) {
            present.close();
            release();
        }
    }
}
