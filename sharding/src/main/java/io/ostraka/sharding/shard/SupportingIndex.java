package io.ostraka.sharding.shard;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NO_INDEX_AND_NOT_IMPLICIT;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.query.index.IndexDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The rules about indexes that a collection must meet to be sharded by a key.
 *
 * @param unique whether key values are to be unique
 * @param mayCreate whether a missing index may be made
 * @param checkUniqueness whether a unique key needs a unique index, and unique indexes must begin with the key
 */
record SupportingIndex(Namespace namespace, ShardKey key, boolean unique, boolean mayCreate, boolean checkUniqueness) {
    /**
     * The index that must be made first; empty if all is there.
     *
     * @param isEmpty whether the collection holds no document
     * @throws io.ostraka.core.error.CommandException 72, or 6373200, if the collection cannot be sharded by the key as it is
     */
    Optional<IndexDefinition> missing(Optional<CollectionEntry> collection, boolean isEmpty) {
        if (checkUniqueness) {
            collection.ifPresent(this::checkUniqueIndexes);
        }
        boolean there = collection
                .map(entry -> entry.indexes().stream().anyMatch(index -> KeyIndex.supports(index, key)))
                .orElse(false);
        boolean uniqueThere = collection
                .map(entry -> entry.indexes().stream().anyMatch(this::isUniqueOnKey))
                .orElse(false);
        boolean idAlone = key.fields().equals(List.of("_id")) && !key.hasHashed();
        if (there && (!unique || uniqueThere || idAlone || !checkUniqueness)) {
            return Optional.empty();
        }
        if (idAlone) {
            return Optional.empty();
        }
        if (!mayCreate) {
            throw NO_INDEX_AND_NOT_IMPLICIT.because(
                    "Collection '%s' has no index for the shard key %s, and implicitlyCreateIndex is false",
                    namespace, key);
        }
        if (!isEmpty) {
            throw INVALID_OPTIONS.because(
                    "Please create an index that starts with the proposed shard key before sharding the collection: db.getSiblingDB(\"%s\").getCollection(\"%s\").createIndex(%s%s)",
                    namespace.database(),
                    namespace.collection(),
                    key.pattern().toJson(),
                    unique ? ", {unique: true}" : "");
        }
        return Optional.of(definition());
    }

    private boolean isUniqueOnKey(IndexEntry index) {
        return index.isReady()
                && index.isUnique()
                && index.definition().keyPattern().toBson().size() == key.size()
                && key.isSupportedBy(index.definition().keyPattern().toBson());
    }

    /** A unique index can only be kept unique by one shard alone if all its equal values live on one shard. */
    private void checkUniqueIndexes(CollectionEntry entry) {
        for (IndexEntry index : entry.indexes()) {
            boolean prefixed = key.isSupportedBy(index.definition().keyPattern().toBson())
                    && index.definition().collation().isSimple();
            if (index.definition().unique() && !index.definition().isId() && !prefixed) {
                throw INVALID_OPTIONS.because(
                        "can't shard collection '%s' with unique index %s: a unique index must start with the shard key %s; drop it, or choose a key that it starts with",
                        namespace, index.definition().keyPattern().toBson().toJson(), key);
            }
        }
    }

    private IndexDefinition definition() {
        StringBuilder name = new StringBuilder();
        for (Map.Entry<String, BsonValue> field : key.pattern().entrySet()) {
            name.append(name.isEmpty() ? "" : "_").append(field.getKey()).append('_');
            name.append(field.getValue().isString() ? "hashed" : "1");
        }
        BsonDocument spec = new BsonDocument("key", key.pattern()).append("name", new BsonString(name.toString()));
        if (unique) {
            spec.append("unique", BsonBoolean.TRUE);
        }
        return IndexDefinition.parse(RawDocument.of(spec));
    }
}
