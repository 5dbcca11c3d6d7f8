package io.ostraka.sharding.shard;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.view.Lookup;
import io.ostraka.node.view.View;
import io.ostraka.storage.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads internal collections of a member, which are small. */
public final class StoredRows {
    private StoredRows() {}

    /** All documents of a collection; none where it does not exist. */
    public static List<BsonDocument> all(View view, Namespace namespace) {
        List<BsonDocument> documents = new ArrayList<>();
        Optional<CollectionEntry> entry = view.find(namespace);
        if (entry.isPresent()) {
            try (Rows rows = view.records(entry.get())) {
                for (boolean on = rows.first(); on; on = rows.next()) {
                    documents.add(RawDocument.of(rows.value()).toBson());
                }
            }
        }
        return documents;
    }

    /** The document of an {@code _id}. */
    public static Optional<BsonDocument> get(View view, Namespace namespace, BsonValue id) {
        return view.find(namespace)
                .flatMap(entry -> Lookup.byId(view, entry, KeyString.of(id)))
                .map(found -> found.document().toBson());
    }
}
