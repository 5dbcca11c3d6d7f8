package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.INVALID_VIEW_DEFINITION;
import static io.ostraka.core.error.ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW;
import static io.ostraka.core.error.ErrorCode.QUERY_FEATURE_NOT_ALLOWED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.filter.GeoTests;
import io.ostraka.query.filter.TextFilters;
import io.ostraka.query.pipeline.Pipeline;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** The options of collections that say what documents must be like, and of views, as they are stored. */
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
            Filter parsed = FilterParser.parse(filter);
            if (TextFilters.isIn(parsed) || GeoTests.near(parsed).isPresent()) {
                throw QUERY_FEATURE_NOT_ALLOWED.because(
                        "%s is not allowed in collection validators: it needs an index",
                        TextFilters.isIn(parsed) ? "$text" : "$near");
            }
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

    /**
     * Options of a view.
     *
     * @param before what else it has, not changed
     * @throws io.ostraka.core.error.CommandException 73 for a name that is none, 167 or 182 for stages no view may have, or the error of a wrong pipeline
     */
    static BsonDocument view(BsonDocument before, Namespace view, String viewOn, Optional<List<RawDocument>> pipeline) {
        Namespace source = new Namespace(view.database(), viewOn);
        List<RawDocument> stages = pipeline.orElse(List.of());
        Pipeline parsed = Pipeline.parse(stages);
        parsed.writer().ifPresent(stage -> {
            throw OPTION_NOT_SUPPORTED_ON_VIEW.because(
                    "%s cannot be used in a view definition", stage.toBson().getFirstKey());
        });
        if (parsed.hasOwnDocuments()) {
            throw INVALID_VIEW_DEFINITION.because(
                    "a view on %s cannot begin with %s, which brings documents of its own",
                    source, stages.getFirst().firstName());
        }
        BsonArray shown = new BsonArray();
        stages.forEach(stage -> shown.add(stage.toBson()));
        BsonDocument options = before.clone();
        options.put("viewOn", new BsonString(viewOn));
        options.put("pipeline", shown);
        return options;
    }

    /** Options with all of the collation written out; the simple one is none. */
    static BsonDocument collated(BsonDocument before) {
        if (!before.isDocument("collation")) {
            return before;
        }
        BsonDocument options = before.clone();
        Collation collation = Collation.parse(before.getDocument("collation"));
        if (collation.isSimple()) {
            options.remove("collation");
        } else {
            options.put("collation", collation.toDocument());
        }
        return options;
    }
}
