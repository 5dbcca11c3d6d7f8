package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.ACCUMULATOR_NOT_SINGLE;
import static io.ostraka.core.error.ErrorCode.ACCUMULATOR_N_NEEDS_INPUT;
import static io.ostraka.core.error.ErrorCode.ACCUMULATOR_N_NEEDS_N;
import static io.ostraka.core.error.ErrorCode.ACCUMULATOR_N_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.ACCUMULATOR_N_UNKNOWN;
import static io.ostraka.core.error.ErrorCode.GROUP_FIELD_HAS_SEVERAL_ACCUMULATORS;
import static io.ostraka.core.error.ErrorCode.GROUP_FIELD_NOT_ACCUMULATOR;
import static io.ostraka.core.error.ErrorCode.GROUP_FIELD_WITH_DOT;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.TOP_NEEDS_N;
import static io.ostraka.core.error.ErrorCode.TOP_NEEDS_OUTPUT;
import static io.ostraka.core.error.ErrorCode.TOP_NEEDS_SORT;
import static io.ostraka.core.error.ErrorCode.TOP_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.TOP_SORT_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.TOP_UNKNOWN;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;
import static io.ostraka.core.error.ErrorCode.UNKNOWN_GROUP_OPERATOR;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.Percentiles;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Reads accumulated fields: a name and one accumulator each. */
final class AccumulatedParser {
    private static final Expression NOTHING = new Expression.Literal(BsonNull.VALUE);

    private final Variables variables;

    AccumulatedParser(Variables variables) {
        this.variables = variables;
    }

    /** All fields but {@code _id}. */
    List<Stage.Accumulated> fields(BsonDocument source) {
        List<Stage.Accumulated> fields = new ArrayList<>();
        source.forEach((name, value) -> {
            if (!name.equals("_id")) {
                fields.add(field(name, value));
            }
        });
        return fields;
    }

    private Stage.Accumulated field(String name, BsonValue value) {
        if (name.contains(".")) {
            throw GROUP_FIELD_WITH_DOT.because("The field name '%s' cannot contain '.'", name);
        }
        if (name.startsWith("$")) {
            throw GROUP_FIELD_NOT_ACCUMULATOR.because("The field name '%s' cannot be an operator name", name);
        }
        if (!value.isDocument() || value.asDocument().isEmpty()) {
            throw GROUP_FIELD_NOT_ACCUMULATOR.because("The field '%s' must be an accumulator object", name);
        }
        BsonDocument document = value.asDocument();
        if (document.size() > 1) {
            throw GROUP_FIELD_HAS_SEVERAL_ACCUMULATORS.because("The field '%s' must specify one accumulator", name);
        }
        String operator = document.getFirstKey();
        AccumulatorKind kind = AccumulatorKind.of(operator)
                .orElseThrow(() -> UNKNOWN_GROUP_OPERATOR.because(
                        "unknown group operator '%s'%s",
                        operator,
                        operator.equals("$accumulator")
                                ? ": server-side JavaScript is not run here; use other accumulators"
                                : ""));
        return accumulated(name, kind, document.get(operator));
    }

    Stage.Accumulated accumulated(String name, AccumulatorKind kind, BsonValue argument) {
        return switch (kind.form()) {
            case VALUE ->
                new Stage.Accumulated(
                        name, kind, variables.expression(single(kind, argument)), NOTHING, SortPattern.NATURAL);
            case NOTHING -> {
                if (!argument.isDocument() || !argument.asDocument().isEmpty()) {
                    throw TYPE_MISMATCH.because("$count takes no arguments, i.e. $count:{}");
                }
                Expression one = new Expression.Literal(NumberAccumulators.ONE);
                yield new Stage.Accumulated(name, kind, one, NOTHING, SortPattern.NATURAL);
            }
            case FEW -> few(name, kind, argument);
            case RANKED, RANKED_FEW -> ranked(name, kind, argument);
            case MEDIAN, PERCENTILE -> quantiles(name, kind, argument);
        };
    }

