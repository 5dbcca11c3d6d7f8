package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Ownership;
import io.ostraka.node.catalog.CollectionEntry;
import java.util.Optional;

/** Where a document to be written belongs, by the ownership of its collection's entry. */
enum Placement {
    /** Here: write it. */
    OWNED,
    /** On another shard: the router must look again. */
    UNOWNED,
    /** Being handed over: let go of all locks and wait for a change of the catalog. */
    BLOCKED;

    /**
     * Asked under the document's lock.
     *
     * @param now the collection as it is now
     * @param known as it was when the key was made. If it was sharded since, or by another key, then whoever drained the range
     *     before did not see this writer, who must begin again: the same as one who comes while the range is handed over.
     */
    static Placement of(CollectionEntry now, CollectionEntry known, Optional<byte[]> shardKey) {
        if (now.ownership().isEmpty()) {
            return OWNED;
        }
        Ownership ownership = now.ownership().get();
        boolean sameKey = known.ownership()
                .map(before -> before.key().equals(ownership.key()))
                .orElse(false);
        if (!sameKey) {
            return BLOCKED;
        }
        if (shardKey.isEmpty()) {
            return OWNED;
        }
        if (ownership.blocks(shardKey.get())) {
            return BLOCKED;
        }
        return ownership.owns(shardKey.get()) ? OWNED : UNOWNED;
    }

    /** @throws io.ostraka.core.error.CommandException 61 ShardKeyNotFound where it has none */
    static Optional<byte[]> shardKey(CollectionEntry collection, RawDocument document) {
        return collection.ownership().map(ownership -> ownership.key().keyOf(document));
    }
}
