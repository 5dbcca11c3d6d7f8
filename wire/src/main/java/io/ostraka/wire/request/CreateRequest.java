package io.ostraka.wire.request;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonValue;

/**
 * {@code create}: a collection or a view.
 *
 * @param options what is stored as the collection's options and shown by listCollections, in the order sent
 * @param capped whether the collection is bounded by {@code size} bytes and {@code max} documents
 * @param viewOn the collection a view looks at
 */
public record CreateRequest(
        String database,
        String collection,
        RawDocument options,
        boolean capped,
        OptionalLong size,
        OptionalLong max,
        Optional<String> viewOn,
        Optional<List<RawDocument>> pipeline,
        Optional<RawDocument> validator,
        Optional<String> validationLevel,
        Optional<String> validationAction,
        Optional<RawDocument> collation,
        Optional<RawDocument> timeseries,
        Optional<BsonValue> clusteredIndex) {
    private static final List<String> STORED = List.of(
            "capped",
            "size",
            "max",
            "storageEngine",
            "validator",
            "validationLevel",
            "validationAction",
            "indexOptionDefaults",
            "viewOn",
            "pipeline",
            "collation",
            "timeseries",
            "clusteredIndex",
            "expireAfterSeconds",
            "changeStreamPreAndPostImages");

    public static CreateRequest parse(Fields fields) {
        fields.raw("autoIndexId");
        fields.raw("idIndex");
        fields.raw("flags");
        fields.raw("encryptedFields");
        fields.raw("temp");
        io.ostraka.core.bson.RawBuilder options = new io.ostraka.core.bson.RawBuilder();
        for (String name : STORED) {
            var value = fields.raw(name);
            if (value != null) {
                options.element(value);
            }
        }
        var level = CollModRequest.level(fields);
        var action = CollModRequest.action(fields);
        return new CreateRequest(
                fields.database(),
                fields.collection(),
                options.build(),
                fields.bool("capped", false),
                fields.countLong("size"),
                fields.countLong("max"),
                fields.string("viewOn"),
                fields.documents("pipeline"),
                fields.document("validator"),
                level,
                action,
                fields.document("collation").filter(collation -> !collation.isEmpty()),
                fields.document("timeseries"),
                fields.value("clusteredIndex"));
    }

    public String namespace() {
        return database + "." + collection;
    }
}
