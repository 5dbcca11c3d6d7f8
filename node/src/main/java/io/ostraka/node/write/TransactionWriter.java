package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION;
import static io.ostraka.core.error.ErrorCode.WOULD_CHANGE_OWNING_SHARD;
import static io.ostraka.core.error.ErrorCode.WRITE_CONFLICT;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.change.OplogRow;
import io.ostraka.node.view.Selection;
import io.ostraka.node.view.View;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.Row;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.Rows;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.RetryLabels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/**
 * Writes of one statement of a transaction: evaluated on its View and kept with it until it commits. Waits for no
 * document: what another writer has locked, or has changed since the View, is a conflict. One thread, one statement.
 */
final class TransactionWriter {
    /** Databases of the server itself. */
    private static final Set<String> OWN_DATABASES = Set.of("admin", "config", "local");

    private final WriteParts parts;
    private final Transaction transaction;
    private final Operation operation;

    TransactionWriter(WriteParts parts, Transaction transaction, Operation operation) {
        this.parts = parts;
        this.transaction = transaction;
        this.operation = operation;
        transaction
                .changes()
                .under(Optional.of(new OplogRow.Statement(
                        transaction.lsid(), transaction.number(), OplogRow.Statement.OF_TRANSACTION)));
    }

    Inserter.Outcome insert(Namespace namespace, List<RawDocument> documents) {
        CollectionEntry collection = writable(namespace);
        int inserted = 0;
        Optional<RawDocument> last = Optional.empty();
        for (RawDocument document : documents) {
            operation.checkAlive();
            try {
                last = Optional.of(insert(collection, document));
                inserted++;
            } catch (CommandException refused) {
                if (endsStatement(refused)) {
                    throw refused;
                }
                // The first error aborts the transaction, ordered or not: the rest would be in vain.
                transaction.fail();
                return new Inserter.Outcome(inserted, last, List.of(new WriteError(inserted, refused)));
            }
        }
        return new Inserter.Outcome(inserted, last, List.of());
    }

    /** Errors of the whole statement, not of one document. */
    private static boolean endsStatement(CommandException error) {
        return RetryLabels.isTransient(error.code()) || error.code().kind() != ErrorCode.Kind.USER;
    }

    private RawDocument insert(CollectionEntry collection, RawDocument given) {
        RawDocument document = NewDocument.prepare(given, parts.ids(), parts.proposer()::reading);
        parts.validators().check(collection, document);
        List<DocumentKeys> keys = parts.indexer().keys(collection, document);
        Optional<byte[]> shardKey = Placement.shardKey(collection, document);
        RecordId id = transaction.term().nextRecord(collection);
        lock(collection, id, shardKey);
        transaction.touches(collection.ident(), id);
        checkOwned(collection, shardKey);
        take(collection, id, keys, List.of());
        transaction.changes().insert(collection, id, document, keys, true);
        wrote(collection, shardKey, document);
        return document;
    }

    private void wrote(CollectionEntry collection, Optional<byte[]> shardKey, RawDocument document) {
        transaction.changes(collection.uuid());
        shardKey.ifPresent(key -> parts.guard().wrote(collection, key, document.size()));
        transaction.lay();
    }

    private void lock(CollectionEntry collection, RecordId id, Optional<byte[]> shardKey) {
        if (!transaction.locks().tryDocument(collection.ident(), id, shardKey)) {
            throw conflict(collection);
        }
    }

    private static CommandException conflict(CollectionEntry collection) {
        return WRITE_CONFLICT.because(
                "Write conflict during a transaction: a document or key of %s was changed by another operation; begin"
                        + " the transaction anew",
                collection.namespace());
    }

    /** The collection is about to be written: locks it, and makes it where there is none. */
    private CollectionEntry writable(Namespace namespace) {
        SessionWriter.checkOpen(namespace);
        Optional<CollectionEntry> found = found(namespace);
        if (found.isEmpty()) {
            parts.guard().checkImplicitCreate(operation, namespace);
            boolean unused = create(namespace, CollectionWriter.Definition.PLAIN);
            return transaction.view().catalog().get(namespace);
        }
        CollectionEntry collection = found.get();
        collection.checkIsCollection();
        if (collection.capped().isPresent()) {
            throw OPERATION_NOT_SUPPORTED_IN_TRANSACTION.because(
                    "Collection '%s' is a capped collection. Writes in transactions are not allowed on capped collections.",
                    namespace);
        }
        if (!transaction.hasCreated(namespace)) {
            share(collection);
        }
        return collection;
    }

