package io.ostraka.wire.request;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.List;

/**
 * {@code insert}.
 *
 * @param documents at least one and at most {@link RequestLimits#WRITE_BATCH}, as sent; the size of each is checked per
 *     document by who inserts, since a too large one fails alone
 */
public record InsertRequest(
        String database, String collection, List<RawDocument> documents, boolean ordered, boolean bypassValidation) {
    public InsertRequest {
        documents = List.copyOf(documents);
        Batches.check("insert", "documents", documents);
    }

    public static InsertRequest parse(Fields fields) {
        fields.raw("encryptionInformation");
        return new InsertRequest(
                fields.database(),
                fields.collection(),
                fields.requiredDocuments("documents"),
                fields.bool("ordered", true),
                fields.bool("bypassDocumentValidation", false));
    }

    public String namespace() {
        return database + "." + collection;
    }
}
