package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.WINDOW_RANGE_NEEDS_SORT;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Reads {@code $setWindowFields}: accumulators over windows by documents or by range, and the operators of windows alone. */
final class WindowParser {
    private static final Set<String> KNOWN = Set.of("partitionBy", "sortBy", "output");

    /** Units that are always as long. */
    private static final Set<String> SHORT_UNITS = Set.of("millisecond", "second", "minute", "hour", "day", "week");

    /** Operators of windows alone; accumulators are others. */
    static final List<String> OPERATORS = List.of(
            "$covariancePop",
            "$covarianceSamp",
            "$denseRank",
            "$derivative",
            "$documentNumber",
            "$expMovingAvg",
            "$integral",
            "$linearFill",
            "$locf",
            "$rank",
            "$shift");

    private final Variables variables;
    private final SortPattern order;
    private final boolean sorted;

    private WindowParser(Variables variables, SortPattern order) {
        this.variables = variables;
        this.order = order;
        this.sorted = !order.isEmpty();
    }

    static Stage setWindowFields(BsonValue argument, Variables variables) {
        if (!argument.isDocument()) {
            throw FAILED_TO_PARSE.because(
                    "the $setWindowFields stage specification must be an object, found %s", Values.typeName(argument));
        }
        BsonDocument options = argument.asDocument();
        for (String name : options.keySet()) {
            if (!KNOWN.contains(name)) {
                throw IDL_UNKNOWN_FIELD.because("BSON field '$setWindowFields.%s' is an unknown field.", name);
            }
        }
        if (!options.containsKey("output") || !options.get("output").isDocument()) {
            throw IDL_FAILED_TO_PARSE.because("BSON field '$setWindowFields.output' is missing but a required field");
        }
        BsonValue sortBy = options.get("sortBy", new BsonDocument());
        if (!sortBy.isDocument()) {
            throw FAILED_TO_PARSE.because("'sortBy' of $setWindowFields must be an object");
        }
        SortPattern order = SortPattern.parse(RawDocument.of(sortBy.asDocument()));
        WindowParser parser = new WindowParser(variables, order);
        List<Stage.WindowFields.Output> outputs = new ArrayList<>();
        options.getDocument("output").forEach((name, value) -> outputs.add(parser.output(name, value)));
        Expression partition = variables.expression(options.get("partitionBy", BsonNull.VALUE));
        return new Stage.WindowFields(partition, order, outputs, options);
    }

    private Stage.WindowFields.Output output(String name, BsonValue value) {
        BsonDocument spec = value.isDocument() ? value.asDocument().clone() : new BsonDocument();
        BsonValue window = spec.remove("window");
        if (spec.size() != 1) {
            throw FAILED_TO_PARSE.because("Expected exactly one window function in the output field '%s'", name);
        }
        String operator = spec.getFirstKey();
        return new Stage.WindowFields.Output(
                ExpressionParser.path(name), computation(name, operator, spec.get(operator), window));
    }

    private Stage.WindowFields.Computation computation(
            String name, String operator, BsonValue argument, BsonValue window) {
        Stage.WindowFields.Rank.Kind rank = switch (operator) {
            case "$rank" -> Stage.WindowFields.Rank.Kind.RANK;
            case "$denseRank" -> Stage.WindowFields.Rank.Kind.DENSE_RANK;
            case "$documentNumber" -> Stage.WindowFields.Rank.Kind.DOCUMENT_NUMBER;
            default -> null;
        };
        if (rank != null || operator.equals("$shift")) {
            if (window != null) {
                throw FAILED_TO_PARSE.because("%s does not accept a 'window' field", operator);
            }
            if (!sorted) {
                throw FAILED_TO_PARSE.because("%s must be specified with a top level sortBy expression", operator);
            }
            return rank == null ? shift(argument) : new Stage.WindowFields.Rank(rank);
        }
        switch (operator) {
            case "$derivative", "$integral" -> {
                return overAxis(operator, argument, window);
            }
            case "$covariancePop", "$covarianceSamp" -> {
                return covariance(operator, argument, window);
            }
            case "$expMovingAvg", "$linearFill", "$locf" -> {
                if (window != null) {
                    throw FAILED_TO_PARSE.because("%s does not accept a 'window' field", operator);
                }
                needsSort(operator);
                return alongAll(operator, argument);
            }
            default -> {}
        }
        AccumulatorKind kind = AccumulatorKind.of(operator)
                .orElseThrow(() -> FAILED_TO_PARSE.because("Unrecognized window function, %s", operator));
        Stage.Accumulated accumulated = new AccumulatedParser(variables).accumulated(name, kind, argument);
        return new Stage.WindowFields.Over(accumulated, window(window));
    }

    private void needsSort(String operator) {
        if (!sorted) {
            throw FAILED_TO_PARSE.because("%s requires a 'sortBy'", operator);
        }
    }

