package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.Lookup;
import io.ostraka.node.view.View;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * What a recipient and a clean-up write below the command path. Documents on their way in are not owned yet, are not
 * checked for unique keys, and are found again by where they come from. Safe for many threads; one at a time per map.
 */
public final class MoverWrite {
    /** A change of a donor, by the RecordId there. */
    public sealed interface Moved {
        RecordId there();

        /** The document is there now: written over what came before, or new. */
        record Put(RecordId there, RawDocument document) implements Moved {}

        /** The document is gone there, or has left what is moved. */
        record Delete(RecordId there) implements Moved {}
    }

    /**
     * What one call wrote.
     *
     * @param documents by which the unowned documents here have grown, negative where they have become fewer
     * @param bytes by which their bytes have
     */
    public record Written(long documents, long bytes) {}

    /** A document stored in the same proposal, in place of the one with its {@code _id}. */
    public record Alongside(Namespace namespace, RawDocument document) {}

    private final WriteParts parts;

    public MoverWrite(WriteParts parts) {
        this.parts = parts;
    }

    /**
     * Applies a donor's documents in order, in one proposal.
     *
     * @param target the collection here; it must exist
     * @param map the internal collection that remembers (origin, RecordId there) → RecordId here; made when it is missing, dropped by the caller after the commit
     * @param origin the donor
     * @param changes in the donor's order
     * @param alongside progress to store with them
     */
    public Written apply(
            Namespace target,
            Namespace map,
            String origin,
            List<Moved> changes,
            List<Alongside> alongside,
            Operation operation) {
        if (parts.views().catalog().find(map).isEmpty()) {
            parts.collections().createImplicitly(map, operation);
        }
        TreeSet<Namespace> excluded = new TreeSet<>(List.of(map));
        for (Alongside each : alongside) {
            if (parts.views().catalog().find(each.namespace()).isEmpty()) {
                parts.collections().createImplicitly(each.namespace(), operation);
            }
            excluded.add(each.namespace());
        }
        parts.proposer().checkDisk();
        Term term = parts.terms().current();
        LockSet locks = term.locks().begin().collections(List.of(target), excluded, operation);
        boolean proposed = false;
        try (View view = parts.views().open()) {
            Incoming incoming = new Incoming(term, view, target, map, origin);
            changes.forEach(incoming::take);
            alongside.forEach(incoming::store);
            incoming.lock(locks, operation);
            proposed = true;
            parts.proposer().propose(locks, incoming.changes, operation);
            return new Written(incoming.documents, incoming.bytes);
        } finally {
            if (!proposed) {
                locks.close();
            }
        }
    }

    /** One call being evaluated. One thread. */
    private final class Incoming {
        private final Term term;
        private final View view;
        private final CollectionEntry target;
        private final CollectionEntry map;
        private final String origin;
        private final ChangeList changes = new ChangeList(parts.clock().wallMillis(), true);
        private final Map<RecordId, Optional<RecordId>> here = new HashMap<>();
        private final Map<RecordId, Optional<RawDocument>> now = new HashMap<>();
        private final TreeSet<RecordId> touched = new TreeSet<>();
        private long documents;
        private long bytes;

        Incoming(Term term, View view, Namespace target, Namespace map, String origin) {
            this.term = term;
            this.view = view;
            this.target = view.catalog().get(target);
            this.map = view.catalog().get(map);
            this.origin = origin;
        }

        private BsonDocument mapId(RecordId there) {
            return new BsonDocument("s", new BsonString(origin)).append("r", new BsonBinary(there.toByteArray()));
        }

        /** Which record here stands for one there; it stays the same when the document goes and comes back. */
        private Optional<RecordId> mapped(RecordId there) {
            return here.computeIfAbsent(
                    there,
                    asked -> Lookup.byId(view, map, KeyString.of(mapId(asked)))
                            .map(row -> RecordId.of(
                                    row.document().get("h").asInt64().getValue())));
        }

        private Optional<RawDocument> present(RecordId id) {
            return now.computeIfAbsent(id, asked -> view.document(target, asked));
        }

