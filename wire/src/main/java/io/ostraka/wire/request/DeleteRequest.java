package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.wire.command.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonValue;

/**
 * {@code delete}.
 *
 * @param statements in order, at least one and at most {@link RequestLimits#WRITE_BATCH}
 */
public record DeleteRequest(
        String database, String collection, List<Statement> statements, boolean ordered, Optional<RawDocument> let) {
    /**
     * One statement.
     *
     * @param raw the statement as sent, for forwarding
     * @param multi whether all matching documents go, or the first alone
     * @param within the shard keys it is held to, see {@link Within}
     */
    public record Statement(
            RawDocument raw,
            RawDocument filter,
            boolean multi,
            Optional<RawDocument> collation,
            Optional<BsonValue> hint,
            Optional<KeyRanges> within)
            implements Selecting {
        static Statement parse(Fields fields, RawDocument raw) {
            fields.raw("sampleId");
            fields.requiredValue("limit");
            long limit = fields.wholeNumber("limit", 0);
            if (limit != 0 && limit != 1) {
                throw FAILED_TO_PARSE.because("The limit field in delete objects must be 0 or 1. Got %d", limit);
            }
            Statement statement = new Statement(
                    raw,
                    fields.requiredDocument("q"),
                    limit == 0,
                    fields.document("collation").filter(collation -> !collation.isEmpty()),
                    fields.hint(),
                    Within.parse(fields));
            fields.refuseUnknown();
            return statement;
        }
    }

    public DeleteRequest {
        statements = List.copyOf(statements);
        Batches.check("delete", "deletes", statements);
    }

    public static DeleteRequest parse(Fields fields) {
        List<Statement> statements = new ArrayList<>();
        for (RawDocument raw : fields.requiredDocuments("deletes")) {
            statements.add(Statement.parse(fields.nested("deletes", raw), raw));
        }
        fields.raw("runtimeConstants");
        fields.raw("encryptionInformation");
        return new DeleteRequest(
                fields.database(),
                fields.collection(),
                statements,
                fields.bool("ordered", true),
                fields.document("let"));
    }

    public String namespace() {
        return database + "." + collection;
    }
}
