package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.CANNOT_DROP_SHARD_KEY_INDEX;
import static io.ostraka.core.error.ErrorCode.INDEX_BUILD_ABORTED;
import static io.ostraka.core.error.ErrorCode.INDEX_KEY_SPECS_CONFLICT;
import static io.ostraka.core.error.ErrorCode.INDEX_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.INDEX_OPTIONS_CONFLICT;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.node.catalog.CatalogChange;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.lock.IndexKey;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.View;
import io.ostraka.query.index.AccessMethod;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.storage.RecordStore;
import io.ostraka.storage.Rows;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Builds and drops indexes. A build takes the collection for itself only at its two ends; in between writers maintain
 * what is being built, and it walks the records in small groups. Safe for many threads.
 */
public final class IndexWriter {
    /** What {@code createIndexes} answers. */
    public record Created(int before, int after, boolean createdCollection) {}

    private final WriteParts parts;

    public IndexWriter(WriteParts parts) {
        this.parts = parts;
    }

    /**
     * Makes indexes and waits until they are ready. Those that are there already are left as they are.
     *
     * @throws io.ostraka.core.error.CommandException 85 or 86 for a name or a key that means another index, 11000 where a unique key is held twice: then none of the new ones stays
     */
    public Created create(Namespace namespace, List<IndexDefinition> definitions, Operation operation) {
        Optional<Transaction> transaction = parts.transactions().of(operation);
        if (transaction.isPresent()) {
            return new TransactionWriter(parts, transaction.get(), operation).createIndexes(namespace, definitions);
        }
        boolean createdCollection = false;
        if (parts.views().catalog().find(namespace).isEmpty()) {
            parts.guard().checkImplicitCreate(operation, namespace);
            createdCollection = parts.collections().createImplicitly(namespace, operation);
        }
        int before = parts.views().catalog().get(namespace).indexes().size();
        List<Integer> building = begin(namespace, definitions, operation);
        try {
            if (!building.isEmpty()) {
                parts.proposer().checkDisk();
            }
            for (int ident : building) {
                build(namespace, ident, operation);
            }
            finish(namespace, building, operation);
        } catch (RuntimeException failed) {
            abandon(namespace, building, operation, failed);
            throw failed;
        }
        return new Created(
                before, parts.views().catalog().get(namespace).indexes().size(), createdCollection);
    }

    private List<Integer> begin(Namespace namespace, List<IndexDefinition> definitions, Operation operation) {
        List<Integer> building = new ArrayList<>();
        boolean unused = parts.collections().change(namespace, operation, (term, existing, changes) -> {
            parts.guard().checkChange(operation, namespace, existing);
            CollectionEntry entry = present(existing, namespace);
            boolean empty;
            try (View view = parts.views().open()) {
                empty = view.totals(entry).documents() == 0;
            }
            for (IndexDefinition definition : definitions) {
                if (isThere(entry, definition)) {
                    continue;
                }
                IndexEntry.State state = empty ? IndexEntry.State.READY : IndexEntry.State.BUILDING;
                IndexEntry index = new IndexEntry(term.nextIdent(), definition, state, 0);
                changes.catalog(new CatalogChange.PutIndex(entry.ident(), index));
                changes.command(
                        namespace,
                        Optional.of(entry.uuid()),
                        new BsonDocument("createIndexes", new BsonString(namespace.collection()))
                                .append("spec", definition.toDocument().toBson()));
                entry = entry.withIndex(index);
                if (!empty) {
                    building.add(index.ident());
                }
            }
            return true;
        });
        return building;
    }

    private static CollectionEntry present(Optional<CollectionEntry> existing, Namespace namespace) {
        CollectionEntry entry = existing.orElseThrow(() -> NAMESPACE_NOT_FOUND.because("ns not found: %s", namespace));
        entry.checkIsCollection();
        return entry;
    }

    /** Adds an index of a collection without documents. */
    static void addReady(Term term, CollectionEntry collection, IndexDefinition definition, ChangeList changes) {
        IndexEntry index = new IndexEntry(term.nextIdent(), definition, IndexEntry.State.READY, 0);
        changes.catalog(new CatalogChange.PutIndex(collection.ident(), index));
        changes.command(
                collection.namespace(),
                Optional.of(collection.uuid()),
                new BsonDocument(
                                "createIndexes",
                                new BsonString(collection.namespace().collection()))
                        .append("spec", definition.toDocument().toBson()));
    }

