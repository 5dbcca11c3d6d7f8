package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.Optional;
import org.bson.BsonValue;

/**
 * {@code findAndModify}: changes or removes the first document that matches, in the sort's order, and answers with it.
 *
 * @param update absent when the document is removed
 * @param answerNew whether the answer is the changed document
 * @param projection what of the document is answered
 * @param arrayFilters an array's bytes
 */
public record FindAndModifyRequest(
        String database,
        String collection,
        RawDocument query,
        RawDocument sort,
        boolean remove,
        Optional<Modification> update,
        boolean answerNew,
        RawDocument projection,
        boolean upsert,
        boolean bypassValidation,
        Optional<RawDocument> collation,
        Optional<RawDocument> arrayFilters,
        Optional<BsonValue> hint,
        Optional<RawDocument> let) {
    public FindAndModifyRequest {
        if (remove && update.isPresent()) {
            throw FAILED_TO_PARSE.because("Cannot specify both an update and remove=true");
        }
        if (!remove && update.isEmpty()) {
            throw FAILED_TO_PARSE.because("Either an update or remove=true must be specified");
        }
        if (remove && upsert) {
            throw FAILED_TO_PARSE.because("Cannot specify both upsert=true and remove=true");
        }
        if (remove && answerNew) {
            throw FAILED_TO_PARSE.because(
                    "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
        }
    }

    public static FindAndModifyRequest parse(Fields fields) {
        fields.raw("runtimeConstants");
        fields.raw("encryptionInformation");
        fields.raw("sampleId");
        fields.raw("allowShardKeyUpdatesWithoutFullShardKeyInQuery");
        Optional<RawDocument> projection = fields.document("fields");
        return new FindAndModifyRequest(
                fields.database(),
                fields.collection(),
                fields.document("query").orElse(RawDocument.EMPTY),
                fields.document("sort").orElse(RawDocument.EMPTY),
                fields.bool("remove", false),
                fields.has("update") ? Optional.of(Modification.parse(fields, "update")) : Optional.empty(),
                fields.bool("new", false),
                projection.orElse(RawDocument.EMPTY),
                fields.bool("upsert", false),
                fields.bool("bypassDocumentValidation", false),
                fields.document("collation").filter(collation -> !collation.isEmpty()),
                fields.rawArray("arrayFilters"),
                fields.hint(),
                fields.document("let"));
    }

    public String namespace() {
        return database + "." + collection;
    }
}
