package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.NOT_IMPLEMENTED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Reads {@code $setWindowFields}: accumulators over windows of documents, ranks and shifts. */
final class WindowParser {
    private static final Set<String> KNOWN = Set.of("partitionBy", "sortBy", "output");

    private final Variables variables;
    private final boolean sorted;

    private WindowParser(Variables variables, boolean sorted) {
        this.variables = variables;
        this.sorted = sorted;
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
        WindowParser parser = new WindowParser(variables, !order.isEmpty());
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
        AccumulatorKind kind = AccumulatorKind.of(operator)
                .orElseThrow(() -> FAILED_TO_PARSE.because("Unrecognized window function, %s", operator));
        Stage.Accumulated accumulated = new AccumulatedParser(variables).accumulated(name, kind, argument);
        if (window == null || window.isDocument() && window.asDocument().isEmpty()) {
            return new Stage.WindowFields.Over(accumulated, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        return over(accumulated, window);
    }

    private Stage.WindowFields.Over over(Stage.Accumulated accumulated, BsonValue window) {
        if (window.isDocument() && window.asDocument().containsKey("range")) {
            throw NOT_IMPLEMENTED.because("windows by 'range' are not supported by this version; use 'documents'");
        }
        BsonValue bounds = window.isDocument() ? window.asDocument().get("documents") : null;
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
        return new Stage.WindowFields.Over(accumulated, lower, upper);
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
