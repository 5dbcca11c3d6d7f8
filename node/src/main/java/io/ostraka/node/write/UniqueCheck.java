package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.DUPLICATE_KEY;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.lock.IndexKey;
import io.ostraka.node.view.View;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Whether keys are free, in a View and among the documents of the same proposal. The keys are locked by the caller. One
 * thread.
 */
final class UniqueCheck implements AutoCloseable {
    private record Taken(int index, KeyString key) {}

    private final View view;
    private final CollectionEntry collection;
    // What this proposal will have changed when a later document of it is looked at.
    private final Map<Taken, RecordId> taken = new HashMap<>();
    private final Map<Taken, RecordId> freed = new HashMap<>();
    // One walk an index for all documents of the proposal: opening one costs more than moving it.
    private final Map<Integer, Rows> walks = new HashMap<>();

    UniqueCheck(View view, CollectionEntry collection) {
        this.view = view;
        this.collection = collection;
    }

    /** A check of a collection as it stands in the View. */
    static UniqueCheck of(View view, CollectionEntry collection) {
        return new UniqueCheck(view, view.catalog().byIdent(collection.ident()).orElseThrow());
    }

    /** The collection as it stands in the View. */
    CollectionEntry collection() {
        return collection;
    }

    /** The keys to lock before this check can be believed. */
    static List<IndexKey> toLock(List<DocumentKeys> keys) {
        List<IndexKey> locks = new ArrayList<>();
        keys.forEach(each -> toLock(each, Set.of(), locks));
        return locks;
    }

    /** Adds those of one index that the document has not had before. */
    static void toLock(DocumentKeys keys, Set<KeyString> before, List<IndexKey> to) {
        if (keys.index().isUnique()) {
            for (KeyString key : keys.keys()) {
                if (!before.contains(key)) {
                    to.add(new IndexKey(keys.index().ident(), key.bytes()));
                }
            }
        }
    }

    /**
     * Takes all unique keys of a document, or none.
     *
     * @param before the keys it has had so far; empty for a new one
     * @throws CommandException 11000 DuplicateKey
     */
    void take(RecordId id, List<DocumentKeys> keys, List<DocumentKeys> before) {
        for (int i = 0; i < keys.size(); i++) {
            DocumentKeys each = keys.get(i);
            if (each.index().isUnique()) {
                for (KeyString key : each.keys()) {
                    boolean had = !before.isEmpty() && before.get(i).keys().contains(key);
                    if (!had && isTaken(each.index(), key, id)) {
                        throw duplicate(each.index(), key);
                    }
                }
            }
        }
        free(id, before);
        for (DocumentKeys each : keys) {
            if (each.index().isUnique()) {
                each.keys().forEach(key -> taken.put(new Taken(each.index().ident(), key), id));
            }
        }
    }

    /** A document of this proposal gives its keys back. */
    void free(RecordId id, List<DocumentKeys> before) {
        for (DocumentKeys each : before) {
            if (each.index().isUnique()) {
                for (KeyString key : each.keys()) {
                    Taken name = new Taken(each.index().ident(), key);
                    taken.remove(name, id);
                    freed.put(name, id);
                }
            }
        }
    }

    private boolean isTaken(IndexEntry index, KeyString key, RecordId own) {
        Taken name = new Taken(index.ident(), key);
        RecordId taker = taken.get(name);
        if (taker != null && !taker.equals(own)) {
            return true;
        }
        IndexStore store = new IndexStore(index.ident());
        byte[] from = store.from(key.bytes());
        Rows rows = walks.computeIfAbsent(index.ident(), _ -> view.entries(index));
        for (boolean on = rows.seek(from); on; on = rows.next()) {
            byte[] found = rows.key();
            if (!Arrays.equals(IndexStore.keyString(found), key.bytes())) {
                return false;
            }
            RecordId id = IndexStore.recordId(found);
            if (!id.equals(own) && !id.equals(freed.get(name)) && counts(id)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        walks.values().forEach(Rows::close);
        walks.clear();
    }

    /** Documents left behind by a move, or on their way in, do not stand in anybody's way. */
    private boolean counts(RecordId id) {
        if (collection.ownership().isEmpty()) {
            return true;
        }
        return view.document(collection, id)
                .filter(document -> View.owns(collection, document))
                .isPresent();
    }

    private CommandException duplicate(IndexEntry index, KeyString key) {
        return duplicate(collection, index, key);
    }

    static CommandException duplicate(CollectionEntry collection, IndexEntry index, KeyString key) {
        BsonDocument pattern = index.definition().keyPattern().toBson();
        List<BsonValue> values = key.decode(index.definition().descending());
        BsonDocument value = new BsonDocument();
        StringJoiner text = new StringJoiner(", ", "{ ", " }");
        int at = 0;
        for (String field : pattern.keySet()) {
            value.append(field, values.get(at));
            text.add(field + ": " + shown(values.get(at)));
            at++;
        }
        return DUPLICATE_KEY
                .because(
                        "E11000 duplicate key error collection: %s index: %s dup key: %s",
                        collection.namespace(), index.name(), text)
                .with(new BsonDocument("keyPattern", pattern).append("keyValue", value));
    }

    private static String shown(BsonValue value) {
        return switch (value.getBsonType()) {
            case OBJECT_ID -> "ObjectId('" + value.asObjectId().getValue().toHexString() + "')";
            case INT32, INT64 -> Long.toString(value.asNumber().longValue());
            case DOUBLE -> Double.toString(value.asDouble().getValue());
            case NULL -> "null";
            default -> {
                String json = RawDocument.of(new BsonDocument("v", value)).toString();
                yield value.equals(new BsonString("")) ? "\"\"" : json.substring(6, json.length() - 1);
            }
        };
    }
}
