package io.ostraka.query.execute;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.KeyRange;
import java.util.Optional;

/**
 * Where documents come from: one collection in one View. The node implements it; everything it gives belongs to the
 * same moment. One thread at a time.
 */
public interface Source {
    /** A record with its document. */
    record Stored(RecordId id, RawDocument document) {}

    /** An entry of an index. The arrays belong to who receives it. */
    record Entry(byte[] key, byte[] typeBits, RecordId id) {}

    /** Something that is walked through. */
    interface Walk<T> extends AutoCloseable {
        /** The next one, or null at the end; after null it goes on giving null. */
        T next();

        @Override
        void close();
    }

    /** All records in the order of their ids, or from the last to the first. */
    Walk<Stored> records(boolean backwards);

    /**
     * The entries of an index with keys in a range, each key with its records in their order, or all of it backwards.
     * Keys come without the record's id behind them.
     */
    Walk<Entry> entries(IndexDefinition index, KeyRange range, boolean backwards);

    /** The document of a record, or nothing where it does not exist. */
    Optional<RawDocument> fetch(RecordId id);

    /** Whether this shard owns a document. True everywhere where the collection is not sharded. */
    boolean owns(RawDocument document);
}