    private Stage.WindowFields.Computation overAxis(String operator, BsonValue argument, BsonValue window) {
        BsonDocument parts = parts(operator, argument, Set.of("input", "unit"), "input");
        if (order.parts().size() != 1) {
            throw FAILED_TO_PARSE.because("%s requires a 'sortBy' of a single field", operator);
        }
        if (operator.equals("$derivative") && window == null) {
            throw FAILED_TO_PARSE.because("%s requires explicit window bounds", operator);
        }
        Expression input = variables.expression(parts.get("input"));
        Optional<Long> unit = Optional.empty();
        if (parts.containsKey("unit")) {
            String name = text(parts.get("unit"));
            if (!SHORT_UNITS.contains(name)) {
                throw FAILED_TO_PARSE.because("the 'unit' of %s must be 'week' or smaller, not %s", operator, name);
            }
            unit = Optional.of(
                    WindowPlaces.unit(name).orElseThrow().getDuration().toMillis());
        }
        return operator.equals("$derivative")
                ? new Stage.WindowFields.Slope(input, unit, window(window))
                : new Stage.WindowFields.Area(input, unit, window(window));
    }

    private static String text(BsonValue value) {
        return value.isString() ? value.asString().getValue() : Values.show(value);
    }

    private static BsonDocument parts(String operator, BsonValue argument, Set<String> known, String needed) {
        BsonDocument parts = argument.isDocument() ? argument.asDocument() : new BsonDocument();
        for (String part : parts.keySet()) {
            if (!known.contains(part)) {
                throw FAILED_TO_PARSE.because("%s got unexpected argument: %s", operator, part);
            }
        }
        if (!parts.containsKey(needed)) {
            throw FAILED_TO_PARSE.because("%s requires an '%s' expression", operator, needed);
        }
        return parts;
    }

    private Stage.WindowFields.Computation covariance(String operator, BsonValue argument, BsonValue window) {
        if (!argument.isArray() || argument.asArray().size() != 2) {
            throw FAILED_TO_PARSE.because("%s requires an array of two expressions", operator);
        }
        return new Stage.WindowFields.Covariance(
                variables.expression(argument.asArray().get(0)),
                variables.expression(argument.asArray().get(1)),
                operator.equals("$covarianceSamp"),
                window(window));
    }

    private Stage.WindowFields.Computation alongAll(String operator, BsonValue argument) {
        if (operator.equals("$locf")) {
            return new Stage.WindowFields.Filled(variables.expression(argument), Stage.Fill.Method.LOCF);
        }
        if (operator.equals("$linearFill")) {
            if (order.parts().size() != 1) {
                throw FAILED_TO_PARSE.because("$linearFill must be specified with a sortBy of a single field");
            }
            return new Stage.WindowFields.Filled(variables.expression(argument), Stage.Fill.Method.LINEAR);
        }
        BsonDocument parts = parts(operator, argument, Set.of("input", "N", "alpha"), "input");
        if (parts.containsKey("N") == parts.containsKey("alpha")) {
            throw FAILED_TO_PARSE.because("$expMovingAvg requires either 'N' or 'alpha', and not both");
        }
        Expression input = variables.expression(parts.get("input"));
        if (parts.containsKey("N")) {
            BsonValue n = parts.get("N");
            if (!Values.isNumber(n) || !Values.isWhole(n) || Values.toLong(n) <= 0) {
                throw FAILED_TO_PARSE.because("'N' of $expMovingAvg must be an integer greater than 0");
            }
            return new Stage.WindowFields.MovingAverage(input, new BsonDouble(2.0 / (1.0 + Values.toLong(n))));
        }
        BsonValue alpha = parts.get("alpha");
        if (!Values.isNumber(alpha) || !(Values.toDouble(alpha) > 0 && Values.toDouble(alpha) < 1)) {
            throw FAILED_TO_PARSE.because("'alpha' of $expMovingAvg must be between 0 and 1 (exclusive)");
        }
        return new Stage.WindowFields.MovingAverage(input, alpha);
    }

    private Stage.WindowFields.Window window(BsonValue window) {
        if (window == null || window.isDocument() && window.asDocument().isEmpty()) {
            return Stage.WindowFields.Documents.ALL;
        }
        BsonDocument bounds = window.isDocument() ? window.asDocument() : new BsonDocument();
        for (String name : bounds.keySet()) {
            if (!Set.of("documents", "range", "unit").contains(name)) {
                throw FAILED_TO_PARSE.because("'window' field can only contain 'documents', 'range' or 'unit'");
            }
        }
        if (bounds.containsKey("range")) {
            return range(bounds);
        }
        if (bounds.containsKey("unit")) {
            throw FAILED_TO_PARSE.because("Window bounds can only specify 'unit' with range-based bounds.");
        }
        return documents(bounds.get("documents"));
    }

