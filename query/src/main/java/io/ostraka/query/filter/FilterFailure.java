package io.ostraka.query.filter;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.schema.SchemaFailure;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Why a document does not match a filter, as {@code errInfo.details} of a validation error tells it. Compiles and decodes
 * as it goes, so it is asked only when a document was refused.
 */
public final class FilterFailure {
    /** Values shown of one path that leads to many. */
    private static final int CONSIDERED_MAX = 1_000;

    private final RawDocument document;
    private final RunContext context;

    private FilterFailure(RawDocument document, RunContext context) {
        this.document = document;
        this.context = context;
    }

    /** The reason; {@code filter} must not match. */
    public static BsonDocument of(Filter filter, RawDocument document, RunContext context) {
        return new FilterFailure(document, context).failed(filter);
    }

    private boolean matches(Filter filter) {
        return FilterCompiler.compile(filter, context).test(document);
    }

    private static BsonDocument named(String operator) {
        return new BsonDocument("operatorName", new BsonString(operator));
    }

    private BsonDocument failed(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) -> named("$and").append("clausesNotSatisfied", clauses(all, false));
            case Filter.Or(var any) -> named("$or").append("clausesNotSatisfied", clauses(any, false));
            case Filter.Nor(var none) -> named("$nor").append("clausesSatisfied", clauses(none, true));
            case Filter.Field(var path, var test) -> field(new Filter.Field(path, test), test);
            case Filter.Text text ->
                named("$text")
                        .append("specifiedAs", new BsonDocument("$text", text.source()))
                        .append("reason", new BsonString("words did not match"));
            case Filter.Schema(var schema, var unused) -> SchemaFailure.of(schema, document);
            case Filter.Expr expr ->
                named("$expr")
                        .append("specifiedAs", new BsonDocument("$expr", expr.source()))
                        .append("reason", new BsonString("expression did not match"))
                        .append("expressionResult", result(expr));
            case Filter.Always always ->
                named("$alwaysFalse")
                        .append("specifiedAs", FilterPrinter.print(always))
                        .append("reason", new BsonString("expression always evaluates to false"));
        };
    }

    private BsonValue result(Filter.Expr expr) {
        BsonValue value = Evaluator.evaluate(expr.expression(), new Scope(document, context));
        return Values.isMissing(value) ? org.bson.BsonNull.VALUE : value;
    }

    private BsonArray clauses(List<Filter> filters, boolean wanted) {
        BsonArray clauses = new BsonArray();
        for (int i = 0; i < filters.size(); i++) {
            if (matches(filters.get(i)) == wanted) {
                BsonDocument clause = new BsonDocument("index", new BsonInt32(i));
                clauses.add(clause.append("details", wanted ? held(filters.get(i)) : failed(filters.get(i))));
            }
        }
        return clauses;
    }

    /** What is told of a condition that should not hold. */
    private BsonDocument held(Filter filter) {
        BsonDocument printed = FilterPrinter.print(filter);
        String operator = filter instanceof Filter.Field(var unused, var test) ? name(test) : first(printed);
        BsonDocument told =
                named(operator).append("specifiedAs", printed).append("reason", new BsonString("condition did match"));
        if (filter instanceof Filter.Field(var path, var unused)) {
            consider(told, values(path));
        }
        return told;
    }

    private static String first(BsonDocument printed) {
        return printed.isEmpty() ? "$and" : printed.getFirstKey();
    }

    private static String name(ValueTest test) {
        return FilterPrinter.print(new Filter.Field(FieldPath.of("x"), test))
                .getDocument("x")
                .getFirstKey();
    }

    private BsonDocument field(Filter.Field field, ValueTest test) {
        if (test instanceof ValueTest.Not(var all)) {
            Filter inner = all.size() == 1
                    ? new Filter.Field(field.path(), all.getFirst())
                    : new Filter.And(all.stream()
                            .<Filter>map(each -> new Filter.Field(field.path(), each))
                            .toList());
            return named("$not").append("details", held(inner));
        }
        List<BsonValue> values = values(field.path());
        BsonDocument told = named(name(test)).append("specifiedAs", FilterPrinter.print(field));
        if (values.isEmpty() && !(test instanceof ValueTest.Exists)) {
            return told.append("reason", new BsonString("field was missing"));
        }
        told.append("reason", new BsonString(reason(test)));
        consider(told, values);
        if (test instanceof ValueTest.TypeIs && values.size() == 1) {
            told.append("consideredType", new BsonString(Values.typeName(values.getFirst())));
        }
        return told;
    }

    private static void consider(BsonDocument told, List<BsonValue> values) {
        if (values.size() == 1) {
            told.append("consideredValue", values.getFirst());
        } else if (!values.isEmpty()) {
            told.append("consideredValues", new BsonArray(values));
        }
    }

    private static String reason(ValueTest test) {
        return switch (test) {
            case ValueTest.Compare _ -> "comparison failed";
            case ValueTest.In _ -> "no matching value found in array";
            case ValueTest.Exists _ -> "path does not exist";
            case ValueTest.TypeIs _ -> "type did not match";
            case ValueTest.Matches _ -> "regular expression did not match";
            case ValueTest.Mod _ -> "$mod did not evaluate to expected remainder";
            case ValueTest.Size _ -> "array length was not equal to given size";
            case ValueTest.GeoWithin _ ->
                "none of considered geometries was contained within the expression's geometry";
            case ValueTest.GeoIntersects _ -> "none of considered geometries intersected the expression's geometry";
            case ValueTest.IsNear _ -> "none of considered geometries was at one of the distances";
            case ValueTest.BitTest _ -> "bitwise operator failed to match";
            case ValueTest.ElementMatches _, ValueTest.ElementIs _ -> "array did not satisfy the child predicate";
            case ValueTest.AllOf _ -> "array did not contain all specified values";
            case ValueTest.Not _ -> "condition did match";
        };
    }

    /** The values a path leads to, arrays whole. */
    private List<BsonValue> values(FieldPath path) {
        List<BsonValue> values = new ArrayList<>();
        boolean unused = PathWalk.any(document, path, new PathWalk.CursorTest() {
            @Override
            public boolean test(RawCursor valueOrNull) {
                if (valueOrNull != null) {
                    values.add(valueOrNull.value());
                }
                return values.size() >= CONSIDERED_MAX;
            }

            @Override
            public boolean looksIntoArrays() {
                return false;
            }
        });
        return values;
    }
}
