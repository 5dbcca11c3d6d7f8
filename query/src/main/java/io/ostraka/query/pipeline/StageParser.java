package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.COUNT_DOLLAR;
import static io.ostraka.core.error.ErrorCode.COUNT_DOT;
import static io.ostraka.core.error.ErrorCode.COUNT_EMPTY;
import static io.ostraka.core.error.ErrorCode.COUNT_NOT_STRING;
import static io.ostraka.core.error.ErrorCode.GROUP_FIELDS_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.GROUP_NEEDS_ID;
import static io.ostraka.core.error.ErrorCode.LIMIT_NOT_POSITIVE;
import static io.ostraka.core.error.ErrorCode.MATCH_FILTER_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.NEAR_NOT_ALLOWED;
import static io.ostraka.core.error.ErrorCode.SAMPLE_NOT_NUMBER;
import static io.ostraka.core.error.ErrorCode.SAMPLE_NOT_POSITIVE;
import static io.ostraka.core.error.ErrorCode.SKIP_NEGATIVE;
import static io.ostraka.core.error.ErrorCode.SKIP_NOT_NUMBER;
import static io.ostraka.core.error.ErrorCode.SORT_KEY_EMPTY;
import static io.ostraka.core.error.ErrorCode.SORT_KEY_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.UNWIND_NEEDS_PATH;
import static io.ostraka.core.error.ErrorCode.UNWIND_NOT_STRING;
import static io.ostraka.core.error.ErrorCode.UNWIND_PATH_WITHOUT_DOLLAR;
import static io.ostraka.core.error.ErrorCode.UNWIND_UNKNOWN_OPTION;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.filter.GeoTests;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.value.Values;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The table of stages, each with how it is read. Some are short for others and become those. */
final class StageParser {
    @FunctionalInterface
    interface Reader {
        List<Stage> read(String name, BsonValue argument, Variables variables);
    }

    static final Map<String, Reader> TABLE = Collections.unmodifiableMap(new TreeMap<>(Map.ofEntries(
            Map.entry("$addFields", StageParser::addFields),
            Map.entry("$bucket", (_, argument, variables) -> BucketParser.bucket(argument, variables)),
            Map.entry("$bucketAuto", (_, argument, variables) -> List.of(BucketParser.auto(argument, variables))),
            Map.entry("$changeStream", StageParser::fromOutside),
            Map.entry("$collStats", StageParser::fromOutside),
            Map.entry("$count", (_, argument, _) -> count(argument)),
            Map.entry("$currentOp", StageParser::fromOutside),
            Map.entry("$densify", (_, argument, _) -> List.of(GapParser.densify(argument))),
            Map.entry("$documents", (_, argument, variables) -> documents(argument, variables)),
            Map.entry("$facet", (_, argument, variables) -> List.of(FacetParser.facet(argument, variables))),
            Map.entry("$fill", (_, argument, variables) -> GapParser.fill(argument, variables)),
            Map.entry("$geoNear", (_, argument, variables) -> List.of(GeoNearParser.geoNear(argument, variables))),
            Map.entry(
                    "$graphLookup",
                    (_, argument, variables) -> List.of(ForeignParser.graphLookup(argument, variables))),
            Map.entry("$group", (_, argument, variables) -> List.of(group(argument, variables))),
            Map.entry("$indexStats", StageParser::fromOutside),
            Map.entry("$limit", (_, argument, _) -> List.of(limit(argument))),
            Map.entry("$listLocalSessions", StageParser::fromOutside),
            Map.entry("$listSessions", StageParser::fromOutside),
            Map.entry("$lookup", (_, argument, variables) -> List.of(ForeignParser.lookup(argument, variables))),
            Map.entry("$match", (_, argument, variables) -> List.of(match(argument, variables))),
            Map.entry("$merge", (_, argument, variables) -> List.of(OutputParser.merge(argument, variables))),
            Map.entry("$out", (_, argument, _) -> List.of(OutputParser.out(argument))),
            Map.entry("$planCacheStats", StageParser::fromOutside),
            Map.entry("$project", StageParser::project),
            Map.entry("$redact", (_, argument, variables) -> List.of(redact(argument, variables))),
            Map.entry("$replaceRoot", (_, argument, variables) -> List.of(replaceRoot(argument, variables))),
            Map.entry("$replaceWith", (_, argument, variables) -> List.of(root(argument, variables))),
            Map.entry("$sample", (_, argument, _) -> List.of(sample(argument))),
            Map.entry("$set", StageParser::addFields),
            Map.entry(
                    "$setWindowFields",
                    (_, argument, variables) -> List.of(WindowParser.setWindowFields(argument, variables))),
            Map.entry("$shardedDataDistribution", StageParser::fromOutside),
            Map.entry("$skip", (_, argument, _) -> List.of(skip(argument))),
            Map.entry("$sort", (_, argument, _) -> List.of(sort(argument))),
            Map.entry("$sortByCount", (_, argument, variables) -> sortByCount(argument, variables)),
            Map.entry("$unionWith", (_, argument, variables) -> List.of(ForeignParser.unionWith(argument, variables))),
            Map.entry("$unset", (_, argument, _) -> List.of(unset(argument))),
            Map.entry("$unwind", (_, argument, _) -> List.of(unwind(argument))))));

