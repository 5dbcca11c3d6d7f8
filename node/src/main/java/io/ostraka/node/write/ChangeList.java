package io.ostraka.node.write;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.node.catalog.CatalogChange;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.change.Change;
import io.ostraka.node.change.Difference;
import io.ostraka.node.change.OplogRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;

/** The Changes of one proposal being evaluated: records, index entries, counters and oplog rows kept in step. One thread. */
final class ChangeList {
    private final List<Change> changes = new ArrayList<>();
    private final Map<Integer, Change.Count> counts = new LinkedHashMap<>();
    private final Set<CatalogChange.AddMultikey> multikeys = new HashSet<>();
    private final long wallMillis;
    private final boolean moved;
    private Optional<OplogRow.Statement> statement = Optional.empty();
    private boolean replaces;
    private Runnable whenRefused = () -> {};
    private Runnable whenApplied = () -> {};
    private long bytes;
    private int records;

    /**
     * @param wallMillis for the oplog rows
     * @param moved whether the mover writes: its rows are marked
     */
    ChangeList(long wallMillis, boolean moved) {
        this.wallMillis = wallMillis;
        this.moved = moved;
    }

    boolean isEmpty() {
        return changes.isEmpty() && counts.values().stream().allMatch(Change.Count::isZero);
    }

    /** Documents put or deleted, book-keeping aside. */
    int records() {
        return records;
    }

    /** What it has so far, counters aside. */
    List<Change> soFar() {
        return changes;
    }

    /** About the bytes it will have in the log. */
    long bytes() {
        return bytes;
    }

    /** Rows of updates that follow are of replacements, or not. */
    void replacing(boolean whole) {
        replaces = whole;
    }

    /** Rows that follow are of this statement. */
    void under(Optional<OplogRow.Statement> of) {
        statement = of;
    }

    /** What to do when the proposal was never appended. */
    void whenRefused(Runnable action) {
        whenRefused = action;
    }

    /** What to do when the proposal was applied while its proposer still waited. */
    void whenApplied(Runnable action) {
        whenApplied = action;
    }

    void applied() {
        whenApplied.run();
    }

    void refused() {
        whenRefused.run();
    }

    /**
     * Puts a document of the server's own book-keeping, without a row in the oplog: whoever follows the oplog learns of it
     * from the rows of what it is about.
     */
    void book(CollectionEntry collection, RecordId id, RawDocument document, List<DocumentKeys> keys) {
        putNew(collection, id, document, keys, true);
    }

    /** The same over one that is there, whose keys stay as they are. */
    void bookAgain(CollectionEntry collection, RecordId id, RawDocument before, RawDocument after) {
        int unused = put(collection, id, after);
        count(collection, 0, after.size() - before.size(), true);
    }

    /** Takes such a document away. */
    void unbook(CollectionEntry collection, RecordId id, RawDocument document, List<DocumentKeys> keys) {
        takeAway(collection, id, document, keys, true);
    }

    void insert(CollectionEntry collection, RecordId id, RawDocument document, List<DocumentKeys> keys, boolean owned) {
        int at = putNew(collection, id, document, keys, owned);
        records++;
        row(collection, OplogRow.Kind.INSERT, id, document, at, Optional.empty(), Optional.empty());
    }

    private int putNew(
            CollectionEntry collection, RecordId id, RawDocument document, List<DocumentKeys> keys, boolean owned) {
        int at = put(collection, id, document);
        keys.forEach(each -> add(collection, each, each.keys(), id));
        count(collection, 1, document.size(), owned);
        return at;
    }

    void update(
            CollectionEntry collection,
            RecordId id,
            RawDocument before,
            RawDocument after,
            List<DocumentKeys> keysBefore,
            List<DocumentKeys> keysAfter,
            boolean owned) {
        int at = put(collection, id, after);
        records++;
        for (int i = 0; i < keysAfter.size(); i++) {
            Set<KeyString> old = keysBefore.get(i).keys();
            DocumentKeys now = keysAfter.get(i);
            for (KeyString key : old) {
                if (!now.keys().contains(key)) {
                    remove(now, key, id);
                }
            }
            // Equal keys may still differ in their type bits: those are written again.
            List<KeyString> fresh = new ArrayList<>();
            for (KeyString key : now.keys()) {
                if (!old.contains(key) || old.stream().noneMatch(had -> isSame(had, key))) {
                    fresh.add(key);
                }
            }
            add(collection, now, fresh, id);
        }
        count(collection, 0, after.size() - before.size(), owned);
        Optional<RawDocument> update =
                moved || replaces ? Optional.empty() : Optional.of(Difference.between(before, after));
        row(
                collection,
                OplogRow.Kind.UPDATE,
                id,
                before,
                at,
                Optional.of(before),
                replaces ? Optional.of(Difference.REPLACEMENT) : update);
    }

    void delete(CollectionEntry collection, RecordId id, RawDocument document, List<DocumentKeys> keys, boolean owned) {
        takeAway(collection, id, document, keys, owned);
        records++;
        row(collection, OplogRow.Kind.DELETE, id, document, -1, Optional.of(document), Optional.empty());
    }

