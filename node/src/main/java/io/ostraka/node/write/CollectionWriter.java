package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.COLLECTION_UUID_MISMATCH;
import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_CANNOT_BE_SHARDED;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_EXISTS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.node.catalog.CatalogChange;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.lock.LockSet;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Creates, drops and renames collections, and changes what the catalog says of them. Safe for many threads. */
public final class CollectionWriter {
    private final WriteParts parts;

    public CollectionWriter(WriteParts parts) {
        this.parts = parts;
    }

    /**
     * A collection to be made.
     *
     * @param uuid its identity, where somebody else has chosen it
     * @param options shown by {@code listCollections}
     * @param indexes beside the one on {@code _id}
     * @param ownership what this shard owns of it, for a sharded one
     */
    public record Definition(
            Optional<UUID> uuid,
            BsonDocument options,
            Optional<CollectionEntry.Capped> capped,
            List<IndexDefinition> indexes,
            Optional<Ownership> ownership) {
        public static final Definition PLAIN =
                new Definition(Optional.empty(), new BsonDocument(), Optional.empty(), List.of(), Optional.empty());
    }

    /**
     * Creates a collection. One that is there already with the same options is left as it is.
     *
     * @return whether it was made
     * @throws io.ostraka.core.error.CommandException 48 NamespaceExists where the options differ, 361 where the UUID does
     */
    public boolean create(Namespace namespace, Definition definition, Operation operation) {
        Optional<Transaction> transaction = parts.transactions().of(operation);
        if (transaction.isPresent()) {
            return new TransactionWriter(parts, transaction.get(), operation).create(namespace, definition);
        }
        return create(namespace, definition, existing -> checkSame(existing, definition), operation);
    }

    private boolean create(
            Namespace namespace, Definition definition, Consumer<CollectionEntry> checkExisting, Operation operation) {
        return change(namespace, operation, (term, existing, changes) -> {
            parts.guard().checkChange(operation, namespace, existing);
            if (existing.isPresent()) {
                checkExisting.accept(existing.get());
                return false;
            }
            addCreate(parts, term, namespace, definition, changes);
            return true;
        });
    }

    /** Adds what makes a collection. */
    static void addCreate(WriteParts parts, Term term, Namespace namespace, Definition definition, ChangeList changes) {
        parts.proposer().checkDisk();
        UUID uuid = definition.uuid().orElseGet(() -> parts.ids().uuid());
        CollectionEntry entry = CollectionEntry.fresh(
                term.nextIdent(), term.nextIdent(), namespace, uuid, definition.options(), definition.capped());
        for (IndexDefinition index : definition.indexes()) {
            if (!index.isId()) {
                entry = entry.withIndex(new IndexEntry(term.nextIdent(), index, IndexEntry.State.READY, 0));
            }
        }
        entry = entry.withOwnership(definition.ownership());
        changes.catalog(new CatalogChange.Create(entry));
        BsonDocument command = new BsonDocument("create", new BsonString(namespace.collection()));
        command.putAll(definition.options());
        changes.command(namespace, Optional.of(uuid), command);
    }

    private static void checkUuid(CollectionEntry existing, Definition wanted) {
        if (wanted.uuid().isPresent() && !wanted.uuid().get().equals(existing.uuid())) {
            throw COLLECTION_UUID_MISMATCH.because(
                    "Collection UUID does not match that specified: %s exists with another one", existing.namespace());
        }
    }

    static void checkSame(CollectionEntry existing, Definition wanted) {
        checkUuid(existing, wanted);
        if (!existing.options().equals(wanted.options())) {
            throw NAMESPACE_EXISTS.because(
                    "namespace %s already exists, but with different options: %s",
                    existing.namespace(), existing.options().toJson());
        }
    }

    /**
     * Makes a plain collection for a write that found none. One that somebody made in between is what the write wants,
     * whatever its options.
     *
     * @return whether it was made
     */
    boolean createImplicitly(Namespace namespace, Operation operation) {
        return create(namespace, Definition.PLAIN, _ -> {}, operation);
    }

