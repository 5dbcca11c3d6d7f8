package io.ostraka.query.pipeline;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Finds the collections that stages as they are written read besides their own. */
final class ForeignNames {
    private ForeignNames() {}

    static void collect(BsonDocument stage, Set<String> names) {
        stage.forEach((name, argument) -> {
            switch (name) {
                case "$lookup", "$graphLookup" -> of(argument, "from", names);
                case "$unionWith" -> {
                    add(argument, names);
                    of(argument, "coll", names);
                }
                case "$facet" -> {
                    if (argument.isDocument()) {
                        argument.asDocument().values().forEach(pipeline -> all(pipeline, names));
                    }
                }
                default -> {}
            }
        });
    }

    private static void of(BsonValue options, String field, Set<String> names) {
        if (options.isDocument()) {
            BsonDocument document = options.asDocument();
            add(document.get(field), names);
            all(document.get("pipeline"), names);
        }
    }

    private static void all(BsonValue pipeline, Set<String> names) {
        if (pipeline != null && pipeline.isArray()) {
            for (BsonValue stage : pipeline.asArray()) {
                if (stage.isDocument()) {
                    collect(stage.asDocument(), names);
                }
            }
        }
    }

    private static void add(BsonValue name, Set<String> names) {
        if (name != null && name.isString()) {
            names.add(name.asString().getValue());
        }
    }
}
