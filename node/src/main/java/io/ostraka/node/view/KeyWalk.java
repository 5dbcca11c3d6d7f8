package io.ostraka.node.view;

import static io.ostraka.core.error.ErrorCode.INDEX_NOT_FOUND;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.Rows;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The documents of a range of a shard key, by an index that begins with it: for splitting, moving, deleting and sizing. One
 * thread; lives as long as its View.
 */
public final class KeyWalk implements AutoCloseable {
    private final View view;
    private final CollectionEntry collection;
    private final ShardKey key;
    private final IndexEntry index;
    private final IndexStore store;
    private final Rows rows;
    private final byte[] end;
    private boolean started;
    private byte[] keyBytes;
    private byte[] typeBits;
    private RecordId id;
    private final byte[] from;

    /**
     * @param range of the key's bytes
     * @throws io.ostraka.core.error.CommandException 27 IndexNotFound where no index begins with the key
     */
    public KeyWalk(View view, CollectionEntry collection, ShardKey key, KeyRange range) {
        this.view = view;
        this.collection = collection;
        this.key = key;
        index = supporting(collection, key)
                .orElseThrow(() -> INDEX_NOT_FOUND.because(
                        "couldn't find index over splitting key %s in %s", key, collection.namespace()));
        store = new IndexStore(index.ident());
        from = store.from(range.min());
        end = store.from(range.max());
        rows = view.entries(index);
    }

    /** A ready index without arrays that begins with the key. */
    public static Optional<IndexEntry> supporting(CollectionEntry collection, ShardKey key) {
        return collection.indexes().stream()
                .filter(each -> each.isReady()
                        && each.definition().isComplete()
                        && (each.definition().collation().isSimple()
                                || each.definition().isId())
                        && (each.multikey() & (1L << key.size()) - 1) == 0
                        && key.isSupportedBy(each.definition().keyPattern().toBson()))
                .findFirst();
    }

    /** Moves to the next document, owned or not; false at the end. */
    public boolean next() {
        boolean on = started ? rows.next() : rows.seek(from);
        started = true;
        if (!on) {
            return false;
        }
        byte[] row = rows.key();
        if (Arrays.compareUnsigned(row, end) >= 0) {
            return false;
        }
        keyBytes = IndexStore.keyString(row);
        typeBits = rows.value();
        id = IndexStore.recordId(row);
        return true;
    }

    /** Where the document is. */
    public RecordId recordId() {
        return id;
    }

    /** The index key of the document: the shard key, and what the index has behind it. */
    public byte[] key() {
        return keyBytes;
    }

    /** The document. */
    public RawDocument document() {
        return view.document(collection, id).orElseThrow();
    }

    /** The shard key's values, hashed where it is: a bound before this document and after all smaller ones. */
    public BsonDocument bound() {
        List<BsonValue> values =
                new KeyString(keyBytes, typeBits).decode(index.definition().descending());
        BsonDocument bound = new BsonDocument();
        for (int i = 0; i < key.size(); i++) {
            bound.append(key.fields().get(i), values.get(i));
        }
        return bound;
    }

    @Override
    public void close() {
        rows.close();
    }
}