    /** Drops a collection; false if there is none. */
    public boolean drop(Namespace namespace, Operation operation) {
        SessionWriter.checkOpen(namespace);
        return change(namespace, operation, (_, existing, changes) -> {
            parts.guard().checkChange(operation, namespace, existing);
            existing.ifPresent(entry -> {
                changes.catalog(new CatalogChange.Drop(entry.ident()));
                changes.command(
                        namespace,
                        Optional.of(entry.uuid()),
                        new BsonDocument("drop", new BsonString(namespace.collection())));
            });
            return existing.isPresent();
        });
    }

    /** Drops all collections of a database, and answers their number. */
    public int dropDatabase(String database, Operation operation) {
        int dropped = 0;
        for (CollectionEntry entry : parts.views().catalog().ofDatabase(database)) {
            dropped += drop(entry.namespace(), operation) ? 1 : 0;
        }
        return dropped;
    }

    /** @throws io.ostraka.core.error.CommandException 26 without a source, 48 with a target that must not be dropped */
    public void rename(Namespace from, Namespace to, boolean dropTarget, Operation operation) {
        SessionWriter.checkOpen(from);
        SessionWriter.checkOpen(to);
        Term term = parts.terms().current();
        LockSet locks = term.locks().begin().collections(List.of(), List.of(from, to), operation);
        propose(locks, operation, changes -> {
            Optional<CollectionEntry> found = parts.views().catalog().find(from);
            parts.guard().checkChange(operation, from, found);
            CollectionEntry source =
                    found.orElseThrow(() -> NAMESPACE_NOT_FOUND.because("Source collection %s does not exist", from));
            source.checkIsCollection();
            Optional<CollectionEntry> target = parts.views().catalog().find(to);
            target.ifPresent(CollectionEntry::checkIsCollection);
            if (target.isPresent()) {
                if (!dropTarget) {
                    throw NAMESPACE_EXISTS.because("target namespace exists: %s", to);
                }
                if (operation.options().shardVersion().isPresent()
                        && target.get().ownership().isPresent()) {
                    throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                            "target namespace %s is being sharded; try again", to);
                }
                changes.catalog(new CatalogChange.Drop(target.get().ident()));
            }
            changes.catalog(new CatalogChange.Rename(source.ident(), to));
            changes.command(
                    from,
                    Optional.of(source.uuid()),
                    new BsonDocument("renameCollection", new BsonString(from.toString()))
                            .append("to", new BsonString(to.toString()))
                            .append("dropTarget", BsonBoolean.valueOf(dropTarget)));
            return true;
        });
    }

    /**
     * What a {@code collMod} changes.
     *
     * @param options of the collection afterwards
     * @param index whose definition is changed, with how
     */
    public record Modification(Function<CollectionEntry, BsonDocument> options, Optional<IndexChange> index) {}

    /** @param which finds the index, or says that there is none (27) */
    public record IndexChange(Function<CollectionEntry, IndexEntry> which, UnaryOperator<IndexDefinition> change) {}

    /** An index before and after. */
    public record ModifiedIndex(IndexDefinition before, IndexDefinition after) {}

    /**
     * Changes options and an index of a collection at once.
     *
     * @param command as the oplog tells it
     * @throws io.ostraka.core.error.CommandException 26 without the collection, 370 where the last index that supports the shard key would be hidden
     */
    public Optional<ModifiedIndex> modify(
            Namespace namespace, Modification modification, BsonDocument command, Operation operation) {
        AtomicReference<ModifiedIndex> modified = new AtomicReference<>();
        boolean unused = change(namespace, operation, (_, existing, changes) -> {
            parts.guard().checkChange(operation, namespace, existing);
            CollectionEntry entry =
                    existing.orElseThrow(() -> NAMESPACE_NOT_FOUND.because("ns does not exist: %s", namespace));
            BsonDocument options = modification.options().apply(entry);
            if (!options.equals(entry.options())) {
                changes.catalog(new CatalogChange.SetOptions(entry.ident(), options));
            }
            modification.index().ifPresent(change -> {
                IndexEntry index = change.which().apply(entry);
                IndexDefinition after = change.change().apply(index.definition());
                if (after.hidden()) {
                    IndexWriter.checkShardKeyKept(entry, each -> each.ident() != index.ident());
                }
                modified.set(new ModifiedIndex(index.definition(), after));
                changes.catalog(new CatalogChange.PutIndex(entry.ident(), index.with(after)));
            });
            changes.command(namespace, Optional.of(entry.uuid()), command);
            return true;
        });
        return Optional.ofNullable(modified.get());
    }

    /**
     * Makes this shard's part of a collection, or gives the one that is there the options and changeable parts of indexes
     * that the collection has elsewhere: without chunks it heard of no change.
     *
     * @return whether it was made
     */
    public boolean createAlike(Namespace namespace, Definition definition, Operation operation) {
        boolean made = create(namespace, definition, existing -> checkUuid(existing, definition), operation);
        if (!made) {
            boolean unused = change(namespace, operation, (_, existing, changes) -> {
                existing.ifPresent(entry -> align(entry, definition, changes));
                return true;
            });
        }
        return made;
    }

    /**
     * Makes a collection with the options and indexes of another one, or a plain one where there is none.
     *
     * @throws io.ostraka.core.error.CommandException 166 where the other is a view, 28769 where it is on several shards
     */
    public void createLike(Namespace fresh, Namespace like, Operation operation) {
        Optional<CollectionEntry> model = parts.views().catalog().find(like);
        model.ifPresent(entry -> {
            entry.checkIsCollection();
            if (entry.ownership().isPresent()) {
                throw NAMESPACE_CANNOT_BE_SHARDED.because(
                        "namespace '%s' is sharded: $out can only write an unsharded collection; use $merge", like);
            }
        });
        Definition definition = model.map(entry -> new Definition(
                        Optional.empty(),
                        entry.options(),
                        entry.capped(),
                        entry.indexes().stream().map(IndexEntry::definition).toList(),
                        Optional.empty()))
                .orElse(Definition.PLAIN);
        boolean unused = create(fresh, definition, operation);
    }

    private static void align(CollectionEntry entry, Definition definition, ChangeList changes) {
        if (!entry.options().equals(definition.options())) {
            changes.catalog(new CatalogChange.SetOptions(entry.ident(), definition.options()));
        }
        for (IndexDefinition wanted : definition.indexes()) {
            entry.index(wanted.name())
                    .filter(index -> index.definition().fields().equals(wanted.fields())
                            && !index.definition().equals(wanted))
                    .map(index -> index.with(index.definition()
                            .withHidden(wanted.hidden())
                            .withExpireAfterSeconds(wanted.expireAfterSeconds())))
                    .ifPresent(index -> changes.catalog(new CatalogChange.PutIndex(entry.ident(), index)));
        }
    }

    /** A change of one collection's entry under its exclusive lock. */
    @FunctionalInterface
    interface Evaluation {
        boolean evaluate(Term term, Optional<CollectionEntry> existing, ChangeList changes);
    }

    boolean change(Namespace namespace, Operation operation, Evaluation evaluation) {
        Term term = parts.terms().current();
        LockSet locks = term.locks().begin().collection(namespace, true, operation);
        return propose(
                locks,
                operation,
                changes -> evaluation.evaluate(term, parts.views().catalog().find(namespace), changes));
    }

    private boolean propose(LockSet locks, Operation operation, Function<ChangeList, Boolean> evaluation) {
        boolean proposed = false;
        try {
            ChangeList changes = parts.changes();
            boolean result = evaluation.apply(changes);
            proposed = true;
            parts.proposer().propose(locks, changes, operation);
            return result;
        } finally {
            if (!proposed) {
                locks.close();
            }
        }
    }
}
