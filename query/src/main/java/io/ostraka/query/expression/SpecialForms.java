package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.META_UNKNOWN;
import static io.ostraka.core.error.ErrorCode.SWITCH_NEEDS_BRANCH;
import static io.ostraka.core.error.ErrorCode.WRONG_NUMBER_OF_ARGUMENTS;

import io.ostraka.query.run.Metadata;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Operators that do not simply evaluate their arguments, each with how it is read. */
final class SpecialForms {
    /** How one form is read. */
    @FunctionalInterface
    interface Form {
        Expression read(ExpressionParser parser, BsonValue argument);
    }

    static final Map<String, Form> TABLE = Collections.unmodifiableMap(new TreeMap<>(Map.ofEntries(
            Map.entry("$and", (parser, argument) -> new Expression.All(list(parser, argument))),
            Map.entry("$cond", SpecialForms::cond),
            Map.entry("$const", (_, argument) -> new Expression.Literal(argument)),
            Map.entry("$filter", SpecialForms::filter),
            Map.entry("$getField", SpecialForms::getField),
            Map.entry("$ifNull", SpecialForms::ifNull),
            Map.entry("$let", SpecialForms::let),
            Map.entry("$literal", (_, argument) -> new Expression.Literal(argument)),
            Map.entry("$map", SpecialForms::map),
            Map.entry("$meta", (_, argument) -> meta(argument)),
            Map.entry("$or", (parser, argument) -> new Expression.Any(list(parser, argument))),
            Map.entry("$reduce", SpecialForms::reduce),
            Map.entry("$switch", SpecialForms::choose))));

    private SpecialForms() {}

    private static List<Expression> list(ExpressionParser parser, BsonValue argument) {
        return argument.isArray()
                ? argument.asArray().stream().map(parser::read).toList()
                : List.of(parser.read(argument));
    }

    private static Expression meta(BsonValue argument) {
        return new Expression.Meta(Metadata.of(argument)
                .orElseThrow(() -> META_UNKNOWN.because(
                        "Unsupported argument to $meta: %s; 'textScore' and 'geoNearDistance' are known here",
                        Values.show(argument))));
    }

    private static Expression cond(ExpressionParser parser, BsonValue argument) {
        if (argument.isArray()) {
            List<Expression> parts = list(parser, argument);
            if (parts.size() != 3) {
                throw WRONG_NUMBER_OF_ARGUMENTS.because(
                        "Expression $cond takes exactly 3 arguments. %d were passed in.", parts.size());
            }
            return new Expression.Conditional(parts.get(0), parts.get(1), parts.get(2));
        }
        Set<String> known = Set.of("if", "then", "else");
        BsonDocument fields = parser.fields("$cond", argument, known, known);
        return new Expression.Conditional(
                parser.read(fields.get("if")), parser.read(fields.get("then")), parser.read(fields.get("else")));
    }

    /** The field's name may be any text, with dots and dollars; the input is the document itself if not given. */
    private static Expression getField(ExpressionParser parser, BsonValue argument) {
        BsonValue field = argument;
        Expression input = new Expression.Variable("CURRENT", Optional.empty());
        if (argument.isDocument() && argument.asDocument().containsKey("field")) {
            BsonDocument fields =
                    parser.fields("$getField", argument, Set.of("field", "input"), Set.of("field", "input"));
            field = fields.get("field");
            input = parser.read(fields.get("input"));
        }
        return new Expression.Call(
                Function.binary("$getField", ObjectFunctions::getField), List.of(parser.read(field), input));
    }

    private static Expression ifNull(ExpressionParser parser, BsonValue argument) {
        List<Expression> parts = list(parser, argument);
        if (parts.size() < 2) {
            throw io.ostraka.core.error.ErrorCode.IF_NULL_NEEDS_TWO.because(
                    "$ifNull needs at least two arguments, had: %d", parts.size());
        }
        return new Expression.FirstPresent(parts);
    }

    private static Expression choose(ExpressionParser parser, BsonValue argument) {
        BsonDocument fields = parser.fields("$switch", argument, Set.of("branches", "default"), Set.of("branches"));
        if (!fields.get("branches").isArray()) {
            throw FAILED_TO_PARSE.because("$switch expected an array for 'branches'");
        }
        List<Expression.Branch> branches = new ArrayList<>();
        for (BsonValue branch : fields.getArray("branches")) {
            Set<String> known = Set.of("case", "then");
            BsonDocument parts = parser.fields("$switch", branch, known, known);
            branches.add(new Expression.Branch(parser.read(parts.get("case")), parser.read(parts.get("then"))));
        }
        if (branches.isEmpty()) {
            throw SWITCH_NEEDS_BRANCH.because("$switch requires at least one branch.");
        }
        return new Expression.Switch(
                branches, Optional.ofNullable(fields.get("default")).map(parser::read));
    }

    private static Expression let(ExpressionParser parser, BsonValue argument) {
        Set<String> known = Set.of("vars", "in");
        BsonDocument fields = parser.fields("$let", argument, known, known);
        if (!fields.get("vars").isDocument()) {
            throw FAILED_TO_PARSE.because("$let expects 'vars' to be an object");
        }
        List<Expression.Entry> variables = new ArrayList<>();
        Set<String> names = new HashSet<>();
        fields.getDocument("vars").forEach((name, value) -> {
            ExpressionParser.checkName(name, false);
            names.add(name);
            variables.add(new Expression.Entry(name, parser.read(value)));
        });
        return new Expression.Let(variables, parser.with(names).read(fields.get("in")));
    }

    private static String as(BsonDocument fields) {
        BsonValue as = fields.get("as");
        if (as == null) {
            return "this";
        }
        if (!as.isString()) {
            throw FAILED_TO_PARSE.because("'as' must be a string, found %s", Values.typeName(as));
        }
        ExpressionParser.checkName(as.asString().getValue(), false);
        return as.asString().getValue();
    }

    private static Expression map(ExpressionParser parser, BsonValue argument) {
        BsonDocument fields = parser.fields("$map", argument, Set.of("input", "as", "in"), Set.of("input", "in"));
        String as = as(fields);
        return new Expression.MapEach(
                parser.read(fields.get("input")), as, parser.with(Set.of(as)).read(fields.get("in")));
    }

    private static Expression filter(ExpressionParser parser, BsonValue argument) {
        BsonDocument fields =
                parser.fields("$filter", argument, Set.of("input", "as", "cond", "limit"), Set.of("input", "cond"));
        String as = as(fields);
        return new Expression.FilterEach(
                parser.read(fields.get("input")),
                as,
                parser.with(Set.of(as)).read(fields.get("cond")),
                Optional.ofNullable(fields.get("limit")).map(parser::read));
    }

    private static Expression reduce(ExpressionParser parser, BsonValue argument) {
        Set<String> known = Set.of("input", "initialValue", "in");
        BsonDocument fields = parser.fields("$reduce", argument, known, known);
        return new Expression.Reduce(
                parser.read(fields.get("input")),
                parser.read(fields.get("initialValue")),
                parser.with(Set.of("this", "value")).read(fields.get("in")));
    }
}