    private Optional<CollectionEntry> found(Namespace namespace) {
        if (OWN_DATABASES.contains(namespace.database())) {
            throw OPERATION_NOT_SUPPORTED_IN_TRANSACTION.because(
                    "Cannot perform operations on the collections of '%s' in a transaction", namespace.database());
        }
        Optional<CollectionEntry> collection = transaction.view().find(namespace);
        parts.guard().check(operation, namespace, collection);
        return collection;
    }

    /** Keeps out those who change the collection itself, and sees to it that nobody has since the View. */
    private void share(CollectionEntry collection) {
        if (!transaction.isLocked(collection.namespace())) {
            transaction.locks().collectionLate(collection.namespace(), false, operation);
            boolean unused = transaction.locks(collection.namespace());
        }
        Optional<CollectionEntry> now = parts.views().catalog().byIdent(collection.ident());
        if (now.isEmpty() || !isSame(now.get(), collection)) {
            throw WRITE_CONFLICT.because(
                    "Write conflict during a transaction: collection %s was dropped, renamed or given other indexes or"
                            + " options since it began; begin it anew",
                    collection.namespace());
        }
    }

    /** What was learned of arrays in indexes, and who owns what, may differ. */
    private static boolean isSame(CollectionEntry now, CollectionEntry then) {
        return now.namespace().equals(then.namespace())
                && now.options().equals(then.options())
                && shapes(now).equals(shapes(then));
    }

    private static List<IndexEntry> shapes(CollectionEntry collection) {
        return collection.indexes().stream()
                .map(index -> new IndexEntry(index.ident(), index.definition(), index.state(), 0))
                .toList();
    }

    private void checkOwned(CollectionEntry collection, Optional<byte[]> shardKey) {
        CollectionEntry now =
                parts.views().catalog().byIdent(collection.ident()).orElse(collection);
        switch (Placement.of(now, collection, shardKey)) {
            case OWNED -> {}
            case UNOWNED -> throw parts.guard().unowned(operation, now);
            case BLOCKED ->
                throw WRITE_CONFLICT.because(
                        "a range of %s is being handed over to another shard; begin the transaction anew",
                        collection.namespace());
        }
    }

    /** Locks the keys a document takes, and checks that they are free: in the View, and now. */
    private void take(CollectionEntry collection, RecordId id, List<DocumentKeys> keys, List<DocumentKeys> before) {
        if (!transaction.locks().tryKeys(UniqueCheck.toLock(keys))) {
            throw conflict(collection);
        }
        try (UniqueCheck unique = new UniqueCheck(transaction.view(), collection)) {
            unique.take(id, keys, before);
        }
        try (View now = parts.views().open()) {
            for (DocumentKeys each : keys) {
                if (each.index().isUnique()) {
                    for (KeyString key : each.keys()) {
                        if (isNew(now, collection, each.index(), key, id)) {
                            throw conflict(collection);
                        }
                    }
                }
            }
        }
    }

    /** Whether a key is held now by a document that did not hold it in the View. */
    private boolean isNew(View now, CollectionEntry collection, IndexEntry index, KeyString key, RecordId own) {
        try (Rows rows = now.entries(index)) {
            for (boolean on = rows.seek(new IndexStore(index.ident()).from(key.bytes())); on; on = rows.next()) {
                byte[] found = rows.key();
                if (!Arrays.equals(IndexStore.keyString(found), key.bytes())) {
                    return false;
                }
                RecordId id = IndexStore.recordId(found);
                boolean counts = !id.equals(own)
                        && !transaction.view().isStored(index, key, id)
                        && now.document(collection, id)
                                .filter(document -> View.owns(collection, document))
                                .isPresent();
                if (counts) {
                    return true;
                }
            }
            return false;
        }
    }

