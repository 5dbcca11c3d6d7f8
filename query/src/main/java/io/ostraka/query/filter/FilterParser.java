package io.ostraka.query.filter;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.schema.SchemaParser;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads filters. What is no filter is refused with 2 BadValue, or with the error of the operator. */
public final class FilterParser {
    /** Levels of {@code $and}, {@code $or}, {@code $nor} and {@code $elemMatch} within each other. */
    private static final int DEPTH_MAX = 100;

    /** How one operator at the top of a filter is read. */
    @FunctionalInterface
    private interface TopLevel {
        Filter read(BsonValue argument, Within within);
    }

    private static final Map<String, TopLevel> TOP_LEVEL = Collections.unmodifiableMap(new TreeMap<>(Map.of(
            "$alwaysFalse", (argument, _) -> always("$alwaysFalse", argument, false),
            "$alwaysTrue", (argument, _) -> always("$alwaysTrue", argument, true),
            "$and", (argument, within) -> new Filter.And(list("$and", argument, within)),
            "$comment", (_, _) -> Filter.EVERYTHING,
            "$expr", (argument, within) -> new Filter.Expr(within.variables().expression(argument), argument),
            "$jsonSchema", (argument, _) -> new Filter.Schema(SchemaParser.parse(argument), argument),
            "$nor", (argument, within) -> new Filter.Nor(list("$nor", argument, within)),
            "$or", (argument, within) -> new Filter.Or(list("$or", argument, within)),
            "$sampleRate", (argument, _) -> sampleRate(argument),
            "$text", (argument, _) -> TextFilters.parse(argument))));

    private FilterParser() {}

    private static Filter always(String name, BsonValue argument, boolean matches) {
        if (!Values.isNumber(argument) || Values.toDouble(argument) != 1) {
            throw FAILED_TO_PARSE.because("%s must be an integer value of 1", name);
        }
        return new Filter.Always(matches);
    }

    /** {@code $sampleRate}: each document by its own lot. */
    private static Filter sampleRate(BsonValue argument) {
        if (!Values.isNumber(argument)) {
            throw BAD_VALUE.because("argument to $sampleRate must be a numeric type");
        }
        double rate = Values.toDouble(argument);
        if (!(rate >= 0 && rate <= 1)) {
            throw BAD_VALUE.because("numeric argument to $sampleRate must be in [0, 1]");
        }
        BsonDocument lot = new BsonDocument("$rand", new BsonDocument());
        BsonDocument drawn = new BsonDocument("$lt", new BsonArray(List.of(lot, argument)));
        return new Filter.Expr(ExpressionParser.parse(drawn), drawn);
    }

    public static Filter parse(RawDocument filter) {
        return parse(filter.toBson(), Variables.NONE);
    }

    public static Filter parse(BsonDocument filter) {
        return parse(filter, Variables.NONE);
    }

    /** Reads a filter whose expressions may use variables. */
    public static Filter parse(BsonDocument filter, Variables variables) {
        Filter read = parse(filter, new Within(0, variables));
        SpecialConditions.check(read);
        return read;
    }

    /** Every operator there is, sorted. */
    public static List<String> names() {
        Set<String> names = new TreeSet<>(TOP_LEVEL.keySet());
        names.addAll(ValueTestParser.TABLE.keySet());
        names.add("$options");
        names.add("$rand"); // within $expr
        return Values.sorted(names);
    }

    static Filter parse(BsonDocument filter, Within within) {
        if (within.depth() > DEPTH_MAX) {
            throw BAD_VALUE.because("exceeded maximum query tree depth of %d", DEPTH_MAX);
        }
        List<Filter> all = new ArrayList<>();
        filter.forEach((name, value) -> {
            if (name.startsWith("$")) {
                TopLevel operator = TOP_LEVEL.get(name);
                if (name.equals("$where")) {
                    throw BAD_VALUE.because("$where is not allowed: server-side JavaScript is not run here; use $expr");
                }
                if (operator == null) {
                    throw BAD_VALUE.because(
                            "unknown top level operator: %s. If you have a field name that starts with a '$' symbol,"
                                    + " consider using $getField or $setField.",
                            name);
                }
                Filter read = operator.read(value, within.deeper());
                if (!read.isEverything() || name.equals("$or")) {
                    all.add(read);
                }
            } else {
                FieldPath path = FieldPath.of(name);
                for (ValueTest test : ValueTestParser.fieldValue(value, within.deeper())) {
                    all.add(new Filter.Field(path, test));
                }
            }
        });
        return all.size() == 1 ? all.getFirst() : new Filter.And(all);
    }

    private static List<Filter> list(String name, BsonValue argument, Within within) {
        if (!argument.isArray()) {
            throw BAD_VALUE.because("%s must be an array", name);
        }
        if (argument.asArray().isEmpty()) {
            throw BAD_VALUE.because("%s argument must be a non-empty array", name);
        }
        List<Filter> filters = new ArrayList<>();
        for (BsonValue element : argument.asArray()) {
            if (!element.isDocument()) {
                throw BAD_VALUE.because("%s argument's entries must be objects", name);
            }
            filters.add(parse(element.asDocument(), within));
        }
        return filters;
    }
}
