package io.ostraka.sharding.catalog;

import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/**
 * The collections of the {@code config} database as the catalog uses them: replicated, and changed atomically.
 */
public interface CatalogStore {
    /** One document to be stored or to go. */
    sealed interface Change {
        /** Stores a document, in place of the one with the same {@code _id} if there is one. */
        record Put(String collection, BsonDocument document) implements Change {}

        /** Removes the document of this {@code _id}; nothing if there is none. */
        record Delete(String collection, BsonValue id) implements Change {}
    }

    /** The documents of a collection that match a filter, in natural order; none where there is no such collection. */
    List<BsonDocument> find(String collection, BsonDocument filter);

    /** The document of an {@code _id}. */
    Optional<BsonDocument> get(String collection, BsonValue id);

    /**
     * Stores all changes or none. When this returns they are durable and applied.
     *
     * @throws io.ostraka.core.error.CommandException if this process may not write, or the outcome is unknown
     */
    void commit(List<Change> changes);

    /** A cluster time after all that were given before. */
    BsonTimestamp tick();
}