    Editor.Outcome one(Namespace namespace, Selection selection, Edit edit, Optional<Supplier<RawDocument>> upsert) {
        return failing(() -> first(namespace, selection, edit, upsert));
    }

    /** An error aborts the transaction, also where it is one statement's among others and only told. */
    private <T> T failing(Supplier<T> write) {
        try {
            return write.get();
        } catch (CommandException refused) {
            transaction.fail();
            throw refused;
        }
    }

    private Editor.Outcome first(
            Namespace namespace, Selection selection, Edit edit, Optional<Supplier<RawDocument>> upsert) {
        Optional<CollectionEntry> collection = found(namespace);
        Optional<Row> row = collection.flatMap(entry -> {
            try (Execution execution = selection.open(transaction.view(), entry)) {
                return Optional.ofNullable(execution.next());
            }
        });
        if (row.isPresent()) {
            CollectionEntry entry = writable(namespace);
            return edited(entry, row.get().id(), row.get().document(), edit, false);
        }
        if (upsert.isEmpty()) {
            return Editor.Outcome.NOTHING;
        }
        CollectionEntry entry = writable(namespace);
        return new Editor.Outcome(insert(entry, upsert.get().get()));
    }

    Editor.Outcome many(Namespace namespace, Selection selection, Edit edit, Optional<KeyRanges> within) {
        return failing(() -> all(namespace, selection, edit, within));
    }