    private void takeAway(
            CollectionEntry collection, RecordId id, RawDocument document, List<DocumentKeys> keys, boolean owned) {
        changes.add(new Change.DeleteRecord(collection.ident(), id));
        keys.forEach(each -> each.keys().forEach(key -> remove(each, key, id)));
        bytes += 24;
        count(collection, -1, -document.size(), owned);
    }

    /** Adds the entries of a document to one index and changes nothing else: an index build. */
    void index(CollectionEntry collection, RecordId id, DocumentKeys keys) {
        add(collection, keys, keys.keys(), id);
    }

    void catalog(CatalogChange change) {
        changes.add(new Change.OfCatalog(change));
        bytes += 512;
    }

    /** A row for something that is no document. */
    void command(Namespace namespace, Optional<UUID> collection, BsonDocument command) {
        row(new OplogRow.Header(
                OplogRow.Kind.COMMAND,
                namespace,
                collection,
                Optional.empty(),
                Optional.empty(),
                statement,
                Optional.empty(),
                moved,
                Optional.of(RawDocument.of(command)),
                wallMillis));
    }

    /** A row that says nothing but its time. */
    void noop(Namespace namespace, BsonDocument message) {
        row(new OplogRow.Header(
                OplogRow.Kind.NOOP,
                namespace,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                statement,
                Optional.empty(),
                moved,
                Optional.of(RawDocument.of(message)),
                wallMillis));
    }

    /** Counts documents over that change hands: no document changes. */
    void disown(CollectionEntry collection, long documents, long size) {
        add(new Change.Count(collection.ident(), 0, documents, 0, size));
    }

    void truncateOplog(long time) {
        changes.add(new Change.TruncateOplog(time));
    }

    private void row(OplogRow.Header header) {
        changes.add(new Change.Row(header.toRaw(), -1, Optional.empty()));
        bytes += 256;
    }

    private void row(
            CollectionEntry collection,
            OplogRow.Kind kind,
            RecordId id,
            RawDocument keyFrom,
            int after,
            Optional<RawDocument> before,
            Optional<RawDocument> update) {
        OplogRow.Header header = new OplogRow.Header(
                kind,
                collection.namespace(),
                Optional.of(collection.uuid()),
                Optional.of(id),
                Optional.of(documentKey(collection, keyFrom)),
                statement,
                update,
                moved,
                Optional.empty(),
                wallMillis);
        Optional<RawDocument> image = collection.preImages() ? before : Optional.empty();
        changes.add(new Change.Row(header.toRaw(), after, image));
        bytes += 128
                + image.map(RawDocument::size).orElse(0)
                + update.map(RawDocument::size).orElse(0);
    }

    /** Shard key fields and {@code _id}, as change streams show them. */
    private static RawDocument documentKey(CollectionEntry collection, RawDocument document) {
        RawBuilder key = new RawBuilder(64);
        Optional<Ownership> ownership = collection.ownership();
        if (ownership.isPresent()) {
            for (String field : ownership.get().key().fields()) {
                RawCursor value = field.equals("_id") ? null : at(document, field);
                if (value != null) {
                    key.value(field, value);
                }
            }
        }
        RawCursor id = document.find("_id");
        if (id != null) {
            key.element(id);
        }
        return key.build();
    }

    private static RawCursor at(RawDocument document, String path) {
        RawDocument in = document;
        while (true) {
            int dot = path.indexOf('.');
            RawCursor cursor = in.find(dot < 0 ? path : path.substring(0, dot));
            if (cursor == null || dot < 0) {
                return cursor;
            }
            if (!cursor.isDocument()) {
                return null;
            }
            in = cursor.document();
            path = path.substring(dot + 1);
        }
    }

    private int put(CollectionEntry collection, RecordId id, RawDocument document) {
        changes.add(new Change.PutRecord(collection.ident(), id, document));
        bytes += document.size() + 16;
        return changes.size() - 1;
    }

    private static boolean isSame(KeyString one, KeyString other) {
        return one.equals(other) && Arrays.equals(one.typeBits(), other.typeBits());
    }

    private void add(CollectionEntry collection, DocumentKeys keys, Collection<KeyString> fresh, RecordId id) {
        for (KeyString key : fresh) {
            changes.add(new Change.PutEntry(keys.index().ident(), key, id));
            bytes += key.bytes().length + 24L;
        }
        if ((keys.multikey() & ~keys.index().multikey()) != 0) {
            CatalogChange.AddMultikey mark = new CatalogChange.AddMultikey(
                    collection.ident(), keys.index().ident(), keys.multikey());
            if (multikeys.add(mark)) {
                catalog(mark);
            }
        }
    }

    private void remove(DocumentKeys keys, KeyString key, RecordId id) {
        changes.add(new Change.DeleteEntry(keys.index().ident(), key, id));
        bytes += key.bytes().length + 24L;
    }

    private void count(CollectionEntry collection, int documents, int size, boolean owned) {
        add(new Change.Count(collection.ident(), documents, owned ? 0 : documents, size, owned ? 0 : size));
    }

    private void add(Change.Count count) {
        counts.merge(count.collection(), count, Change.Count::plus);
    }

    /** All Changes, the counters last. */
    List<Change> build() {
        List<Change> all = new ArrayList<>(changes);
        counts.values().stream().filter(count -> !count.isZero()).forEach(all::add);
        return all;
    }
}
