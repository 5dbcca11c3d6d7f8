package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.wire.command.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonValue;

/**
 * {@code update}.
 *
 * @param statements in order, at least one and at most {@link RequestLimits#WRITE_BATCH}
 */
public record UpdateRequest(
        String database,
        String collection,
        List<Statement> statements,
        boolean ordered,
        boolean bypassValidation,
        Optional<RawDocument> let) {
    /**
     * One statement.
     *
     * @param raw the statement as sent, for forwarding
     * @param arrayFilters an array's bytes
     * @param constants variables of this statement alone, with their values
     * @param upsertSupplied whether an upsert stores the constant {@code new} as it is
     * @param within the shard keys it is held to, see {@link Within}
     */
    public record Statement(
            RawDocument raw,
            RawDocument filter,
            Modification update,
            boolean upsert,
            boolean multi,
            Optional<RawDocument> collation,
            Optional<RawDocument> arrayFilters,
            Optional<BsonValue> hint,
            Optional<RawDocument> constants,
            boolean upsertSupplied,
            Optional<RawDocument> sort,
            Optional<KeyRanges> within)
            implements Selecting {
        /** What an upsert stores, where the statement brings it. */
        public Optional<RawDocument> supplied() {
            return constants
                    .filter(_ -> upsertSupplied)
                    .map(values -> values.find("new"))
                    .filter(RawCursor::isDocument)
                    .map(RawCursor::document);
        }

        static Statement parse(Fields fields, RawDocument raw) {
            fields.raw("sampleId");
            fields.raw("allowShardKeyUpdatesWithoutFullShardKeyInQuery");
            Statement statement = new Statement(
                    raw,
                    fields.requiredDocument("q"),
                    Modification.parse(fields, "u"),
                    fields.bool("upsert", false),
                    fields.bool("multi", false),
                    fields.document("collation").filter(collation -> !collation.isEmpty()),
                    fields.rawArray("arrayFilters"),
                    fields.hint(),
                    fields.document("c"),
                    fields.bool("upsertSupplied", false),
                    fields.document("sort").filter(sort -> !sort.isEmpty()),
                    Within.parse(fields));
            fields.refuseUnknown();
            if (statement.upsertSupplied && statement.supplied().isEmpty()) {
                throw FAILED_TO_PARSE.because("the parameter 'upsertSupplied' needs the document 'c.new'");
            }
            return statement;
        }
    }

    public UpdateRequest {
        statements = List.copyOf(statements);
        Batches.check("update", "updates", statements);
    }

    public static UpdateRequest parse(Fields fields) {
        List<Statement> statements = new ArrayList<>();
        for (RawDocument raw : fields.requiredDocuments("updates")) {
            statements.add(Statement.parse(fields.nested("updates", raw), raw));
        }
        fields.raw("runtimeConstants");
        fields.raw("encryptionInformation");
        return new UpdateRequest(
                fields.database(),
                fields.collection(),
                statements,
                fields.bool("ordered", true),
                fields.bool("bypassDocumentValidation", false),
                fields.document("let"));
    }

    public String namespace() {
        return database + "." + collection;
    }
}
