package io.ostraka.wire.request;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.OptionalInt;

/** {@code listCollections}. */
public record ListCollectionsRequest(String database, RawDocument filter, boolean nameOnly, OptionalInt batchSize) {
    public static ListCollectionsRequest parse(Fields fields) {
        fields.bool("authorizedCollections", false);
        OptionalInt batchSize = fields.document("cursor")
                .map(options -> fields.nested("cursor", options).count("batchSize"))
                .orElse(OptionalInt.empty());
        return new ListCollectionsRequest(
                fields.database(),
                fields.document("filter").orElse(RawDocument.EMPTY),
                fields.bool("nameOnly", false),
                batchSize);
    }

    public String namespace() {
        return database + ".$cmd.listCollections";
    }
}
