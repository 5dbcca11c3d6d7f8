package io.ostraka.query.filter;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.INVALID_REGEX;
import static io.ostraka.core.error.ErrorCode.INVALID_REGEX_OPTIONS;
import static io.ostraka.core.error.ErrorCode.REGEX_OPTIONS_TWICE;

import io.ostraka.query.filter.ValueTest.Bits;
import io.ostraka.query.filter.ValueTest.Comparison;
import io.ostraka.query.regex.Pattern;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.BsonType;
import org.bson.BsonValue;

/** Reads what stands behind a field's name: a value to equal, a pattern, or a document of operators. */
public final class ValueTestParser {
    /** How one operator is read; beside it stand the other operators of its document. */
    @FunctionalInterface
    interface Operator {
        ValueTest read(BsonValue argument, BsonDocument beside, Within within);
    }

    static final Map<String, Operator> TABLE = Collections.unmodifiableMap(new TreeMap<>(Map.ofEntries(
            Map.entry("$all", ValueTestParser::all),
            Map.entry("$bitsAllClear", (argument, _, _) -> bits(Bits.ALL_CLEAR, argument)),
            Map.entry("$bitsAllSet", (argument, _, _) -> bits(Bits.ALL_SET, argument)),
            Map.entry("$bitsAnyClear", (argument, _, _) -> bits(Bits.ANY_CLEAR, argument)),
            Map.entry("$bitsAnySet", (argument, _, _) -> bits(Bits.ANY_SET, argument)),
            Map.entry("$elemMatch", (argument, _, within) -> elemMatch(argument, within)),
            Map.entry("$eq", (argument, _, _) -> compare(Comparison.EQUAL, argument)),
            Map.entry("$exists", (argument, _, _) -> exists(argument)),
            Map.entry("$geoIntersects", (argument, _, _) -> GeoTests.intersects(argument)),
            Map.entry("$geoWithin", (argument, _, _) -> GeoTests.within(argument)),
            Map.entry("$gt", (argument, _, _) -> compare(Comparison.GREATER, argument)),
            Map.entry("$gte", (argument, _, _) -> compare(Comparison.GREATER_OR_EQUAL, argument)),
            Map.entry("$in", (argument, _, _) -> in("$in", argument)),
            Map.entry("$lt", (argument, _, _) -> compare(Comparison.LESS, argument)),
            Map.entry("$lte", (argument, _, _) -> compare(Comparison.LESS_OR_EQUAL, argument)),
            Map.entry("$mod", (argument, _, _) -> mod(argument)),
            Map.entry("$ne", (argument, _, _) -> ne(argument)),
            Map.entry("$near", (argument, beside, _) -> GeoTests.near("$near", argument, beside)),
            Map.entry("$nearSphere", (argument, beside, _) -> GeoTests.near("$nearSphere", argument, beside)),
            Map.entry("$nin", (argument, _, _) -> new ValueTest.Not(List.of(in("$nin", argument)))),
            Map.entry("$not", (argument, _, within) -> not(argument, within)),
            Map.entry("$regex", ValueTestParser::regex),
            Map.entry("$size", (argument, _, _) -> size(argument)),
            Map.entry("$type", (argument, _, _) -> type(argument)))));

    private ValueTestParser() {}

    /** All conditions behind one field's name. */
    public static List<ValueTest> fieldValue(BsonValue value) {
        return fieldValue(value, Within.TOP);
    }

    static List<ValueTest> fieldValue(BsonValue value, Within within) {
        if (value.isRegularExpression()) {
            return List.of(pattern(value.asRegularExpression()));
        }
        if (value.isDocument() && isOperators(value.asDocument())) {
            return operators(value.asDocument(), within);
        }
        return List.of(compare(Comparison.EQUAL, value));
    }

    /** Whether a document is made of operators; a DBRef is not. */
    public static boolean isOperators(BsonDocument document) {
        if (document.isEmpty()) {
            return false;
        }
        String first = document.getFirstKey();
        return first.startsWith("$") && !first.equals("$ref") && !first.equals("$id") && !first.equals("$db");
    }

    static List<ValueTest> operators(BsonDocument document, Within within) {
        List<ValueTest> tests = new ArrayList<>();
        document.forEach((name, argument) -> {
            if (name.equals("$options")) {
                if (!document.containsKey("$regex")) {
                    throw BAD_VALUE.because("$options needs a $regex");
                }
                return;
            }
            if (GeoTests.isDistance(name) && GeoTests.isNear(document)) {
                return;
            }
            Operator operator = TABLE.get(name);
            if (operator == null) {
                throw BAD_VALUE.because("unknown operator: %s", name);
            }
            tests.add(operator.read(argument, document, within));
        });
        return tests;
    }

