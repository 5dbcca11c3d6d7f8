package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.Catalog;
import io.ostraka.node.change.Change;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.View;
import io.ostraka.storage.Family;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.Overlay;
import io.ostraka.storage.RecordStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A client's multi-document transaction: one View, what it has written laid over it, and the locks of that, all held to its
 * end. Its statements run one at a time, under their session's lock.
 */
final class Transaction {
    enum State {
        IN_PROGRESS,
        /** Proposed; what became of it stands in the session's record once the session is free. */
        COMMITTING,
        COMMITTED,
        ABORTED
    }

    /** A document of a collection, by its ident. */
    private record Touched(int collection, RecordId id) {}

    private final RawDocument lsid;
    private final long number;
    private final Term term;
    private final LockSet locks;
    private final long startedNanos;
    private final ChangeList changes;
    private final Overlay overlay = new Overlay();
    private final Set<Namespace> locked = new HashSet<>();
    private final Set<Namespace> created = new HashSet<>();
    private final Set<Touched> touched = new HashSet<>();
    private final Set<UUID> collections = new HashSet<>();
    private View view;
    private int laid;
    private boolean failed;
    private volatile State state = State.IN_PROGRESS;
    private volatile boolean byClient;

    Transaction(WriteParts parts, RawDocument lsid, long number, Term term, long startedNanos) {
        this.lsid = lsid;
        this.number = number;
        this.term = term;
        this.startedNanos = startedNanos;
        changes = parts.changes();
        locks = term.locks().begin();
        view = parts.views().open(overlay);
    }

    RawDocument lsid() {
        return lsid;
    }

    long number() {
        return number;
    }

    Term term() {
        return term;
    }

    LockSet locks() {
        return locks;
    }

    long startedNanos() {
        return startedNanos;
    }

    ChangeList changes() {
        return changes;
    }

    /** What its statements see. */
    View view() {
        return view;
    }

    State state() {
        return state;
    }

    void become(State next) {
        state = next;
    }

    /** Whether its client has aborted it. */
    boolean isAbortedByClient() {
        return state == State.ABORTED && byClient;
    }

    /** The collection's lock has been taken; false if it was before. */
    boolean locks(Namespace namespace) {
        return locked.add(namespace);
    }

    boolean isLocked(Namespace namespace) {
        return locked.contains(namespace);
    }

    void creates(Namespace namespace) {
        created.add(namespace);
    }

    boolean hasCreated(Namespace namespace) {
        return created.contains(namespace);
    }

    /** The document is locked and known not to have changed since the View. */
    void touches(int collection, RecordId id) {
        touched.add(new Touched(collection, id));
    }

    boolean hasTouched(int collection, RecordId id) {
        return touched.contains(new Touched(collection, id));
    }

    void changes(UUID collection) {
        collections.add(collection);
    }

    Set<UUID> collections() {
        return collections;
    }

    /** A statement was answered with errors: nothing of the transaction will stand. */
    void fail() {
        failed = true;
    }

    boolean hasFailed() {
        return failed;
    }

    /** Lets later reads see what was added to the changes since the last call. */
    void lay() {
        List<Change> all = changes.soFar();
        Catalog catalog = view.catalog();
        for (Change change : all.subList(laid, all.size())) {
            switch (change) {
                case Change.PutRecord(var collection, var id, var document) ->
                    overlay.put(Family.RECORDS, new RecordStore(collection).key(id), document.toByteArray());
                case Change.DeleteRecord(var collection, var id) ->
                    overlay.delete(Family.RECORDS, new RecordStore(collection).key(id));
                case Change.PutEntry(var index, var key, var id) ->
                    overlay.put(Family.INDEX, new IndexStore(index).key(key.bytes(), id), key.typeBits());
                case Change.DeleteEntry(var index, var key, var id) ->
                    overlay.delete(Family.INDEX, new IndexStore(index).key(key.bytes(), id));
                case Change.OfCatalog(var inner) -> catalog = catalog.with(inner);
                case Change.Count _, Change.Row _, Change.TruncateOplog _ -> {}
            }
        }
        laid = all.size();
        if (!catalog.equals(view.catalog())) {
            view = view.with(catalog);
        }
        WriteLimits.checkTransaction(changes.bytes());
    }

    /** Lets go of everything. Nothing of it will ever be seen. */
    synchronized void abort(boolean asked) {
        if (state == State.IN_PROGRESS) {
            byClient = asked;
            state = State.ABORTED;
            view.close();
            locks.close();
        }
    }
}
