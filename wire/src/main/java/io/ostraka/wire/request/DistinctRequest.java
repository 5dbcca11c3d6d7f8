package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.Optional;
import org.bson.BsonValue;

/** {@code distinct}: the different values of one field among the documents that match. */
public record DistinctRequest(
        String database,
        String collection,
        String key,
        RawDocument query,
        Optional<BsonValue> hint,
        Optional<RawDocument> collation) {
    public DistinctRequest {
        if (key.indexOf('\0') >= 0) {
            throw BAD_VALUE.because("Key field cannot contain an embedded null byte");
        }
    }

    public static DistinctRequest parse(Fields fields) {
        return new DistinctRequest(
                fields.database(),
                fields.collection(),
                fields.requiredString("key"),
                fields.document("query").orElse(RawDocument.EMPTY),
                fields.hint(),
                fields.document("collation").filter(collation -> !collation.isEmpty()));
    }

    public String namespace() {
        return database + "." + collection;
    }
}
