package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonValue;

/** {@code dropIndexes}. */
public record DropIndexesRequest(String database, String collection, Which which) {
    /** Which indexes go. */
    public sealed interface Which {
        /** All but that of {@code _id}: {@code "*"}. */
        record All() implements Which {}

        /** Those of these names, at least one. */
        record Named(List<String> names) implements Which {
            public Named {
                names = List.copyOf(names);
            }
        }

        /** The one with this key pattern. */
        record ByKey(RawDocument pattern) implements Which {}
    }

    public static DropIndexesRequest parse(Fields fields) {
        return new DropIndexesRequest(fields.database(), fields.collection(), which(fields));
    }

    private static Which which(Fields fields) {
        BsonValue index = fields.requiredValue("index");
        if (index.isDocument()) {
            return new Which.ByKey(fields.requiredDocument("index"));
        }
        List<String> names = new ArrayList<>();
        for (BsonValue name : index.isArray() ? index.asArray().getValues() : List.of(index)) {
            if (!name.isString()) {
                throw TYPE_MISMATCH.because(
                        "BSON field 'dropIndexes.index' must be an index's name, several names, or a key pattern");
            }
            names.add(name.asString().getValue());
        }
        return names.equals(List.of("*")) && !index.isArray() ? new Which.All() : new Which.Named(names);
    }

    public String namespace() {
        return database + "." + collection;
    }
}
