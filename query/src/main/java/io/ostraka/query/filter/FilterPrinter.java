package io.ostraka.query.filter;

import io.ostraka.query.filter.ValueTest.Comparison;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Writes a filter as a document again, in the full form explain shows ({@code {a: {$eq: 1}}}). */
public final class FilterPrinter {
    private FilterPrinter() {}

    public static BsonDocument print(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) when all.isEmpty() -> new BsonDocument();
            case Filter.And(var all) -> new BsonDocument("$and", printAll(all));
            case Filter.Or(var any) -> new BsonDocument("$or", printAll(any));
            case Filter.Nor(var none) -> new BsonDocument("$nor", printAll(none));
            case Filter.Field(var path, var test) -> new BsonDocument(path.text(), print(test));
            case Filter.Expr expr -> new BsonDocument("$expr", expr.source());
            case Filter.Schema(var unused, var source) -> new BsonDocument("$jsonSchema", source);
            case Filter.Text text -> new BsonDocument("$text", text.source());
            case Filter.Always(var matches) ->
                new BsonDocument(matches ? "$alwaysTrue" : "$alwaysFalse", new BsonInt32(1));
        };
    }

    private static BsonArray printAll(List<Filter> filters) {
        return new BsonArray(filters.stream().map(FilterPrinter::print).toList());
    }

    private static BsonDocument print(ValueTest test) {
        return switch (test) {
            case ValueTest.Compare(var comparison, var operand) -> new BsonDocument(name(comparison), operand);
            case ValueTest.In(var values, var patterns) -> {
                BsonArray all = new BsonArray(values);
                patterns.forEach(pattern -> all.add(regex(pattern)));
                yield new BsonDocument("$in", all);
            }
            case ValueTest.Exists() -> new BsonDocument("$exists", BsonBoolean.TRUE);
            case ValueTest.TypeIs(var types) ->
                new BsonDocument(
                        "$type",
                        new BsonArray(
                                types.stream().sorted().map(BsonInt32::new).toList()));
            case ValueTest.Matches(var pattern, var options) -> {
                BsonDocument document = new BsonDocument("$regex", new BsonString(pattern));
                if (!options.isEmpty()) {
                    document.put("$options", new BsonString(options));
                }
                yield document;
            }
            case ValueTest.Mod(var divisor, var remainder) ->
                new BsonDocument("$mod", new BsonArray(List.of(new BsonInt64(divisor), new BsonInt64(remainder))));
            case ValueTest.Size(var count) -> new BsonDocument("$size", new BsonInt64(count));
            case ValueTest.BitTest(var bits, var positions) ->
                new BsonDocument(
                        switch (bits) {
                            case ALL_SET -> "$bitsAllSet";
                            case ANY_SET -> "$bitsAnySet";
                            case ALL_CLEAR -> "$bitsAllClear";
                            case ANY_CLEAR -> "$bitsAnyClear";
                        },
                        new BsonArray(positions.stream().map(BsonInt32::new).toList()));
            case ValueTest.GeoWithin(var unused, var source) -> new BsonDocument("$geoWithin", source);
            case ValueTest.GeoIntersects(var unused, var source) -> new BsonDocument("$geoIntersects", source);
            case ValueTest.IsNear(var unused, var source) -> source;
            case ValueTest.ElementMatches(var filter) -> new BsonDocument("$elemMatch", print(filter));
            case ValueTest.ElementIs(var all) -> new BsonDocument("$elemMatch", merged(all));
            case ValueTest.AllOf(var all) ->
                new BsonDocument(
                        "$all",
                        new BsonArray(all.stream().map(FilterPrinter::allPart).toList()));
            case ValueTest.Not(var all) -> new BsonDocument("$not", merged(all));
        };
    }

    private static BsonValue allPart(ValueTest test) {
        return switch (test) {
            case ValueTest.Compare(var unused, var operand) -> operand;
            case ValueTest.Matches matches -> regex(matches);
            default -> print(test);
        };
    }

    private static BsonDocument merged(List<ValueTest> tests) {
        BsonDocument document = new BsonDocument();
        tests.forEach(test -> document.putAll(print(test)));
        return document;
    }

    private static BsonRegularExpression regex(ValueTest.Matches matches) {
        return new BsonRegularExpression(matches.pattern(), matches.options());
    }

    private static String name(Comparison comparison) {
        return switch (comparison) {
            case EQUAL -> "$eq";
            case GREATER -> "$gt";
            case GREATER_OR_EQUAL -> "$gte";
            case LESS -> "$lt";
            case LESS_OR_EQUAL -> "$lte";
        };
    }
}
