package io.ostraka.router.write;

import static io.ostraka.core.error.ErrorCode.SHARD_KEY_NOT_FOUND;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterBounds;
import io.ostraka.wire.request.Modification;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Where the document belongs that an upsert would make. */
final class UpsertKey {
    private UpsertKey() {}

    /**
     * The owner of the new document's key: its fields come from what the filter demands to equal, then from what the
     * update sets; a field that neither names counts as null.
     *
     * @param supplied the document itself, where the statement brings it
     * @throws io.ostraka.core.error.CommandException 61 where that cannot be told before the update has run
     */
    static ShardId owner(RoutingTable table, Filter filter, Modification update, Optional<RawDocument> supplied) {
        if (supplied.isPresent()) {
            return table.ownerOf(table.key().keyOf(supplied.get()));
        }
        Map<FieldPath, BsonValue> equal = FilterBounds.equalities(filter);
        BsonDocument key = new BsonDocument();
        for (String field : table.key().fields()) {
            BsonValue set = set(update, field);
            BsonValue value = set != null ? set : equal.get(FieldPath.of(field));
            key.put(field, value == null ? BsonNull.VALUE : value);
        }
        return table.key()
                .keyOfFind(RawDocument.of(key))
                .map(table::ownerOf)
                .orElseThrow(() -> SHARD_KEY_NOT_FOUND.because("the upsert does not name its shard key"));
    }

    /** What an update makes of a field of a new document, or null where it says nothing. */
    private static BsonValue set(Modification update, String field) {
        return switch (update) {
            case Modification.Replacement replacement -> {
                RawCursor found = FieldPath.of(field).find(replacement.document());
                yield found == null ? null : found.value();
            }
            case Modification.Operators operators -> operator(operators.update(), field);
            case Modification.Pipeline pipeline ->
                throw SHARD_KEY_NOT_FOUND.because(
                        "an upsert by a pipeline must name the whole shard key in its filter: '%s' is missing", field);
        };
    }

    private static BsonValue operator(RawDocument update, String field) {
        for (String name : new String[] {"$set", "$setOnInsert"}) {
            RawCursor operator = update.find(name);
            if (operator == null || !operator.isDocument()) {
                continue;
            }
            RawDocument sets = operator.document();
            RawCursor whole = sets.find(field);
            if (whole != null) {
                return whole.value();
            }
            RawCursor nested = FieldPath.of(field).find(sets);
            if (nested != null) {
                return nested.value();
            }
        }
        return null;
    }
}
