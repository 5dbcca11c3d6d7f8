package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.DUPLICATE_KEY;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.CatalogWatch;
import io.ostraka.node.view.PresentView;
import io.ostraka.node.view.Selection;
import io.ostraka.node.view.View;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.Row;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Updates and deletes documents that a selection finds. Safe for many threads. */
public final class Editor {
    /**
     * What became of a statement.
     *
     * @param matched documents that matched; an upsert that inserted matches none
     * @param modified documents that were changed or deleted
     * @param upserted the document an upsert has inserted
     * @param before of one document: as it was
     * @param after of one document: as it is now, also where an upsert inserted it
     */
    public record Outcome(
            long matched,
            long modified,
            Optional<RawDocument> upserted,
            Optional<RawDocument> before,
            Optional<RawDocument> after) {
        /** Of a document that was inserted. */
        Outcome(RawDocument inserted) {
            this(0, 0, Optional.of(inserted), Optional.empty(), Optional.of(inserted));
        }

        static final Outcome NOTHING = new Outcome(0, 0, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private final WriteParts parts;

    public Editor(WriteParts parts) {
        this.parts = parts;
    }

    /**
     * Edits the first document the selection finds.
     *
     * @param upsert makes the document to insert where none is found
     */
    public Outcome one(
            Namespace namespace,
            Selection selection,
            Edit edit,
            Optional<Supplier<RawDocument>> upsert,
            Operation operation) {
        return one(namespace, selection, edit, upsert, Recorded.NOT, operation);
    }

    /** The same as a retryable write. */
    public Outcome one(
            Namespace namespace,
            Selection selection,
            Edit edit,
            Optional<Supplier<RawDocument>> upsert,
            Recorded recorded,
            Operation operation) {
        SessionWriter.checkOpen(namespace);
        // One is wanted: a sort then keeps one document in memory instead of all.
        Selection first = new Selection(selection.query().limited(1), selection.test(), selection.context());
        Optional<Transaction> transaction = parts.transactions().of(operation);
        if (transaction.isPresent()) {
            return new TransactionWriter(parts, transaction.get(), operation).one(namespace, first, edit, upsert);
        }
        try (PresentView present = recorded.session().present(parts.views())) {
            return one(namespace, first, edit, upsert, recorded, present, operation);
        }
    }

    private Outcome one(
            Namespace namespace,
            Selection selection,
            Edit edit,
            Optional<Supplier<RawDocument>> upsert,
            Recorded recorded,
            PresentView present,
            Operation operation) {
        CommandException duplicate = null;
        CatalogWatch watch = parts.views().watch(operation);
        while (true) {
            operation.checkAlive();
            watch.note();
            Optional<Row> found = first(namespace, selection, present.get(), operation);
            if (found.isEmpty()) {
                if (upsert.isEmpty()) {
                    return Outcome.NOTHING;
                }
                if (duplicate != null) {
                    // Somebody else's document stands in the way, and it is none that the filter finds.
                    throw duplicate;
                }
                present.close();
                Inserter.Outcome inserted = new Inserter(parts)
                        .insert(namespace, List.of(upsert.get().get()), true, recorded, operation);
                if (inserted.errors().isEmpty()) {
                    return new Outcome(inserted.last().orElseThrow());
                }
                CommandException error = inserted.errors().getFirst().error();
                if (error.code() != DUPLICATE_KEY) {
                    throw error;
                }
                duplicate = error;
                continue;
            }
            duplicate = null;
            Row row = found.get();
            Map<RecordId, RawDocument> seen = Map.of(row.id(), row.document());
            EditGroup.Result result = group(namespace, selection, edit, false, seen, recorded, present, operation);
            if (result.blocked()) {
                watch.await();
            } else if (result.matched() == 1) {
                return new Outcome(1, result.modified(), Optional.empty(), result.before(), result.after());
            }
        }
    }

    private Optional<Row> first(Namespace namespace, Selection selection, View view, Operation operation) {
        Optional<CollectionEntry> collection = view.find(namespace);
        parts.guard().check(operation, namespace, collection);
        collection.ifPresent(CollectionEntry::checkIsCollection);
        return collection.flatMap(entry -> selection.first(view, entry));
    }

    /** Edits all documents the selection finds, each once. No range of the collection changes hands meanwhile. */
    public Outcome many(Namespace namespace, Selection selection, Edit edit, Operation operation) {
        return many(namespace, selection, edit, Optional.empty(), operation);
    }

    /** The same, held to documents with shard keys within these ranges. */
    public Outcome many(
            Namespace namespace, Selection selection, Edit edit, Optional<KeyRanges> within, Operation operation) {
        SessionWriter.checkOpen(namespace);
        Optional<Transaction> transaction = parts.transactions().of(operation);
        if (transaction.isPresent()) {
            return new TransactionWriter(parts, transaction.get(), operation).many(namespace, selection, edit, within);
        }
        CatalogWatch watch = parts.views().watch(operation);
        while (true) {
            operation.checkAlive();
            watch.note();
            Term term = parts.terms().current();
            try (LockSet standing = term.locks().begin()) {
                Optional<CollectionEntry> known = parts.views().catalog().find(namespace);
                if (known.isEmpty()) {
                    parts.guard().check(operation, namespace, known);
                    return Outcome.NOTHING;
                }
                standing.manyDocuments(known.get().ident(), term.nextMany());
                try (View view = parts.views().open()) {
                    Optional<CollectionEntry> collection = view.find(namespace);
                    parts.guard().check(operation, namespace, collection);
                    collection.ifPresent(CollectionEntry::checkIsCollection);
                    if (collection.isPresent()
                            && collection.get().ident() == known.get().ident()
                            && !isBlocked(collection.get())) {
                        return all(view, collection.get(), selection, edit, within, operation);
                    }
                }
            }
            if (isBlocked(namespace)) {
                watch.await();
            }
        }
    }

    private boolean isBlocked(Namespace namespace) {
        return parts.views().catalog().find(namespace).filter(Editor::isBlocked).isPresent();
    }

    private static boolean isBlocked(CollectionEntry collection) {
        return collection
                .ownership()
                .filter(ownership -> !ownership.blocked().isEmpty())
                .isPresent();
    }

    private Outcome all(
            View view,
            CollectionEntry collection,
            Selection selection,
            Edit edit,
            Optional<KeyRanges> within,
            Operation operation) {
        long matched = 0;
        long modified = 0;
        try (Execution execution = selection.open(view, collection)) {
            Map<RecordId, RawDocument> group = new TreeMap<>();
            Row row = execution.next();
            while (row != null) {
                long bytes = 0;
                while (row != null
                        && bytes < WriteLimits.PROPOSAL_BYTES
                        && group.size() < WriteLimits.PROPOSAL_DOCUMENTS) {
                    if (within.isEmpty() || isWithin(within.get(), collection, row.document())) {
                        group.put(row.id(), row.document());
                        bytes += row.document().size();
                    }
                    row = execution.next();
                }
                EditGroup.Result result = unblocked(collection.namespace(), selection, edit, group, operation);
                matched += result.matched();
                modified += result.modified();
                group.clear();
            }
        }
        return new Outcome(matched, modified, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static boolean isWithin(KeyRanges within, CollectionEntry collection, RawDocument document) {
        return Placement.shardKey(collection, document).filter(within::contains).isPresent();
    }

    /** A range blocked meanwhile is unblocked again: whoever wants to hand it over waits for us, in vain. */
    private EditGroup.Result unblocked(
            Namespace namespace,
            Selection selection,
            Edit edit,
            Map<RecordId, RawDocument> group,
            Operation operation) {
        CatalogWatch watch = parts.views().watch(operation);
        while (true) {
            operation.checkAlive();
            watch.note();
            try (PresentView present = new PresentView(parts.views())) {
                EditGroup.Result result =
                        group(namespace, selection, edit, true, group, Recorded.NOT, present, operation);
                if (!result.blocked()) {
                    return result;
                }
            }
            watch.await();
        }
    }

    private EditGroup.Result group(
            Namespace namespace,
            Selection selection,
            Edit edit,
            boolean many,
            Map<RecordId, RawDocument> seen,
            Recorded recorded,
            PresentView present,
            Operation operation) {
        LockSet locks = parts.terms().current().locks().begin().collection(namespace, false, operation);
        Optional<CollectionEntry> collection = parts.views().catalog().find(namespace);
        if (collection.isEmpty()) {
            locks.close();
            return new EditGroup.Result(0, 0, false, Optional.empty(), Optional.empty());
        }
        return new EditGroup(parts, locks, collection.get(), selection, edit, many, recorded, present, operation)
                .run(seen);
    }
}
