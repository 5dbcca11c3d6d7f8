package io.ostraka.node.view;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.Rows;
import java.util.Arrays;
import java.util.Optional;
import org.bson.BsonType;

/** Documents by a key that names one. */
public final class Lookup {
    /** A document and where it is. */
    public record Found(RecordId id, RawDocument document) {}

    private Lookup() {}

    /** Whether values of a type equal values of their own kind only: no pattern, no null, no array, no document. */
    public static boolean isOneValue(BsonType type) {
        return switch (type) {
            case OBJECT_ID, INT32, INT64, STRING, BINARY, DATE_TIME -> true;
            default -> false;
        };
    }

    /** The same as {@link #byId} where it is a query's plan: it counts as a use of the index. */
    public static Optional<Found> planned(View view, CollectionEntry collection, KeyString id) {
        view.used(collection.idIndex());
        return byId(view, collection, id);
    }

    /** The owned document of an {@code _id}. */
    public static Optional<Found> byId(View view, CollectionEntry collection, KeyString id) {
        IndexEntry index = collection.idIndex();
        try (Rows rows = view.entries(index)) {
            byte[] from = new IndexStore(index.ident()).from(id.bytes());
            for (boolean on = rows.seek(from); on; on = rows.next()) {
                byte[] key = rows.key();
                if (!Arrays.equals(IndexStore.keyString(key), id.bytes())) {
                    return Optional.empty();
                }
                RecordId record = IndexStore.recordId(key);
                Optional<RawDocument> document =
                        view.document(collection, record).filter(found -> View.owns(collection, found));
                if (document.isPresent()) {
                    return Optional.of(new Found(record, document.get()));
                }
            }
            return Optional.empty();
        }
    }
}