    /** What {@code $redact} decides by, as the values of its three variables. */
    static final Variables DECISIONS = new Variables(Map.of(
            "DESCEND", new BsonString("descend"),
            "KEEP", new BsonString("keep"),
            "PRUNE", new BsonString("prune")));

    private StageParser() {}

    private static List<Stage> fromOutside(String name, BsonValue argument, Variables variables) {
        return List.of(new Stage.FromOutside(name, argument));
    }

    private static List<Stage> documents(BsonValue argument, Variables variables) {
        return List.of(new Stage.Documents(variables.expression(argument), argument));
    }

    private static Stage match(BsonValue argument, Variables variables) {
        if (!argument.isDocument()) {
            throw MATCH_FILTER_NOT_OBJECT.because("the match filter must be an expression in an object");
        }
        Filter filter = FilterParser.parse(argument.asDocument(), variables);
        if (GeoTests.near(filter).isPresent()) {
            throw NEAR_NOT_ALLOWED.because(
                    "$geoNear, $near, and $nearSphere are not allowed in this context, as these operators require"
                            + " sorting geospatial data. If you do not need sort, consider using $geoWithin instead.");
        }
        return new Stage.Match(filter, argument.asDocument());
    }

    private static List<Stage> project(String name, BsonValue argument, Variables variables) {
        if (!argument.isDocument()) {
            throw io.ostraka.core.error.ErrorCode.PROJECT_NOT_OBJECT.because(
                    "$project specification must be an object");
        }
        return List.of(new Stage.Project(name, Projection.parseStage(argument.asDocument(), variables), argument));
    }

    private static List<Stage> addFields(String name, BsonValue argument, Variables variables) {
        if (!argument.isDocument()) {
            throw io.ostraka.core.error.ErrorCode.ADD_FIELDS_NOT_OBJECT.because(
                    "%s specification stage must be an object, got %s", name, Values.typeName(argument));
        }
        return List.of(
                new Stage.Project(name, Projection.parseAddFields(name, argument.asDocument(), variables), argument));
    }

    private static Stage unset(BsonValue argument) {
        List<BsonValue> names = argument.isArray() ? argument.asArray().getValues() : List.of(argument);
        if (names.isEmpty() || !names.stream().allMatch(BsonValue::isString)) {
            throw io.ostraka.core.error.ErrorCode.UNSET_NEEDS_STRINGS.because(
                    "$unset specification must be a string or an array of strings, not empty");
        }
        List<String> paths =
                names.stream().map(name -> name.asString().getValue()).toList();
        return new Stage.Project("$unset", Projection.without(paths), argument);
    }

