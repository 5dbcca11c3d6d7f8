package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.check.Check;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.node.catalog.CatalogChange;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.Lookup;
import io.ostraka.node.view.View;
import io.ostraka.wire.command.Operation;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The server's own writes: documents of several collections, what this shard owns, and counters, evaluated under locks and
 * applied in <b>one</b> proposal or not at all. Safe for many threads.
 */
public final class AtomicWrite {
    private final WriteParts parts;

    public AtomicWrite(WriteParts parts) {
        this.parts = parts;
    }

    /** What is decided under the locks. Throwing leaves everything as it was. */
    @FunctionalInterface
    public interface Body<T> {
        T evaluate(Evaluation evaluation);
    }

    /**
     * Runs a body and proposes what it collected.
     *
     * @param collections those whose documents it reads to decide, or writes: nobody else writes them meanwhile
     * @param ownershipOf those whose ownership it changes: their documents are written by others meanwhile
     * @return what the body returned, once everything is applied
     */
    public <T> T run(
            Collection<Namespace> collections, Collection<Namespace> ownershipOf, Operation operation, Body<T> body) {
        Term term = parts.terms().current();
        Set<Namespace> shared = new HashSet<>(ownershipOf);
        shared.removeAll(collections);
        LockSet locks = term.locks().begin().collections(shared, collections, operation);
        boolean proposed = false;
        try {
            locks.ownership(ownershipOf, operation);
            try (View view = parts.views().open()) {
                Evaluation evaluation = new Evaluation(term, view, Set.copyOf(collections), Set.copyOf(ownershipOf));
                T result = body.evaluate(evaluation);
                evaluation.unique.values().forEach(UniqueCheck::close);
                proposed = true;
                parts.proposer().propose(locks, evaluation.changes, operation);
                return result;
            }
        } finally {
            if (!proposed) {
                locks.close();
            }
        }
    }

    /** The state under the locks, and what is to become of it. One thread, within the body only. */
    public final class Evaluation {
        private final Term term;
        private final View view;
        private final Set<Namespace> collections;
        private final Set<Namespace> ownershipOf;
        private final ChangeList changes = parts.changes();
        private final Map<Namespace, CollectionEntry> entries = new HashMap<>();
        private final Map<Namespace, UniqueCheck> unique = new HashMap<>();
        private final Map<Namespace, Map<KeyString, Pending>> written = new HashMap<>();

        /** A document this evaluation has written; gone where there is none. */
        private record Pending(RecordId id, Optional<RawDocument> document) {}

        private Evaluation(Term term, View view, Set<Namespace> collections, Set<Namespace> ownershipOf) {
            this.term = term;
            this.view = view;
            this.collections = collections;
            this.ownershipOf = ownershipOf;
        }

        /** The state before this evaluation. */
        public View view() {
            return view;
        }

        /** The reading this proposal is made with; its cluster time will be at least that. */
        public long reading() {
            return parts.proposer().reading();
        }

        private Optional<CollectionEntry> find(Namespace namespace) {
            Check.that(
                    collections.contains(namespace), "documents are read and written in collections that were named");
            CollectionEntry made = entries.get(namespace);
            return made != null ? Optional.of(made) : view.catalog().find(namespace);
        }

        /** A document by its {@code _id}, with what this evaluation has written. */
        public Optional<RawDocument> get(Namespace namespace, BsonValue id) {
            return located(namespace, KeyString.of(id)).flatMap(Pending::document);
        }

        private Optional<Pending> located(Namespace namespace, KeyString id) {
            Pending pending = written.getOrDefault(namespace, Map.of()).get(id);
            if (pending != null) {
                return Optional.of(pending);
            }
            return find(namespace)
                    .flatMap(entry -> Lookup.byId(view, entry, id))
                    .map(found -> new Pending(found.id(), Optional.of(found.document())));
        }

