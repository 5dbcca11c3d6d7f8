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

    static Placement of(CollectionEntry collection, Optional<byte[]> shardKey) {
        if (collection.ownership().isEmpty() || shardKey.isEmpty()) {
            return OWNED;
        }
        Ownership ownership = collection.ownership().get();
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