    private static Stage replaceRoot(BsonValue argument, Variables variables) {
        if (!argument.isDocument() || !argument.asDocument().containsKey("newRoot")) {
            throw io.ostraka.core.error.ErrorCode.REPLACE_ROOT_INVALID.because(
                    "$replaceRoot needs an object with the field 'newRoot'");
        }
        return root(argument.asDocument().get("newRoot"), variables);
    }

    private static Stage root(BsonValue argument, Variables variables) {
        return new Stage.ReplaceRoot(variables.expression(argument), argument);
    }

    private static Stage limit(BsonValue argument) {
        if (!Values.isNumber(argument) || !Values.isWhole(argument) || Values.toLong(argument) <= 0) {
            throw LIMIT_NOT_POSITIVE.because(
                    "invalid argument to $limit stage: the limit must be a positive whole number, not %s",
                    Values.show(argument));
        }
        return new Stage.Limit(Values.toLong(argument));
    }

    private static Stage skip(BsonValue argument) {
        if (!Values.isNumber(argument) || !Values.isWhole(argument)) {
            throw SKIP_NOT_NUMBER.because(
                    "invalid argument to $skip stage: it must be a whole number, not %s", Values.show(argument));
        }
        if (Values.toLong(argument) < 0) {
            throw SKIP_NEGATIVE.because("invalid argument to $skip stage: it cannot be negative");
        }
        return new Stage.Skip(Values.toLong(argument));
    }

    static Stage sort(BsonValue argument) {
        if (!argument.isDocument()) {
            throw SORT_KEY_NOT_OBJECT.because("the $sort key specification must be an object");
        }
        SortPattern by = SortPattern.parse(RawDocument.of(argument.asDocument()));
        if (by.isEmpty()) {
            throw SORT_KEY_EMPTY.because("$sort stage must have at least one sort key");
        }
        return new Stage.Sort(by, 0);
    }

    private static Stage sample(BsonValue argument) {
        BsonValue size = argument.isDocument() ? argument.asDocument().get("size") : null;
        if (size == null || !Values.isNumber(size)) {
            throw SAMPLE_NOT_NUMBER.because("$sample needs an object with a 'size' that is a number");
        }
        if (Values.toLong(size) <= 0) {
            throw SAMPLE_NOT_POSITIVE.because("size argument to $sample must be a positive integer");
        }
        return new Stage.Sample(Values.toLong(size), part(argument.asDocument().get(Stage.PART)));
    }

    private static Stage.Group.Part part(BsonValue named) {
        if (named == null) {
            return Stage.Group.Part.WHOLE;
        }
        for (Stage.Group.Part part : Stage.Group.Part.values()) {
            if (named.isString() && part.name().equals(named.asString().getValue())) {
                return part;
            }
        }
        throw io.ostraka.core.error.ErrorCode.BAD_VALUE.because("%s is between our own processes", Stage.PART);
    }

    private static List<Stage> count(BsonValue argument) {
        if (!argument.isString()) {
            throw COUNT_NOT_STRING.because("the count field must be a non-empty string");
        }
        String field = argument.asString().getValue();
        if (field.isEmpty()) {
            throw COUNT_EMPTY.because("the count field must be a non-empty string");
        }
        if (field.startsWith("$")) {
            throw COUNT_DOLLAR.because("the count field cannot be a $-prefixed path");
        }
        if (field.contains(".")) {
            throw COUNT_DOT.because("the count field cannot contain '.'");
        }
        BsonDocument group =
                new BsonDocument("_id", BsonNull.VALUE).append(field, new BsonDocument("$sum", new BsonInt32(1)));
        BsonDocument project = new BsonDocument("_id", new BsonInt32(0));
        return List.of(
                group(group, Variables.NONE),
                new Stage.Project("$project", Projection.parseStage(project, Variables.NONE), project));
    }