    static boolean isThere(CollectionEntry entry, IndexDefinition wanted) {
        for (IndexEntry index : entry.indexes()) {
            IndexDefinition had = index.definition();
            if (had.name().equals(wanted.name())) {
                if (had.isSameIndex(wanted)) {
                    return true;
                }
                throw INDEX_KEY_SPECS_CONFLICT.because(
                        "An existing index has the same name as the requested index. When index names are not specified,"
                                + " they are auto generated and can cause conflicts. Please refer to our documentation."
                                + " Requested index: %s, existing index: %s",
                        wanted.toDocument(), had.toDocument());
            }
            if (had.isSameIndex(wanted)) {
                if (had.isId()) {
                    return true;
                }
                throw INDEX_OPTIONS_CONFLICT.because("Index already exists with a different name: %s", had.name());
            }
            if (had.method() instanceof AccessMethod.Text && wanted.method() instanceof AccessMethod.Text) {
                throw INDEX_OPTIONS_CONFLICT.because(
                        "only one text index per collection allowed, found existing text index \"%s\"", had.name());
            }
        }
        return false;
    }

    /** Goes on with the builds an earlier leader, or an earlier run, has left. */
    public void resume(Operation operation) {
        for (CollectionEntry entry : parts.views().catalog().all()) {
            for (IndexEntry index : entry.indexes()) {
                if (!index.isReady()) {
                    try {
                        build(entry.namespace(), index.ident(), operation);
                        finish(entry.namespace(), List.of(index.ident()), operation);
                    } catch (io.ostraka.core.error.CommandException failed) {
                        abandon(entry.namespace(), List.of(index.ident()), operation, failed);
                    }
                }
            }
        }
    }

    private void build(Namespace namespace, int ident, Operation operation) {
        RecordId after = null;
        boolean more = true;
        while (more) {
            operation.checkAlive();
            LockSet locks = parts.terms().current().locks().begin().collection(namespace, false, operation);
            boolean proposed = false;
            try {
                CollectionEntry entry = parts.views().catalog().get(namespace);
                IndexEntry index = find(entry, ident);
                TreeMap<RecordId, RawDocument> page = page(entry, after);
                more = !page.isEmpty();
                ChangeList changes = parts.changes();
                if (more) {
                    after = page.lastKey();
                    addKeys(locks, entry, index, page, changes, operation);
                }
                proposed = true;
                parts.proposer().propose(locks, changes, operation);
            } finally {
                if (!proposed) {
                    locks.close();
                }
            }
        }
    }

    private static IndexEntry find(CollectionEntry entry, int ident) {
        return entry.indexes().stream()
                .filter(index -> index.ident() == ident)
                .findFirst()
                .orElseThrow(() -> INDEX_BUILD_ABORTED.because(
                        "the index build on %s was aborted: the index was dropped", entry.namespace()));
    }

    private TreeMap<RecordId, RawDocument> page(CollectionEntry entry, RecordId after) {
        TreeMap<RecordId, RawDocument> page = new TreeMap<>();
        try (View view = parts.views().open();
                Rows rows = view.records(entry)) {
            boolean on = after == null ? rows.first() : rows.seek(new RecordStore(entry.ident()).key(after));
            while (on && page.size() < WriteLimits.BACKGROUND_DOCUMENTS) {
                RecordId id = RecordStore.recordId(rows.key());
                if (!id.equals(after)) {
                    page.put(id, RawDocument.of(rows.value()));
                }
                on = rows.next();
            }
        }
        return page;
    }

    private void addKeys(
            LockSet locks,
            CollectionEntry entry,
            IndexEntry index,
            Map<RecordId, RawDocument> page,
            ChangeList changes,
            Operation operation) {
        page.forEach((id, seen) -> locks.document(entry.ident(), id, Placement.shardKey(entry, seen), operation));
        Map<RecordId, DocumentKeys> keys = new TreeMap<>();
        Map<RecordId, Boolean> owned = new TreeMap<>();
        List<IndexKey> unique = new ArrayList<>();
        try (View view = parts.views().open()) {
            for (RecordId id : page.keySet()) {
                view.document(entry, id).ifPresent(document -> {
                    DocumentKeys found = parts.indexer().keys(index, document);
                    keys.put(id, found);
                    owned.put(id, View.owns(entry, document));
                    unique.addAll(UniqueCheck.toLock(List.of(found)));
                });
            }
        }
        locks.keys(unique, operation);
        try (View view = parts.views().open();
                UniqueCheck check = new UniqueCheck(view, entry)) {
            keys.forEach((id, found) -> {
                if (owned.get(id)) {
                    check.take(id, List.of(found), List.of());
                }
                changes.index(entry, id, found);
            });
        }
    }

