package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.List;

/**
 * {@code createIndexes}.
 *
 * @param indexes the specifications as sent, at least one; what is in each is checked by who makes the index
 */
public record CreateIndexesRequest(String database, String collection, List<RawDocument> indexes) {
    public CreateIndexesRequest {
        indexes = List.copyOf(indexes);
        if (indexes.isEmpty()) {
            throw BAD_VALUE.because("Must specify at least one index to create");
        }
    }

    public static CreateIndexesRequest parse(Fields fields) {
        fields.raw("commitQuorum"); // an index is ready on all members in the same log entry
        fields.raw("ignoreUnknownIndexOptions");
        fields.raw("v");
        return new CreateIndexesRequest(fields.database(), fields.collection(), fields.requiredDocuments("indexes"));
    }

    public String namespace() {
        return database + "." + collection;
    }
}
