package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.node.apply.Totals;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.view.View;
import io.ostraka.node.write.Indexer;
import io.ostraka.query.index.IndexKeys;
import io.ostraka.storage.Family;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.RecordStore;
import io.ostraka.storage.Rows;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares a collection's indexes and counters with its records, in one View. One thread, used once. */
public final class Validation {
    private final View view;
    private final CollectionEntry collection;
    private final Indexer indexer;
    private final Operation operation;
    private final List<String> errors = new ArrayList<>();
    private final Map<String, Long> keysPerIndex = new HashMap<>();
    private long records;
    private long missing;
    private long extra;

    public Validation(View view, CollectionEntry collection, Indexer indexer, Operation operation) {
        this.view = view;
        this.collection = collection;
        this.indexer = indexer;
        this.operation = operation;
    }

    /** Looks at everything. What was found is in the other methods afterwards. */
    public Validation run() {
        Map<String, Long> expected = new HashMap<>();
        long bytes = 0;
        long unowned = 0;
        long unownedBytes = 0;
        try (Rows rows = view.records(collection)) {
            for (boolean on = rows.first(); on; on = rows.next()) {
                operation.checkAlive();
                RecordId id = RecordStore.recordId(rows.key());
                RawDocument document = RawDocument.of(rows.value());
                records++;
                bytes += document.size();
                if (!View.owns(collection, document)) {
                    unowned++;
                    unownedBytes += document.size();
                }
                for (IndexEntry index : collection.indexes()) {
                    if (index.isReady()) {
                        expected.merge(index.name(), keysOf(index, id, document), Long::sum);
                    }
                }
            }
        }
        for (IndexEntry index : collection.indexes()) {
            if (index.isReady()) {
                compare(index, expected.getOrDefault(index.name(), 0L));
            }
        }
        Totals found = new Totals(records, unowned, bytes, unownedBytes);
        Totals kept = view.totals(collection);
        if (!found.equals(kept)) {
            errors.add("the counters say " + kept + ", the records " + found);
        }
        return this;
    }

    private long keysOf(IndexEntry index, RecordId id, RawDocument document) {
        IndexKeys.Keys keys = indexer.compiled(index).of(document);
        IndexStore store = new IndexStore(index.ident());
        for (KeyString key : keys.keys()) {
            if (view.store().get(Family.INDEX, store.key(key.bytes(), id)) == null) {
                missing++;
                errors.add("record " + id + " has no entry in the index " + index.name());
            }
        }
        if ((keys.multikey() & ~index.multikey()) != 0) {
            errors.add("record " + id + " has an array the index " + index.name() + " does not know of");
        }
        return keys.keys().size();
    }

    private void compare(IndexEntry index, long expected) {
        long found = 0;
        try (Rows rows = view.entries(index)) {
            for (boolean on = rows.first(); on; on = rows.next()) {
                found++;
            }
        }
        keysPerIndex.put(index.name(), found);
        if (found > expected) {
            extra += found - expected;
            errors.add("the index " + index.name() + " has " + found + " entries for " + expected + " keys");
        }
    }

    public boolean isValid() {
        return errors.isEmpty();
    }

    /** What is wrong, in sentences. */
    public List<String> errors() {
        return List.copyOf(errors);
    }

    public long records() {
        return records;
    }

    /** Entries of each index that is ready. */
    public Map<String, Long> keysPerIndex() {
        return Map.copyOf(keysPerIndex);
    }

    /** Entries that are not there. */
    public long missing() {
        return missing;
    }

    /** Entries without a key. */
    public long extra() {
        return extra;
    }
}