    private void finish(Namespace namespace, List<Integer> idents, Operation operation) {
        if (idents.isEmpty()) {
            return;
        }
        boolean unused = parts.collections().change(namespace, operation, (_, existing, changes) -> {
            CollectionEntry entry = present(existing, namespace);
            for (int ident : idents) {
                changes.catalog(new CatalogChange.PutIndex(
                        entry.ident(), find(entry, ident).with(IndexEntry.State.READY)));
            }
            return true;
        });
    }

    /** Takes half-built indexes away; where that cannot be done now the next leader goes on with them. */
    private void abandon(Namespace namespace, List<Integer> idents, Operation operation, RuntimeException because) {
        if (idents.isEmpty()) {
            return;
        }
        try {
            dropIf(namespace, index -> idents.contains(index.ident()), false, operation);
        } catch (RuntimeException e) {
            because.addSuppressed(e);
        }
    }

    /** @param guarded whether the operation's placement must be the present one */
    private int dropIf(Namespace namespace, Predicate<IndexEntry> which, boolean guarded, Operation operation) {
        int[] dropped = new int[1];
        boolean unused = parts.collections().change(namespace, operation, (_, existing, changes) -> {
            if (guarded) {
                parts.guard().checkChange(operation, namespace, existing);
            }
            CollectionEntry entry = present(existing, namespace);
            checkShardKeyKept(entry, index -> !which.test(index));
            for (IndexEntry index : entry.indexes()) {
                if (which.test(index)) {
                    dropped[0]++;
                    changes.catalog(new CatalogChange.DropIndex(entry.ident(), index.ident()));
                    changes.command(
                            namespace,
                            Optional.of(entry.uuid()),
                            new BsonDocument("dropIndexes", new BsonString(namespace.collection()))
                                    .append("index", new BsonString(index.name())));
                }
            }
            return true;
        });
        return dropped[0];
    }

    /**
     * Drops indexes, all of those named or none.
     *
     * @return how many there were before
     * @throws io.ostraka.core.error.CommandException 27 for a name that is no index, 72 for the one on {@code _id}, 370 for the last one that supports the shard key
     */
    public int drop(Namespace namespace, List<String> names, Operation operation) {
        CollectionEntry entry = present(parts.views().catalog().find(namespace), namespace);
        for (String name : names) {
            IndexEntry index = entry.index(name)
                    .orElseThrow(() -> INDEX_NOT_FOUND.because("index not found with name [%s]", name));
            if (index.definition().isId()) {
                throw INVALID_OPTIONS.because("cannot drop _id index");
            }
        }
        dropIf(namespace, index -> names.contains(index.name()), true, operation);
        return entry.indexes().size();
    }

    /** Drops all but the one on {@code _id} and those that support the shard key. @return how many there were before */
    public int dropAll(Namespace namespace, Operation operation) {
        CollectionEntry entry = present(parts.views().catalog().find(namespace), namespace);
        dropIf(namespace, index -> !index.definition().isId() && !supports(entry.ownership(), index), true, operation);
        return entry.indexes().size();
    }

    private static boolean supports(Optional<Ownership> ownership, IndexEntry index) {
        return ownership
                .filter(owned -> (index.definition().collation().isSimple()
                                || index.definition().isId())
                        && owned.key()
                                .isSupportedBy(index.definition().keyPattern().toBson()))
                .isPresent();
    }

    static void checkShardKeyKept(CollectionEntry entry, Predicate<IndexEntry> stays) {
        if (entry.ownership().isPresent()
                && entry.indexes().stream().anyMatch(index -> supports(entry.ownership(), index))
                && entry.indexes().stream().filter(stays).noneMatch(index -> supports(entry.ownership(), index))) {
            throw CANNOT_DROP_SHARD_KEY_INDEX.because(
                    "Cannot drop the only compatible index for this collection's shard key");
        }
    }
}