    private static List<Stage> sortByCount(BsonValue argument, Variables variables) {
        boolean usable = argument.isString()
                ? argument.asString().getValue().startsWith("$")
                : argument.isDocument() && ExpressionParser.isOperator(argument.asDocument());
        if (!usable) {
            throw io.ostraka.core.error.ErrorCode.SORT_BY_COUNT_INVALID.because(
                    "the sortByCount field must be defined as a $-prefixed path or an expression inside an object");
        }
        BsonDocument group =
                new BsonDocument("_id", argument).append("count", new BsonDocument("$sum", new BsonInt32(1)));
        return List.of(group(group, variables), sort(new BsonDocument("count", new BsonInt32(-1))));
    }

    static Stage group(BsonValue argument, Variables variables) {
        if (!argument.isDocument()) {
            throw GROUP_FIELDS_NOT_OBJECT.because("a group's fields must be specified in an object");
        }
        BsonDocument source = argument.asDocument().clone();
        BsonValue part = source.remove(Stage.PART);
        if (!source.containsKey("_id")) {
            throw GROUP_NEEDS_ID.because("a group specification must include an _id");
        }
        Expression id = variables.expression(source.get("_id"));
        List<Stage.Accumulated> fields = new AccumulatedParser(variables).fields(source);
        return new Stage.Group(id, fields, part(part), source);
    }

    private static Stage redact(BsonValue argument, Variables variables) {
        return new Stage.Redact(variables.with(DECISIONS.values()).expression(argument), argument);
    }

    private static Stage unwind(BsonValue argument) {
        if (argument.isString()) {
            return new Stage.Unwind(unwindPath(argument), Optional.empty(), false);
        }
        if (!argument.isDocument()) {
            throw UNWIND_NOT_STRING.because(
                    "expected either a string or an object as specification for $unwind stage, got %s",
                    Values.typeName(argument));
        }
        BsonDocument document = argument.asDocument();
        Optional<FieldPath> indexField = Optional.empty();
        boolean keepsEmpty = false;
        for (Map.Entry<String, BsonValue> option : document.entrySet()) {
            switch (option.getKey()) {
                case "path" -> {}
                case "includeArrayIndex" -> indexField = Optional.of(indexField(option.getValue()));
                case "preserveNullAndEmptyArrays" -> {
                    if (!option.getValue().isBoolean()) {
                        throw io.ostraka.core.error.ErrorCode.UNWIND_PRESERVE_NOT_BOOL.because(
                                "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage");
                    }
                    keepsEmpty = option.getValue().equals(BsonBoolean.TRUE);
                }
                default ->
                    throw UNWIND_UNKNOWN_OPTION.because("unrecognized option to $unwind stage: %s", option.getKey());
            }
        }
        if (!document.containsKey("path")) {
            throw UNWIND_NEEDS_PATH.because("no path specified to $unwind stage");
        }
        return new Stage.Unwind(unwindPath(document.get("path")), indexField, keepsEmpty);
    }

    private static FieldPath indexField(BsonValue value) {
        if (!value.isString()
                || value.asString().getValue().isEmpty()
                || value.asString().getValue().startsWith("$")) {
            throw io.ostraka.core.error.ErrorCode.UNWIND_INDEX_INVALID.because(
                    "includeArrayIndex option to $unwind stage must be a non-empty string without a '$', got: %s",
                    Values.show(value));
        }
        return ExpressionParser.path(value.asString().getValue());
    }

    private static FieldPath unwindPath(BsonValue value) {
        if (!value.isString()) {
            throw io.ostraka.core.error.ErrorCode.UNWIND_PATH_NOT_STRING.because(
                    "expected a string as the path for $unwind stage, got %s", Values.typeName(value));
        }
        String text = value.asString().getValue();
        if (!text.startsWith("$")) {
            throw UNWIND_PATH_WITHOUT_DOLLAR.because(
                    "path option to $unwind stage should be prefixed with a '$': %s", text);
        }
        return ExpressionParser.path(text.substring(1));
    }
}