    private Stage.WindowFields.Window range(BsonDocument window) {
        if (window.containsKey("documents")) {
            throw FAILED_TO_PARSE.because("Window bounds can specify either 'documents' or 'range', not both.");
        }
        Optional<String> unit = Optional.ofNullable(window.get("unit")).map(WindowParser::text);
        unit.filter(name -> WindowPlaces.unit(name).isEmpty()).ifPresent(name -> {
            throw FAILED_TO_PARSE.because("unknown time unit value: %s", name);
        });
        BsonValue both = window.get("range");
        if (!both.isArray() || both.asArray().size() != 2) {
            throw FAILED_TO_PARSE.because("'range' must be an array of two bounds");
        }
        Optional<BsonValue> lower = rangeBound(both.asArray().get(0), unit);
        Optional<BsonValue> upper = rangeBound(both.asArray().get(1), unit);
        if (lower.isPresent() && upper.isPresent() && ValueOrder.ORDER.compare(lower.get(), upper.get()) > 0) {
            throw FAILED_TO_PARSE.because("Lower bound must not exceed upper bound: %s", Values.show(both));
        }
        boolean bounded = lower.isPresent() || upper.isPresent();
        if (bounded && (order.parts().size() != 1 || order.parts().getFirst().descending())) {
            throw WINDOW_RANGE_NEEDS_SORT.because("Range-based bounds require an ascending sortBy of a single field");
        }
        return new Stage.WindowFields.Range(lower, upper, unit);
    }

    private static Optional<BsonValue> rangeBound(BsonValue bound, Optional<String> unit) {
        if (bound.isString() && bound.asString().getValue().equals("unbounded")) {
            return Optional.empty();
        }
        if (bound.isString() && bound.asString().getValue().equals("current")) {
            return Optional.of(new BsonInt32(0));
        }
        if (!Values.isNumber(bound)
                || unit.isPresent() && (!Values.isWhole(bound) || Math.abs(Values.toDouble(bound)) > 1e12)) {
            throw FAILED_TO_PARSE.because(
                    "Range-based bounds are 'unbounded', 'current', or %s, not %s",
                    unit.isPresent() ? "whole numbers of units" : "numbers", Values.show(bound));
        }
        return Optional.of(bound);
    }

    private Stage.WindowFields.Window documents(BsonValue bounds) {
        if (bounds == null || !bounds.isArray() || bounds.asArray().size() != 2) {
            throw FAILED_TO_PARSE.because("'window' must be an object with the bounds 'documents: [lower, upper]'");
        }
        BsonArray both = bounds.asArray();
        long lower = bound(both.get(0), Long.MIN_VALUE);
        long upper = bound(both.get(1), Long.MAX_VALUE);
        if (lower > upper) {
            throw FAILED_TO_PARSE.because("Lower bound must not exceed upper bound: %s", Values.show(both));
        }
        if (!sorted && (lower != Long.MIN_VALUE || upper != Long.MAX_VALUE)) {
            throw FAILED_TO_PARSE.because("Document-based bounds require a sortBy");
        }
        return new Stage.WindowFields.Documents(lower, upper);
    }

    private static long bound(BsonValue bound, long unbounded) {
        if (bound.isString()) {
            switch (bound.asString().getValue()) {
                case "current" -> {
                    return 0;
                }
                case "unbounded" -> {
                    return unbounded;
                }
                default -> {}
            }
        }
        if (!Values.isNumber(bound) || !Values.isWhole(bound) || Math.abs(Values.toDouble(bound)) > 1e9) {
            throw FAILED_TO_PARSE.because(
                    "Window bounds must be 'unbounded', 'current', or a whole number, not %s", Values.show(bound));
        }
        return Values.toLong(bound);
    }

    private Stage.WindowFields.Shift shift(BsonValue argument) {
        BsonDocument parts = argument.isDocument() ? argument.asDocument() : new BsonDocument();
        BsonValue by = parts.get("by");
        if (!parts.containsKey("output") || by == null || !Values.isNumber(by) || !Values.isWhole(by)) {
            throw FAILED_TO_PARSE.because("$shift requires an 'output' expression and a whole number 'by'");
        }
        for (Map.Entry<String, BsonValue> part : parts.entrySet()) {
            if (!Set.of("output", "by", "default").contains(part.getKey())) {
                throw FAILED_TO_PARSE.because("Unknown argument in $shift: %s", part.getKey());
            }
        }
        Expression otherwise = variables.expression(parts.get("default", BsonNull.VALUE));
        if (!(otherwise instanceof Expression.Literal(var constant))) {
            throw FAILED_TO_PARSE.because("the 'default' of $shift must be a constant");
        }
        return new Stage.WindowFields.Shift(variables.expression(parts.get("output")), Values.toLong(by), constant);
    }
}
