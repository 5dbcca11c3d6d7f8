package io.ostraka.node.change;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.node.catalog.CatalogChange;
import java.util.Optional;

/** One evaluated effect. */
public sealed interface Change {
    /** @param collection the collection's ident */
    record PutRecord(int collection, RecordId id, RawDocument document) implements Change {}

    record DeleteRecord(int collection, RecordId id) implements Change {}

    /** @param index the index's ident */
    record PutEntry(int index, KeyString key, RecordId id) implements Change {}

    record DeleteEntry(int index, KeyString key, RecordId id) implements Change {}

    /**
     * Adds to a collection's counters.
     *
     * @param documents all there are, owned or not
     * @param unowned those among them that this shard does not own
     * @param bytes of all documents
     * @param unownedBytes of the unowned
     */
    record Count(int collection, long documents, long unowned, long bytes, long unownedBytes) implements Change {
        public Count plus(Count other) {
            return new Count(
                    collection,
                    documents + other.documents,
                    unowned + other.unowned,
                    bytes + other.bytes,
                    unownedBytes + other.unownedBytes);
        }

        public boolean isZero() {
            return documents == 0 && unowned == 0 && bytes == 0 && unownedBytes == 0;
        }
    }

    record OfCatalog(CatalogChange change) implements Change {}

    /**
     * A row for the oplog. The document after a write is that of a record put in the same proposal.
     *
     * @param after the place of that {@link PutRecord} among the proposal's changes, or -1
     * @param before the document before, where somebody asked for it
     */
    record Row(RawDocument header, int after, Optional<RawDocument> before) implements Change {}

    /** Forgets rows of the oplog below a cluster time. */
    record TruncateOplog(long time) implements Change {}
}
