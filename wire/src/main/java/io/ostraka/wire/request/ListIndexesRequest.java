package io.ostraka.wire.request;

import io.ostraka.wire.command.Fields;
import java.util.OptionalInt;

/** {@code listIndexes}. */
public record ListIndexesRequest(String database, String collection, OptionalInt batchSize) {
    public static ListIndexesRequest parse(Fields fields) {
        fields.raw("includeBuildUUIDs");
        fields.raw("includeIndexBuildInfo");
        OptionalInt batchSize = fields.document("cursor")
                .map(options -> fields.nested("cursor", options).count("batchSize"))
                .orElse(OptionalInt.empty());
        return new ListIndexesRequest(fields.database(), fields.collection(), batchSize);
    }

    public String namespace() {
        return database + "." + collection;
    }
}
