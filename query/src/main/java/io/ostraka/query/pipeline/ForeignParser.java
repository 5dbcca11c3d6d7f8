package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.GRAPH_LOOKUP_DEPTH_NEGATIVE;
import static io.ostraka.core.error.ErrorCode.GRAPH_LOOKUP_DEPTH_NOT_NUMBER;
import static io.ostraka.core.error.ErrorCode.GRAPH_LOOKUP_DEPTH_NOT_WHOLE;
import static io.ostraka.core.error.ErrorCode.GRAPH_LOOKUP_NEEDS;
import static io.ostraka.core.error.ErrorCode.GRAPH_LOOKUP_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.GRAPH_LOOKUP_NOT_STRING;
import static io.ostraka.core.error.ErrorCode.GRAPH_LOOKUP_RESTRICTION_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.GRAPH_LOOKUP_UNKNOWN;
import static io.ostraka.core.error.ErrorCode.STAGE_NOT_IN_LOOKUP;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Reads the stages that read other collections. Their pipelines are checked here, and read again when they run. */
final class ForeignParser {
    /** Stands for a variable's value while a pipeline is only checked. */
    private static final BsonValue ANY = new BsonInt32(1);

    private ForeignParser() {}

    static Stage lookup(BsonValue argument, Variables outer) {
        if (!argument.isDocument()) {
            throw FAILED_TO_PARSE.because(
                    "the $lookup stage specification must be an object, but found %s", Values.typeName(argument));
        }
        BsonDocument options = argument.asDocument();
        known("$lookup", options, Set.of("from", "as", "localField", "foreignField", "let", "pipeline"));
        if (!options.containsKey("as")) {
            throw FAILED_TO_PARSE.because("must specify 'as' field for a $lookup");
        }
        Map<String, Expression> let = let(options, outer);
        List<RawDocument> pipeline = pipeline("$lookup", options);
        Optional<String> from = text("$lookup", options, "from");
        check(pipeline, let, outer, from.isPresent());
        boolean hasLocal = options.containsKey("localField");
        if (hasLocal != options.containsKey("foreignField")) {
            throw FAILED_TO_PARSE.because(
                    "$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
        }
        if (!hasLocal && !options.containsKey("pipeline")) {
            throw FAILED_TO_PARSE.because(
                    "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
        }
        if (!options.containsKey("pipeline") && !let.isEmpty()) {
            throw FAILED_TO_PARSE.because("$lookup with a 'let' argument must also specify 'pipeline'");
        }
        Optional<Stage.Equality> equality = hasLocal
                ? Optional.of(new Stage.Equality(
                        path("$lookup", options, "localField"), path("$lookup", options, "foreignField")))
                : Optional.empty();
        return new Stage.Lookup(from, path("$lookup", options, "as"), equality, let, pipeline, outer, options);
    }

    private static void known(String stage, BsonDocument options, Set<String> known) {
        for (String name : options.keySet()) {
            if (!known.contains(name)) {
                throw FAILED_TO_PARSE.because("unknown argument to %s: %s", stage, name);
            }
        }
    }

    private static Map<String, Expression> let(BsonDocument options, Variables outer) {
        BsonValue let = options.get("let", new BsonDocument());
        if (!let.isDocument()) {
            throw FAILED_TO_PARSE.because(
                    "$lookup argument 'let: %s' must be an object, is type %s", Values.show(let), Values.typeName(let));
        }
        Map<String, Expression> read = new HashMap<>();
        let.asDocument().forEach((name, value) -> {
            Variables.checkName(name);
            read.put(name, outer.expression(value));
        });
        return read;
    }

    private static List<RawDocument> pipeline(String stage, BsonDocument options) {
        BsonValue pipeline = options.get("pipeline");
        if (pipeline == null) {
            return List.of();
        }
        if (!pipeline.isArray() || !pipeline.asArray().stream().allMatch(BsonValue::isDocument)) {
            throw FAILED_TO_PARSE.because("'pipeline' of %s must be an array of objects", stage);
        }
        List<RawDocument> stages = new ArrayList<>();
        pipeline.asArray().forEach(each -> stages.add(RawDocument.of(each.asDocument())));
        return stages;
    }

    private static void check(
            List<RawDocument> pipeline, Map<String, Expression> let, Variables outer, boolean hasFrom) {
        Map<String, BsonValue> any = new HashMap<>();
        let.keySet().forEach(name -> any.put(name, ANY));
        Pipeline read = Pipeline.parse(pipeline, outer.with(any));
        read.writer().ifPresent(stage -> {
            throw STAGE_NOT_IN_LOOKUP.because(
                    "%s is not allowed within the pipeline over another collection",
                    stage.toBson().getFirstKey());
        });
        boolean brings = !read.stages().isEmpty() && read.stages().getFirst() instanceof Stage.Documents;
        if (!hasFrom && !brings) {
            throw FAILED_TO_PARSE.because(
                    "name the other collection, or begin the pipeline with $documents to do without one");
        }
        if (hasFrom && read.hasOwnDocuments()) {
            throw FAILED_TO_PARSE.because(
                    "%s cannot begin the pipeline over another collection",
                    read.stages().getFirst().toBson().getFirstKey());
        }
    }

    static Stage unionWith(BsonValue argument, Variables outer) {
        if (argument.isString()) {
            return new Stage.UnionWith(Optional.of(argument.asString().getValue()), List.of(), outer, argument);
        }
        if (!argument.isDocument()) {
            throw FAILED_TO_PARSE.because(
                    "the $unionWith stage specification must be an object or string, but found %s",
                    Values.typeName(argument));
        }
        BsonDocument options = argument.asDocument();
        known("$unionWith", options, Set.of("coll", "pipeline"));
        List<RawDocument> pipeline = pipeline("$unionWith", options);
        Optional<String> from = text("$unionWith", options, "coll");
        check(pipeline, Map.of(), outer, from.isPresent());
        return new Stage.UnionWith(from, pipeline, outer, argument);
    }

    private static Optional<String> text(String stage, BsonDocument options, String name) {
        BsonValue value = options.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isString() || value.asString().getValue().isEmpty()) {
            throw FAILED_TO_PARSE.because(
                    "%s argument '%s: %s' must be a non-empty string", stage, name, Values.show(value));
        }
        return Optional.of(value.asString().getValue());
    }

    private static FieldPath path(String stage, BsonDocument options, String name) {
        String text = text(stage, options, name).orElseThrow();
        return ExpressionParser.path(text);
    }

    private static final Set<String> GRAPH_NEEDS =
            Set.of("from", "as", "startWith", "connectFromField", "connectToField");

    static Stage graphLookup(BsonValue argument, Variables outer) {
        if (!argument.isDocument()) {
            throw GRAPH_LOOKUP_NOT_OBJECT.because(
                    "the $graphLookup stage specification must be an object, but found %s", Values.typeName(argument));
        }
        BsonDocument options = argument.asDocument();
        for (String name : options.keySet()) {
            if (!GRAPH_NEEDS.contains(name)
                    && !Set.of("maxDepth", "depthField", "restrictSearchWithMatch")
                            .contains(name)) {
                throw GRAPH_LOOKUP_UNKNOWN.because("Unknown argument to $graphLookup: %s", name);
            }
        }
        if (!options.keySet().containsAll(GRAPH_NEEDS)) {
            throw GRAPH_LOOKUP_NEEDS.because(
                    "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be"
                            + " specified.");
        }
        BsonDocument restriction = restriction(options, outer);
        return new Stage.GraphLookup(
                string(options, "from"),
                outer.expression(options.get("startWith")),
                ExpressionParser.path(string(options, "connectFromField")),
                ExpressionParser.path(string(options, "connectToField")),
                ExpressionParser.path(string(options, "as")),
                depth(options.get("maxDepth")),
                options.containsKey("depthField")
                        ? Optional.of(ExpressionParser.path(string(options, "depthField")))
                        : Optional.empty(),
                restriction,
                outer,
                options);
    }

    private static BsonDocument restriction(BsonDocument options, Variables outer) {
        BsonValue restriction = options.get("restrictSearchWithMatch", new BsonDocument());
        if (!restriction.isDocument()) {
            throw GRAPH_LOOKUP_RESTRICTION_NOT_OBJECT.because(
                    "$graphLookup argument 'restrictSearchWithMatch' must be an object, but found %s",
                    Values.typeName(restriction));
        }
        FilterParser.parse(restriction.asDocument(), outer);
        return restriction.asDocument();
    }

    private static long depth(BsonValue depth) {
        if (depth == null) {
            return -1;
        }
        if (!Values.isNumber(depth)) {
            throw GRAPH_LOOKUP_DEPTH_NOT_NUMBER.because(
                    "maxDepth requires a numeric argument, found type: %s", Values.typeName(depth));
        }
        if (!Values.isWhole(depth)) {
            throw GRAPH_LOOKUP_DEPTH_NOT_WHOLE.because(
                    "maxDepth could not be represented as a long long: %s", Values.show(depth));
        }
        if (Values.toLong(depth) < 0) {
            throw GRAPH_LOOKUP_DEPTH_NEGATIVE.because(
                    "maxDepth requires a nonnegative argument, found: %s", Values.show(depth));
        }
        return Values.toLong(depth);
    }

    private static String string(BsonDocument options, String name) {
        BsonValue value = options.get(name);
        if (!value.isString()) {
            throw GRAPH_LOOKUP_NOT_STRING.because(
                    "expected string as argument for %s, found: %s", name, Values.show(value));
        }
        return value.asString().getValue();
    }
}
