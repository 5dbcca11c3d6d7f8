package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.filter.FilterParser;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** The options of collections that say what documents must be like, as they are stored. */
final class CollectionOptions {
    private static final Set<String> WITHOUT_VALIDATORS = Set.of("admin", "local", "config");

    private CollectionOptions() {}

    /**
     * Options with a validator, or with none where an empty one is given. Where there is one, its level and action are
     * written out, as listCollections shows them.
     *
     * @param before not changed
     * @throws io.ostraka.core.error.CommandException 72 in a database of the server's own, or the error of a wrong filter
     */
    static BsonDocument validated(
            BsonDocument before,
            String database,
            Optional<RawDocument> validator,
            Optional<String> level,
            Optional<String> action) {
        BsonDocument options = before.clone();
        validator.ifPresent(filter -> {
            if (filter.isEmpty()) {
                options.remove("validator");
                return;
            }
            if (WITHOUT_VALIDATORS.contains(database)) {
                throw INVALID_OPTIONS.because(
                        "Document validators are not allowed on collections in the %s database", database);
            }
            var unused = FilterParser.parse(filter);
            options.put("validator", filter.toBson());
        });
        level.ifPresent(text -> options.put("validationLevel", new BsonString(text)));
        action.ifPresent(text -> options.put("validationAction", new BsonString(text)));
        if (options.containsKey("validator")) {
            options.putIfAbsent("validationLevel", new BsonString("strict"));
            options.putIfAbsent("validationAction", new BsonString("error"));
        }
        return options;
    }
}