        void take(Moved moved) {
            switch (moved) {
                case Moved.Put(var there, var document) -> put(there, document);
                case Moved.Delete(var there) -> mapped(there).ifPresent(this::delete);
            }
        }

        private void put(RecordId there, RawDocument document) {
            RecordId id = mapped(there).orElseGet(() -> {
                RecordId fresh = term.nextRecord(target);
                here.put(there, Optional.of(fresh));
                storeNew(
                        map,
                        RawDocument.of(
                                new BsonDocument("_id", mapId(there)).append("h", new BsonInt64(fresh.number()))));
                return fresh;
            });
            touched.add(id);
            List<DocumentKeys> keys = parts.indexer().keys(target, document);
            Optional<RawDocument> before = present(id);
            if (before.isPresent()) {
                List<DocumentKeys> keysBefore = parts.indexer().keys(target, before.get());
                changes.update(target, id, before.get(), document, keysBefore, keys, false);
                bytes += document.size() - before.get().size();
            } else {
                changes.insert(target, id, document, keys, false);
                documents++;
                bytes += document.size();
            }
            now.put(id, Optional.of(document));
        }

        private void delete(RecordId id) {
            Optional<RawDocument> before = present(id);
            if (before.isPresent()) {
                touched.add(id);
                changes.delete(target, id, before.get(), parts.indexer().keys(target, before.get()), false);
                documents--;
                bytes -= before.get().size();
                now.put(id, Optional.empty());
            }
        }

        private void storeNew(CollectionEntry collection, RawDocument row) {
            KeyString id = KeyString.of(row.get("_id"));
            Optional<Lookup.Found> had = Lookup.byId(view, collection, id);
            List<DocumentKeys> keys = parts.indexer().keys(collection, row);
            if (had.isPresent()) {
                RawDocument before = had.get().document();
                changes.update(
                        collection, had.get().id(), before, row, parts.indexer().keys(collection, before), keys, true);
            } else {
                changes.insert(collection, term.nextRecord(collection), row, keys, true);
            }
        }

        void store(Alongside alongside) {
            storeNew(view.catalog().get(alongside.namespace()), alongside.document());
        }

        void lock(LockSet locks, Operation operation) {
            // Nobody writes these but the mover, and it holds its map: the locks are there for who drains the range.
            touched.forEach(id -> locks.document(target.ident(), id, Optional.empty(), operation));
        }
    }

    /**
     * Deletes documents that are in a range and not owned: those a move has left behind, or that came with one that failed.
     * Documents somebody has locked, that are owned, blocked, or not in the range any more, are left.
     *
     * @param ids where they were seen; at most a hundred or so
     * @return how many were deleted
     */
    public int deleteUnowned(Namespace namespace, KeyRange range, List<RecordId> ids, Operation operation) {
        LockSet locks = parts.terms().current().locks().begin().collection(namespace, false, operation);
        boolean proposed = false;
        try {
            CollectionEntry entry = parts.views().catalog().get(namespace);
            List<RecordId> locked = new ArrayList<>();
            for (RecordId id : new TreeSet<>(ids)) {
                if (locks.tryDocument(entry.ident(), id, Optional.empty())) {
                    locked.add(id);
                }
            }
            ChangeList changes = new ChangeList(parts.clock().wallMillis(), true);
            try (View view = parts.views().open()) {
                CollectionEntry now = view.catalog().byIdent(entry.ident()).orElseThrow();
                for (RecordId id : locked) {
                    view.document(now, id)
                            .filter(document -> isLeftBehind(now, range, document))
                            .ifPresent(document -> changes.delete(
                                    now, id, document, parts.indexer().keys(now, document), false));
                }
            }
            int count = changes.records();
            proposed = true;
            parts.proposer().propose(locks, changes, operation);
            return count;
        } finally {
            if (!proposed) {
                locks.close();
            }
        }
    }

    private static boolean isLeftBehind(CollectionEntry entry, KeyRange range, RawDocument document) {
        return entry.ownership()
                .filter(ownership -> {
                    byte[] key = ownership.key().keyOf(document);
                    return range.contains(key) && !ownership.owns(key);
                })
                .isPresent();
    }
}
