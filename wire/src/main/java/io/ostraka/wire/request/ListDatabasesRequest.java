package io.ostraka.wire.request;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;

/** {@code listDatabases}. */
public record ListDatabasesRequest(RawDocument filter, boolean nameOnly) {
    public static ListDatabasesRequest parse(Fields fields) {
        fields.bool("authorizedDatabases", true);
        return new ListDatabasesRequest(
                fields.document("filter").orElse(RawDocument.EMPTY), fields.bool("nameOnly", false));
    }
}
