package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Reads the stages that close gaps: {@code $densify} between documents, {@code $fill} within them. */
final class GapParser {
    private GapParser() {}

    /** Constants are set by a stage of their own, document by document. */
    static List<Stage> fill(BsonValue argument, Variables variables) {
        BsonDocument options =
                options("$fill", argument, Set.of("partitionBy", "partitionByFields", "sortBy", "output"), "output");
        BsonDocument output = document("$fill", options, "output");
        if (output.isEmpty()) {
            throw FAILED_TO_PARSE.because("the 'output' of $fill must name at least one field");
        }
        BsonDocument constants = new BsonDocument();
        Map<FieldPath, Stage.Fill.Method> methods = new LinkedHashMap<>();
        output.forEach((name, how) -> {
            BsonDocument one = how.isDocument() ? how.asDocument() : new BsonDocument();
            if (one.size() != 1 || !one.containsKey("value") && !one.containsKey("method")) {
                throw FAILED_TO_PARSE.because("each field of $fill's output needs either 'method' or 'value'");
            }
            if (one.containsKey("value")) {
                BsonArray parts = new BsonArray(List.of(new BsonString("$" + name), one.get("value")));
                constants.put(name, new BsonDocument("$ifNull", parts));
            } else {
                methods.put(ExpressionParser.path(name), method(one.get("method")));
            }
        });
        List<Stage> stages = new ArrayList<>();
        if (!constants.isEmpty()) {
            Projection adding = Projection.parseAddFields("$addFields", constants, variables);
            stages.add(new Stage.Project("$addFields", adding, constants));
        }
        Expression partition = partition(options, variables);
        if (!methods.isEmpty()) {
            BsonDocument sent = options.clone();
            BsonDocument left = output.clone();
            left.keySet().removeAll(constants.keySet());
            sent.put("output", left);
            stages.add(new Stage.Fill(partition, sort(options, methods), methods, sent));
        }
        return stages;
    }

    private static Stage.Fill.Method method(BsonValue name) {
        String text = name.isString() ? name.asString().getValue() : "";
        return switch (text) {
            case "linear" -> Stage.Fill.Method.LINEAR;
            case "locf" -> Stage.Fill.Method.LOCF;
            default ->
                throw FAILED_TO_PARSE.because("Method must be either 'locf' or 'linear', not %s", Values.show(name));
        };
    }

    private static SortPattern sort(BsonDocument options, Map<FieldPath, Stage.Fill.Method> methods) {
        if (!options.containsKey("sortBy")) {
            throw FAILED_TO_PARSE.because("'sortBy' must be specified where $fill uses a method");
        }
        SortPattern by = SortPattern.parse(RawDocument.of(document("$fill", options, "sortBy")));
        if (by.isEmpty()
                || methods.containsValue(Stage.Fill.Method.LINEAR) && by.parts().size() != 1) {
            throw FAILED_TO_PARSE.because("'sortBy' of $fill must name one field for the method 'linear'");
        }
        return by;
    }

    private static Expression partition(BsonDocument options, Variables variables) {
        if (options.containsKey("partitionByFields")) {
            if (options.containsKey("partitionBy")) {
                throw FAILED_TO_PARSE.because(
                        "Maximum one of 'partitionBy' and 'partitionByFields' can be specified in '$fill'");
            }
            List<Expression> paths = new ArrayList<>();
            paths(options).forEach(path -> paths.add(new Expression.Field(path)));
            return new Expression.ArrayOf(paths);
        }
        BsonValue by = options.get("partitionBy", BsonNull.VALUE);
        return variables.expression(by);
    }

    private static List<FieldPath> paths(BsonDocument options) {
        BsonValue fields = options.get("partitionByFields", new BsonArray());
        if (!fields.isArray() || !fields.asArray().stream().allMatch(BsonValue::isString)) {
            throw TYPE_MISMATCH.because("'partitionByFields' must be an array of strings");
        }
        List<FieldPath> paths = new ArrayList<>();
        fields.asArray()
                .forEach(path -> paths.add(ExpressionParser.path(path.asString().getValue())));
        return paths;
    }

    static Stage densify(BsonValue argument) {
        BsonDocument options =
                options("$densify", argument, Set.of("field", "partitionByFields", "range"), "field", "range");
        BsonValue field = options.get("field");
        if (!field.isString()) {
            throw TYPE_MISMATCH.because("'field' of $densify must be a string");
        }
        BsonDocument range =
                options("$densify.range", options.get("range"), Set.of("step", "unit", "bounds"), "step", "bounds");
        BsonValue step = range.get("step");
        if (!Values.isNumber(step)) {
            throw TYPE_MISMATCH.because("'step' of $densify must be a number, not %s", Values.typeName(step));
        }
        if (!(Values.toDouble(step) > 0)) {
            throw FAILED_TO_PARSE.because(
                    "the step parameter in a range statement must be a strictly positive numeric");
        }
        Optional<String> unit = Optional.ofNullable(range.get("unit"))
                .map(value -> value.isString() ? value.asString().getValue() : "");
        if (unit.isPresent() && !Values.isWhole(step)) {
            throw FAILED_TO_PARSE.because("the step of dates must be a whole number");
        }
        FieldPath path = ExpressionParser.path(field.asString().getValue());
        return new Stage.Densify(path, paths(options), step, unit, bounds(range.get("bounds"), unit), options);
    }

    private static Stage.Densify.Bounds bounds(BsonValue bounds, Optional<String> unit) {
        if (bounds.isString()) {
            return switch (bounds.asString().getValue()) {
                case "full" -> new Stage.Densify.Full();
                case "partition" -> new Stage.Densify.OfPartition();
                default -> throw FAILED_TO_PARSE.because("bounds must be 'full', 'partition', or two values");
            };
        }
        if (!bounds.isArray() || bounds.asArray().size() != 2) {
            throw FAILED_TO_PARSE.because("bounds must be 'full', 'partition', or an array of two values");
        }
        BsonValue from = bounds.asArray().get(0);
        BsonValue to = bounds.asArray().get(1);
        boolean numbers = Values.isNumber(from) && Values.isNumber(to) && unit.isEmpty();
        boolean dates = from.isDateTime() && to.isDateTime() && unit.isPresent();
        if (!numbers && !dates) {
            throw FAILED_TO_PARSE.because("bounds must be two numbers, or two dates with a unit");
        }
        if (io.ostraka.core.bson.ValueOrder.ORDER.compare(from, to) > 0) {
            throw FAILED_TO_PARSE.because("the lower bound must be less than or equal to the upper bound");
        }
        return new Stage.Densify.Between(from, to);
    }

    private static BsonDocument document(String stage, BsonDocument options, String name) {
        if (!options.get(name).isDocument()) {
            throw TYPE_MISMATCH.because("BSON field '%s.%s' must be an object", stage, name);
        }
        return options.getDocument(name);
    }

    private static BsonDocument options(String stage, BsonValue argument, Set<String> known, String... required) {
        if (!argument.isDocument()) {
            throw FAILED_TO_PARSE.because(
                    "The %s stage specification must be an object, found %s", stage, Values.typeName(argument));
        }
        for (String name : argument.asDocument().keySet()) {
            if (!known.contains(name)) {
                throw IDL_UNKNOWN_FIELD.because("BSON field '%s.%s' is an unknown field.", stage, name);
            }
        }
        for (String name : required) {
            if (!argument.asDocument().containsKey(name)) {
                throw IDL_FAILED_TO_PARSE.because("BSON field '%s.%s' is missing but a required field", stage, name);
            }
        }
        return argument.asDocument();
    }
}