    private static ValueTest compare(Comparison comparison, BsonValue operand) {
        if (operand.getBsonType() == BsonType.UNDEFINED) {
            throw BAD_VALUE.because("cannot compare to undefined");
        }
        if (operand.isRegularExpression() && comparison != Comparison.EQUAL) {
            throw BAD_VALUE.because("Can't have RegEx as arg to predicate over field.");
        }
        return new ValueTest.Compare(comparison, operand);
    }

    private static ValueTest ne(BsonValue operand) {
        if (operand.isRegularExpression()) {
            throw BAD_VALUE.because("Can't have regex as arg to $ne.");
        }
        return new ValueTest.Not(List.of(compare(Comparison.EQUAL, operand)));
    }

    private static ValueTest.In in(String name, BsonValue argument) {
        if (!argument.isArray()) {
            throw BAD_VALUE.because("%s needs an array", name);
        }
        List<BsonValue> values = new ArrayList<>();
        List<ValueTest.Matches> patterns = new ArrayList<>();
        for (BsonValue value : argument.asArray()) {
            if (value.isDocument() && isOperators(value.asDocument())) {
                throw BAD_VALUE.because("cannot nest $ under %s", name);
            }
            if (value.getBsonType() == BsonType.UNDEFINED) {
                throw BAD_VALUE.because("%s cannot contain undefined", name);
            }
            if (value.isRegularExpression()) {
                patterns.add(pattern(value.asRegularExpression()));
            } else {
                values.add(value);
            }
        }
        return new ValueTest.In(values, patterns);
    }

    private static ValueTest exists(BsonValue argument) {
        ValueTest exists = new ValueTest.Exists();
        return Values.isTrue(argument) ? exists : new ValueTest.Not(List.of(exists));
    }

    private static ValueTest type(BsonValue argument) {
        Set<Integer> types = new HashSet<>();
        List<BsonValue> named = argument.isArray() ? argument.asArray().getValues() : List.of(argument);
        if (named.isEmpty()) {
            throw io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE.because("$type must match at least one type");
        }
        for (BsonValue type : named) {
            if (type.isString() && type.asString().getValue().equals("number")) {
                types.addAll(Set.of(1, 16, 18, 19));
            } else if (type.isString()) {
                int number = Values.typeNumber(type.asString().getValue());
                if (number == 0) {
                    throw BAD_VALUE.because(
                            "Unknown type name alias: %s", type.asString().getValue());
                }
                types.add(number);
            } else if (Values.isNumber(type)) {
                if (!Values.isWhole(type) || !Values.isTypeNumber((int) Values.toLong(type))) {
                    throw BAD_VALUE.because("Invalid numerical type code: %s", Values.show(type));
                }
                types.add((int) Values.toLong(type));
            } else {
                throw io.ostraka.core.error.ErrorCode.TYPE_MISMATCH.because(
                        "type must be represented as a number or a string");
            }
        }
        return new ValueTest.TypeIs(types);
    }

    static ValueTest.Matches pattern(BsonRegularExpression regex) {
        return checked(new ValueTest.Matches(regex.getPattern(), regex.getOptions()));
    }

    private static ValueTest.Matches checked(ValueTest.Matches matches) {
        for (char option : matches.options().toCharArray()) {
            if ("imsxu".indexOf(option) < 0) {
                throw INVALID_REGEX_OPTIONS.because("invalid flag in regex options: %s", option);
            }
        }
        if (matches.pattern().indexOf('\0') >= 0) {
            throw INVALID_REGEX.because("Regular expression cannot contain an embedded null byte");
        }
        Pattern.of(matches.pattern(), matches.options()); // refuses what is no pattern
        return matches;
    }

    private static ValueTest regex(BsonValue argument, BsonDocument beside, Within within) {
        BsonValue options = beside.get("$options");
        if (options != null && !options.isString()) {
            throw BAD_VALUE.because("$options has to be a string");
        }
        String given = options == null ? "" : options.asString().getValue();
        if (argument.isString()) {
            return checked(new ValueTest.Matches(argument.asString().getValue(), given));
        }
        if (!argument.isRegularExpression()) {
            throw BAD_VALUE.because("$regex has to be a string");
        }
        BsonRegularExpression regex = argument.asRegularExpression();
        if (options != null && !regex.getOptions().isEmpty()) {
            throw REGEX_OPTIONS_TWICE.because("options set in both $regex and $options");
        }
        return checked(new ValueTest.Matches(regex.getPattern(), options == null ? regex.getOptions() : given));
    }

