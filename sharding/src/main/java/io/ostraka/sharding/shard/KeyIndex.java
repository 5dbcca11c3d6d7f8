package io.ostraka.sharding.shard;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.view.View;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.Rows;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/**
 * The documents of a collection in order of their shard key, by an index that begins with it. Bounds of ranges are
 * prefixes of that index's keys, so a range of keys is a range of entries.
 */
public final class KeyIndex {
    private final CollectionEntry collection;
    private final IndexEntry index;

    private KeyIndex(CollectionEntry collection, IndexEntry index) {
        this.collection = collection;
        this.index = index;
    }

    /** The best supporting index there is: complete, not multikey, with the fewest fields. */
    public static Optional<KeyIndex> of(CollectionEntry collection, ShardKey key) {
        return collection.indexes().stream()
                .filter(index -> supports(index, key))
                .min(Comparator.comparingInt(
                        index -> index.definition().keyPattern().toBson().size()))
                .map(index -> new KeyIndex(collection, index));
    }

    /**
     * Whether an index can serve a shard key: its prefix, complete, not multikey, not hidden, and in the order of the key: by bytes. That on {@code _id} may have another one; collections sharded by it are refused then, and one chunk of
     * everything has no order.
     */
    public static boolean supports(IndexEntry index, ShardKey key) {
        return index.isReady()
                && index.multikey() == 0
                && !index.definition().hidden()
                && index.definition().isComplete()
                && (index.definition().collation().isSimple()
                        || index.definition().isId())
                && key.isSupportedBy(index.definition().keyPattern().toBson());
    }

    /** Takes the entries of a walk one by one. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * @param entry the stored key: a place to go on after
         * @return whether to go on
         */
        boolean visit(byte[] entry, RecordId id);
    }

    /**
     * Walks the entries of a range in order.
     *
     * @param after the stored key of the last entry seen, or empty to begin at the range's lower end
     * @return whether the range's upper end was reached
     */
    public boolean walk(View view, KeyRange range, Optional<byte[]> after, Visitor visitor) {
        IndexStore store = new IndexStore(index.ident());
        byte[] from = after.orElseGet(() -> store.from(range.min()));
        byte[] to = store.from(range.max());
        try (Rows rows = view.entries(index)) {
            boolean on = rows.seek(from);
            if (on && after.isPresent() && Arrays.equals(rows.key(), from)) {
                on = rows.next();
            }
            for (; on; on = rows.next()) {
                byte[] entry = rows.key();
                if (Arrays.compareUnsigned(entry, to) >= 0) {
                    return true;
                }
                if (!visitor.visit(entry, IndexStore.recordId(entry))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The document an entry points to. */
    public Optional<RawDocument> document(View view, RecordId id) {
        return view.document(collection, id);
    }

    /** The index key of an entry, without what the store puts around it. */
    public static byte[] keyString(byte[] entry) {
        return IndexStore.keyString(entry);
    }
}
