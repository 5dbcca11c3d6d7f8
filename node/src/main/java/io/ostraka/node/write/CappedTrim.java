package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import io.ostraka.node.apply.Totals;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.lock.LockSet;
import io.ostraka.node.view.View;
import io.ostraka.storage.RecordStore;
import io.ostraka.storage.Rows;
import io.ostraka.wire.command.Operation;
import java.util.Optional;

/** Takes the oldest documents of a capped collection away while it is over its bounds. Safe for many threads. */
final class CappedTrim {
    private final WriteParts parts;

    CappedTrim(WriteParts parts) {
        this.parts = parts;
    }

    /** Documents others have locked are left to the next insert. */
    void trim(CollectionEntry collection, Operation operation) {
        boolean more = true;
        while (more) {
            LockSet locks =
                    parts.terms().current().locks().begin().collection(collection.namespace(), false, operation);
            boolean proposed = false;
            try (View view = parts.views().open()) {
                Optional<CollectionEntry> now = view.catalog().byIdent(collection.ident());
                ChangeList changes = parts.changes();
                more = now.isPresent() && takeOldest(view, now.get(), locks, changes);
                proposed = true;
                parts.proposer().propose(locks, changes, operation);
            } finally {
                if (!proposed) {
                    locks.close();
                }
            }
        }
    }

    /** True if there may be more to take. */
    private boolean takeOldest(View view, CollectionEntry collection, LockSet locks, ChangeList changes) {
        CollectionEntry.Capped bounds = collection.capped().orElseThrow();
        Totals totals = view.totals(collection);
        long bytes = totals.bytes();
        long documents = totals.documents();
        try (Rows rows = view.records(collection)) {
            boolean on = rows.first();
            while (on && (bytes > bounds.bytes() || bounds.documents() > 0 && documents > bounds.documents())) {
                if (changes.records() >= WriteLimits.BACKGROUND_DOCUMENTS) {
                    return true;
                }
                RecordId id = RecordStore.recordId(rows.key());
                RawDocument seen = RawDocument.of(rows.value());
                if (!locks.tryDocument(collection.ident(), id, Placement.shardKey(collection, seen))) {
                    return false;
                }
                // Seen before it was locked: what counts is what it is now.
                try (View now = parts.views().open()) {
                    now.document(collection, id)
                            .ifPresent(document -> changes.delete(
                                    collection,
                                    id,
                                    document,
                                    parts.indexer().keys(collection, document),
                                    View.owns(collection, document)));
                }
                bytes -= seen.size();
                documents--;
                on = rows.next();
            }
        }
        return false;
    }
}