    private static BsonValue single(AccumulatorKind kind, BsonValue argument) {
        if (!argument.isArray()) {
            return argument;
        }
        if (argument.asArray().size() != 1) {
            throw ACCUMULATOR_NOT_SINGLE.because("The %s accumulator is a unary operator", kind.name());
        }
        return argument.asArray().get(0);
    }

    private Stage.Accumulated few(String name, AccumulatorKind kind, BsonValue argument) {
        BsonDocument parts = parts(
                kind,
                argument,
                ACCUMULATOR_N_NOT_OBJECT,
                ACCUMULATOR_N_UNKNOWN,
                Map.of("n", ACCUMULATOR_N_NEEDS_N, "input", ACCUMULATOR_N_NEEDS_INPUT));
        return new Stage.Accumulated(
                name,
                kind,
                variables.expression(parts.get("input")),
                parameter(kind, parts.get("n")),
                SortPattern.NATURAL);
    }

    private Stage.Accumulated ranked(String name, AccumulatorKind kind, BsonValue argument) {
        boolean few = kind.form() == AccumulatorKind.Form.RANKED_FEW;
        Map<String, ErrorCode> needed = few
                ? Map.of("sortBy", TOP_NEEDS_SORT, "output", TOP_NEEDS_OUTPUT, "n", TOP_NEEDS_N)
                : Map.of("sortBy", TOP_NEEDS_SORT, "output", TOP_NEEDS_OUTPUT);
        BsonDocument parts = parts(kind, argument, TOP_NOT_OBJECT, TOP_UNKNOWN, needed);
        if (!parts.get("sortBy").isDocument()) {
            throw TOP_SORT_NOT_OBJECT.because("'sortBy' of %s must be an object", kind.name());
        }
        SortPattern order = SortPattern.parse(RawDocument.of(parts.getDocument("sortBy")));
        if (order.isEmpty()) {
            throw TOP_SORT_NOT_OBJECT.because("'sortBy' of %s must name a field", kind.name());
        }
        Expression count = few ? parameter(kind, parts.get("n")) : NOTHING;
        return new Stage.Accumulated(name, kind, variables.expression(parts.get("output")), count, order);
    }

    private Stage.Accumulated quantiles(String name, AccumulatorKind kind, BsonValue argument) {
        boolean many = kind.form() == AccumulatorKind.Form.PERCENTILE;
        Map<String, ErrorCode> needed = many
                ? Map.of("input", IDL_FAILED_TO_PARSE, "p", IDL_FAILED_TO_PARSE, "method", IDL_FAILED_TO_PARSE)
                : Map.of("input", IDL_FAILED_TO_PARSE, "method", IDL_FAILED_TO_PARSE);
        BsonDocument parts = parts(kind, argument, TYPE_MISMATCH, IDL_UNKNOWN_FIELD, needed);
        Percentiles.checkMethod(kind.name(), parts.get("method"));
        Expression parameter = many ? parameter(kind, parts.get("p")) : NOTHING;
        return new Stage.Accumulated(
                name, kind, variables.expression(parts.get("input")), parameter, SortPattern.NATURAL);
    }

    /** A constant is checked when it is read, anything else when a group begins. */
    private Expression parameter(AccumulatorKind kind, BsonValue value) {
        Expression read = variables.expression(value);
        if (read instanceof Expression.Literal(var constant)) {
            kind.make(constant, Collation.SIMPLE);
        }
        return read;
    }

    private static BsonDocument parts(
            AccumulatorKind kind,
            BsonValue argument,
            ErrorCode notObject,
            ErrorCode unknown,
            Map<String, ErrorCode> needed) {
        if (!argument.isDocument()) {
            throw notObject.because("specification must be an object; found %s", Values.show(argument));
        }
        BsonDocument document = argument.asDocument();
        for (String name : document.keySet()) {
            if (!needed.containsKey(name)) {
                throw unknown.because("Unknown argument for '%s' operator: %s", kind.name(), name);
            }
        }
        needed.keySet().stream()
                .sorted()
                .filter(name -> !document.containsKey(name))
                .forEach(name -> {
                    throw needed.get(name).because("Missing value for '%s' of '%s'", name, kind.name());
                });
        return document;
    }
}