    private static ValueTest mod(BsonValue argument) {
        if (!argument.isArray()) {
            throw BAD_VALUE.because("malformed mod, needs to be an array");
        }
        BsonArray parts = argument.asArray();
        if (parts.size() != 2) {
            throw BAD_VALUE.because(
                    parts.size() < 2 ? "malformed mod, not enough elements" : "malformed mod, too many elements");
        }
        for (BsonValue part : parts) {
            if (!Values.isNumber(part)
                    || Double.isNaN(Values.toDouble(part))
                    || Double.isInfinite(Values.toDouble(part))) {
                throw BAD_VALUE.because("malformed mod, %s is not a finite number", Values.show(part));
            }
        }
        long divisor = Values.toLong(parts.get(0));
        if (divisor == 0) {
            throw BAD_VALUE.because("divisor cannot be 0");
        }
        return new ValueTest.Mod(divisor, Values.toLong(parts.get(1)));
    }

    private static ValueTest size(BsonValue argument) {
        if (!Values.isNumber(argument) || !Values.isWhole(argument)) {
            throw BAD_VALUE.because("Failed to parse $size. Expected an integer in: $size: %s", Values.show(argument));
        }
        long count = Values.toLong(argument);
        if (count < 0) {
            throw BAD_VALUE.because("Failed to parse $size. Expected a non-negative number in: $size: %d", count);
        }
        return new ValueTest.Size(count);
    }

    private static ValueTest bits(Bits bits, BsonValue argument) {
        List<Integer> positions = new ArrayList<>();
        if (Values.isNumber(argument)) {
            long mask = Values.toLong(argument);
            if (mask < 0 || !Values.isWhole(argument)) {
                throw BAD_VALUE.because("bit mask must be a non-negative whole number, not %s", Values.show(argument));
            }
            for (int i = 0; i < 64; i++) {
                if ((mask >>> i & 1) == 1) {
                    positions.add(i);
                }
            }
        } else if (argument.isBinary()) {
            byte[] mask = argument.asBinary().getData();
            for (int i = 0; i < mask.length * 8; i++) {
                if ((mask[i / 8] >>> i % 8 & 1) == 1) {
                    positions.add(i);
                }
            }
        } else if (argument.isArray()) {
            for (BsonValue position : argument.asArray()) {
                if (!Values.isNumber(position)
                        || !Values.isWhole(position)
                        || Values.toLong(position) < 0
                        || Values.toLong(position) > Integer.MAX_VALUE) {
                    throw BAD_VALUE.because(
                            "bit positions must be whole numbers from 0, not %s", Values.show(position));
                }
                positions.add((int) Values.toLong(position));
            }
        } else {
            throw BAD_VALUE.because("bit masks are a number, a binary or an array of positions");
        }
        return new ValueTest.BitTest(bits, positions);
    }

    private static ValueTest elemMatch(BsonValue argument, Within within) {
        if (!argument.isDocument()) {
            throw BAD_VALUE.because("$elemMatch needs an Object");
        }
        return anyElement(argument.asDocument(), within);
    }

    /** What {@code $elemMatch} asks of an array: conditions on its elements or on their fields, as they look. */
    public static ValueTest anyElement(BsonDocument document) {
        return anyElement(document, Within.TOP);
    }

    static ValueTest anyElement(BsonDocument document, Within within) {
        boolean onFields = !isOperators(document) || FIELD_LEVEL.contains(document.getFirstKey());
        return onFields
                ? new ValueTest.ElementMatches(FilterParser.parse(document, within.deeper()))
                : new ValueTest.ElementIs(operators(document, within.deeper()));
    }

    private static final Set<String> FIELD_LEVEL = Set.of("$and", "$or", "$nor", "$expr");

    private static ValueTest not(BsonValue argument, Within within) {
        if (argument.isRegularExpression()) {
            return new ValueTest.Not(List.of(pattern(argument.asRegularExpression())));
        }
        if (!argument.isDocument() || !isOperators(argument.asDocument())) {
            throw BAD_VALUE.because("$not needs a regex or a document");
        }
        return new ValueTest.Not(operators(argument.asDocument(), within));
    }

    private static ValueTest all(BsonValue argument, BsonDocument beside, Within within) {
        if (!argument.isArray()) {
            throw BAD_VALUE.because("$all needs an array");
        }
        List<ValueTest> tests = new ArrayList<>();
        for (BsonValue part : argument.asArray()) {
            if (part.isDocument() && isOperators(part.asDocument())) {
                if (!part.asDocument().getFirstKey().equals("$elemMatch")) {
                    throw BAD_VALUE.because("no $ expressions in $all");
                }
                tests.add(elemMatch(part.asDocument().get("$elemMatch"), within));
            } else if (part.isRegularExpression()) {
                tests.add(pattern(part.asRegularExpression()));
            } else {
                tests.add(compare(Comparison.EQUAL, part));
            }
        }
        return new ValueTest.AllOf(tests);
    }
}