    private Editor.Outcome all(Namespace namespace, Selection selection, Edit edit, Optional<KeyRanges> within) {
        Optional<CollectionEntry> collection = found(namespace);
        if (collection.isEmpty()) {
            return Editor.Outcome.NOTHING;
        }
        // All before the first is edited: what an edit lays over the View must not be found again.
        TreeMap<RecordId, RawDocument> all = new TreeMap<>();
        long bytes = 0;
        try (Execution execution = selection.open(transaction.view(), collection.get())) {
            for (Row row = execution.next(); row != null; row = execution.next()) {
                if (within.isEmpty() || isWithin(within.get(), collection.get(), row.document())) {
                    all.put(row.id(), row.document());
                    bytes += row.document().size();
                    WriteLimits.checkTransaction(bytes);
                }
            }
        }
        if (all.isEmpty()) {
            return Editor.Outcome.NOTHING;
        }
        CollectionEntry entry = writable(namespace);
        long modified = 0;
        for (var each : all.entrySet()) {
            operation.checkAlive();
            modified +=
                    edited(entry, each.getKey(), each.getValue(), edit, true).modified();
        }
        return new Editor.Outcome(all.size(), modified, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static boolean isWithin(KeyRanges within, CollectionEntry collection, RawDocument document) {
        return Placement.shardKey(collection, document).filter(within::contains).isPresent();
    }

    private Editor.Outcome edited(
            CollectionEntry collection, RecordId id, RawDocument before, Edit edit, boolean many) {
        Optional<byte[]> keyBefore = Placement.shardKey(collection, before);
        if (!transaction.hasTouched(collection.ident(), id)) {
            lock(collection, id, keyBefore);
            checkUnchanged(collection, id);
            transaction.touches(collection.ident(), id);
        }
        checkOwned(collection, keyBefore);
        Optional<RawDocument> after = edit.apply(before);
        Editor.Outcome outcome = new Editor.Outcome(
                1,
                after.isEmpty() || !after.get().equals(before) ? 1 : 0,
                Optional.empty(),
                Optional.of(before),
                after);
        if (outcome.modified() == 0) {
            return outcome;
        }
        List<DocumentKeys> keysBefore = parts.indexer().keys(collection, before);
        if (after.isEmpty()) {
            transaction.changes().delete(collection, id, before, keysBefore, true);
            wrote(collection, Optional.empty(), before);
            return outcome;
        }
        checkAfter(collection, id, before, after.get(), many);
        List<DocumentKeys> keysAfter = parts.indexer().keys(collection, after.get());
        take(collection, id, keysAfter, keysBefore);
        transaction.changes().replacing(edit.replaces());
        transaction.changes().update(collection, id, before, after.get(), keysBefore, keysAfter, true);
        wrote(collection, keyBefore, after.get());
        return outcome;
    }

    /** Under the lock: the document is as it was when the transaction began. */
    private void checkUnchanged(CollectionEntry collection, RecordId id) {
        try (View now = parts.views().open()) {
            if (!now.document(collection, id).equals(transaction.view().stored(collection, id))) {
                throw conflict(collection);
            }
        }
    }

    private void checkAfter(
            CollectionEntry collection, RecordId id, RawDocument before, RawDocument after, boolean many) {
        if (after.size() > NewDocument.MAX_BYTES) {
            throw BSON_OBJECT_TOO_LARGE.because(
                    "Resulting document after update is larger than %d", NewDocument.MAX_BYTES);
        }
        parts.validators().check(collection, before, after);
        Optional<byte[]> keyBefore = Placement.shardKey(collection, before);
        Optional<byte[]> keyAfter = Placement.shardKey(collection, after);
        if (keyBefore.isEmpty() || keyAfter.isEmpty() || Arrays.equals(keyBefore.get(), keyAfter.get())) {
            return;
        }
        if (many) {
            throw INVALID_OPTIONS.because("Multi-update operations are not allowed when updating the shard key field."
                    + " Change it by an update of one document each");
        }
        transaction.locks().concerns(collection.ident(), id, keyAfter.get());
        CollectionEntry now =
                parts.views().catalog().byIdent(collection.ident()).orElse(collection);
        if (Placement.of(now, collection, keyAfter) == Placement.UNOWNED) {
            throw WOULD_CHANGE_OWNING_SHARD
                    .because("the update changes the shard key to one that another shard owns")
                    .with(new BsonDocument("preImage", before.toBson())
                            .append("postImage", after.toBson())
                            .append("shouldUpsert", BsonBoolean.FALSE));
        }
        checkOwned(collection, keyAfter);
    }

    /** Creates a collection that nobody sees before the commit. False if it is there already, with the same options. */
    boolean create(Namespace namespace, CollectionWriter.Definition definition) {
        Optional<CollectionEntry> existing = found(namespace);
        if (existing.isPresent()) {
            CollectionWriter.checkSame(existing.get(), definition);
            return false;
        }
        if (transaction.locks(namespace)) {
            transaction.locks().collectionLate(namespace, true, operation);
        }
        Optional<CollectionEntry> now = parts.views().catalog().find(namespace);
        if (now.isPresent()) {
            throw WRITE_CONFLICT.because(
                    "Write conflict during a transaction: collection %s was created since it began; begin it anew",
                    namespace);
        }
        parts.guard().checkChange(operation, namespace, now);
        CollectionWriter.addCreate(parts, transaction.term(), namespace, definition, transaction.changes());
        transaction.creates(namespace);
        transaction.lay();
        transaction.changes(transaction.view().catalog().get(namespace).uuid());
        return true;
    }

    /** Makes indexes on a collection this transaction has created and not filled yet, or creates now. */
    IndexWriter.Created createIndexes(Namespace namespace, List<io.ostraka.query.index.IndexDefinition> definitions) {
        boolean made = found(namespace).isEmpty();
        if (made) {
            parts.guard().checkImplicitCreate(operation, namespace);
            made = create(namespace, CollectionWriter.Definition.PLAIN);
        }
        CollectionEntry collection = transaction.view().catalog().get(namespace);
        int before = collection.indexes().size();
        List<io.ostraka.query.index.IndexDefinition> missing = new ArrayList<>();
        for (var definition : definitions) {
            if (!IndexWriter.isThere(collection, definition)) {
                missing.add(definition);
            }
        }
        if (!missing.isEmpty() && (!transaction.hasCreated(namespace) || hasDocuments(collection))) {
            throw OPERATION_NOT_SUPPORTED_IN_TRANSACTION.because(
                    "Cannot create new indexes on existing collection %s in a multi-document transaction.", namespace);
        }
        for (var definition : missing) {
            IndexWriter.addReady(transaction.term(), collection, definition, transaction.changes());
        }
        transaction.lay();
        return new IndexWriter.Created(
                before, transaction.view().catalog().get(namespace).indexes().size(), made);
    }

    private boolean hasDocuments(CollectionEntry collection) {
        try (Rows rows = transaction.view().records(collection)) {
            return rows.first();
        }
    }
}
