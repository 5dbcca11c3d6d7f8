package io.ostraka.wire.request;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.Optional;
import org.bson.BsonValue;

/**
 * {@code count}.
 *
 * @param limit 0 for none; a negative one was made positive
 */
public record CountRequest(
        String database,
        String collection,
        RawDocument query,
        long skip,
        long limit,
        Optional<BsonValue> hint,
        Optional<RawDocument> collation) {
    public static CountRequest parse(Fields fields) {
        long limit = fields.wholeNumber("limit", 0);
        fields.raw("fields"); // some drivers still send it; without effect
        return new CountRequest(
                fields.database(),
                fields.collection(),
                fields.document("query").orElse(RawDocument.EMPTY),
                fields.countLong("skip").orElse(0),
                Math.abs(Math.max(limit, -Long.MAX_VALUE)), // the smallest long has no absolute value
                fields.hint(),
                fields.document("collation").filter(collation -> !collation.isEmpty()));
    }

    public String namespace() {
        return database + "." + collection;
    }
}