        /** Stores a document in place of the one with its {@code _id}, if there is one. The collection is made if it is missing. */
        public void put(Namespace namespace, RawDocument document) {
            RawDocument prepared = NewDocument.prepare(document, parts.ids(), this::reading);
            CollectionEntry entry = find(namespace).orElseGet(() -> create(namespace));
            List<DocumentKeys> keys = parts.indexer().keys(entry, prepared);
            KeyString id = keys.getFirst().keys().iterator().next();
            Optional<Pending> existing = located(namespace, id);
            UniqueCheck check = unique.computeIfAbsent(namespace, _ -> new UniqueCheck(view, entry));
            if (existing.isPresent() && existing.get().document().isPresent()) {
                RecordId record = existing.get().id();
                RawDocument before = existing.get().document().get();
                List<DocumentKeys> keysBefore = parts.indexer().keys(entry, before);
                check.take(record, keys, keysBefore);
                changes.update(entry, record, before, prepared, keysBefore, keys, true);
                remember(namespace, id, new Pending(record, Optional.of(prepared)));
            } else {
                RecordId record = term.nextRecord(entry);
                check.take(record, keys, List.of());
                changes.insert(entry, record, prepared, keys, true);
                remember(namespace, id, new Pending(record, Optional.of(prepared)));
            }
        }

        public void put(Namespace namespace, BsonDocument document) {
            put(namespace, RawDocument.of(document));
        }

        /** Deletes the document of an {@code _id}; false if there is none. */
        public boolean delete(Namespace namespace, BsonValue id) {
            KeyString key = KeyString.of(id);
            Optional<Pending> existing = located(namespace, key);
            if (existing.isEmpty() || existing.get().document().isEmpty()) {
                return false;
            }
            CollectionEntry entry = find(namespace).orElseThrow();
            RawDocument before = existing.get().document().get();
            List<DocumentKeys> keys = parts.indexer().keys(entry, before);
            unique.computeIfAbsent(namespace, _ -> new UniqueCheck(view, entry))
                    .free(existing.get().id(), keys);
            changes.delete(entry, existing.get().id(), before, keys, true);
            remember(namespace, key, new Pending(existing.get().id(), Optional.empty()));
            return true;
        }

        private void remember(Namespace namespace, KeyString id, Pending pending) {
            written.computeIfAbsent(namespace, _ -> new HashMap<>()).put(id, pending);
        }

        private CollectionEntry create(Namespace namespace) {
            UUID uuid = parts.ids().uuid();
            CollectionEntry entry = CollectionEntry.fresh(
                    term.nextIdent(), term.nextIdent(), namespace, uuid, new BsonDocument(), Optional.empty());
            changes.catalog(new CatalogChange.Create(entry));
            changes.command(
                    namespace, Optional.of(uuid), new BsonDocument("create", new BsonString(namespace.collection())));
            entries.put(namespace, entry);
            return entry;
        }

        private CollectionEntry owned(Namespace namespace) {
            Check.that(
                    ownershipOf.contains(namespace) || collections.contains(namespace),
                    "ownership is changed of collections that were named");
            return view.catalog()
                    .find(namespace)
                    .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("ns does not exist: %s", namespace));
        }

        /** What this shard owns of a collection, before this evaluation. */
        public Optional<Ownership> ownership(Namespace namespace) {
            return owned(namespace).ownership();
        }

        /** Changes what this shard owns; see {@link #disown} for the documents. */
        public void setOwnership(Namespace namespace, Optional<Ownership> ownership) {
            changes.catalog(new CatalogChange.SetOwnership(owned(namespace).ident(), ownership));
        }

        /** So many more documents, and bytes of them, are here and not owned; negative where they have become owned. */
        public void disown(Namespace namespace, long documents, long bytes) {
            changes.disown(owned(namespace), documents, bytes);
        }

        /** Whether oplog rows of a collection hold the document before. */
        public void setPreImages(Namespace namespace, boolean on) {
            changes.catalog(new CatalogChange.SetPreImages(owned(namespace).ident(), on));
        }

        /** A row in the oplog that changes nothing. */
        public void noop(Namespace namespace, BsonDocument message) {
            changes.noop(namespace, message);
        }
    }
}
