package io.ostraka.wire.request;

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
            Optional<RawDocument> sort,
            Optional<KeyRanges> within) {
        static Statement parse(Fields fields, RawDocument raw) {
            fields.bool("upsertSupplied", false); // sent by routers only
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
                    fields.document("sort").filter(sort -> !sort.isEmpty()),
                    Within.parse(fields));
            fields.refuseUnknown();
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
