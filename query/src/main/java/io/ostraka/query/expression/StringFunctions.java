package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.CONCAT_NEEDS_STRINGS;
import static io.ostraka.core.error.ErrorCode.INDEX_OF_NEEDS_STRING;
import static io.ostraka.core.error.ErrorCode.NEEDS_STRING;
import static io.ostraka.core.error.ErrorCode.REPLACE_NEEDS_STRINGS;
import static io.ostraka.core.error.ErrorCode.SPLIT_NEEDS_STRINGS;
import static io.ostraka.core.error.ErrorCode.STRING_LENGTH_NEEDS_STRING;
import static io.ostraka.core.error.ErrorCode.SUBSTRING_INVALID;
import static io.ostraka.core.error.ErrorCode.TRIM_NEEDS_STRINGS;

import io.ostraka.core.bson.ValueOrder;
import io.ostraka.query.value.Values;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Functions of strings. Positions count code points or UTF-8 bytes, as the name says. */
final class StringFunctions {
    private static final int MANY = Integer.MAX_VALUE;
    private static final Set<Integer> WHITESPACE =
            "\0\t\n\u000B\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A"
                    .codePoints()
                    .boxed()
                    .collect(Collectors.toSet());

    static final List<Function> ALL = List.of(
            Function.of("$concat", 0, MANY, (arguments, _) -> concat(arguments)),
            Function.of("$indexOfBytes", 2, 4, (arguments, _) -> indexOf(arguments, true)),
            Function.of("$indexOfCP", 2, 4, (arguments, _) -> indexOf(arguments, false)),
            trim("$ltrim", true, false),
            trim("$rtrim", false, true),
            trim("$trim", true, true),
            replace("$replaceAll", true),
            replace("$replaceOne", false),
            Function.binary("$split", StringFunctions::split),
            Function.binary("$strcasecmp", StringFunctions::compareIgnoringCase),
            length("$strLenBytes", text -> text.getBytes(StandardCharsets.UTF_8).length),
            length("$strLenCP", text -> text.codePointCount(0, text.length())),
            Function.of("$substr", 3, 3, (arguments, _) -> substringOfBytes(arguments)),
            Function.of("$substrBytes", 3, 3, (arguments, _) -> substringOfBytes(arguments)),
            Function.of("$substrCP", 3, 3, (arguments, _) -> substring(arguments)),
            Function.unary("$toLower", value -> new BsonString(text(value).toLowerCase(Locale.ROOT))),
            Function.unary("$toUpper", value -> new BsonString(text(value).toUpperCase(Locale.ROOT))));

    private StringFunctions() {}

    /** Null is empty; numbers and dates become text. */
    static String text(BsonValue value) {
        return switch (value.getBsonType()) {
            case NULL, UNDEFINED -> "";
            case STRING -> value.asString().getValue();
            case SYMBOL -> value.asSymbol().getSymbol();
            case INT32, INT64, DOUBLE, DECIMAL128 -> Conversions.numberText(value);
            case DATE_TIME -> DateFormat.ISO.format(value.asDateTime().getValue(), ZoneOffset.UTC);
            default -> throw NEEDS_STRING.because("can't convert from BSON type %s to String", Values.typeName(value));
        };
    }

    private static BsonValue concat(BsonValue[] arguments) {
        StringBuilder all = new StringBuilder();
        for (BsonValue value : arguments) {
            if (Values.isNullish(value)) {
                return BsonNull.VALUE;
            }
            if (!value.isString()) {
                throw CONCAT_NEEDS_STRINGS.because("$concat only supports strings, not %s", Values.typeName(value));
            }
            all.append(value.asString().getValue());
        }
        return new BsonString(all.toString());
    }

    private static BsonValue indexOf(BsonValue[] arguments, boolean inBytes) {
        if (Values.isNullish(arguments[0])) {
            return BsonNull.VALUE;
        }
        if (!arguments[0].isString() || !arguments[1].isString()) {
            throw INDEX_OF_NEEDS_STRING.because(
                    "%s requires strings, found: %s and %s",
                    inBytes ? "$indexOfBytes" : "$indexOfCP",
                    Values.typeName(arguments[0]),
                    Values.typeName(arguments[1]));
        }
        String text = arguments[0].asString().getValue();
        String wanted = arguments[1].asString().getValue();
        // Latin-1 lets every byte be a character, so that positions in bytes are positions in the string.
        String in = inBytes ? latin(text) : text;
        String what = inBytes ? latin(wanted) : wanted;
        int length = in.codePointCount(0, in.length());
        long from = arguments.length > 2 ? position(arguments[2]) : 0;
        long to = arguments.length > 3 ? Math.min(length, position(arguments[3])) : length;
        if (from > to) {
            return new BsonInt32(-1);
        }
        int start = in.offsetByCodePoints(0, (int) from);
        int end = in.offsetByCodePoints(0, (int) to);
        int found = in.substring(0, end).indexOf(what, start);
        return new BsonInt32(found < 0 ? -1 : in.codePointCount(0, found));
    }

    private static String latin(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static long position(BsonValue value) {
        if (!Values.isNumber(value) || !Values.isWhole(value) || Values.toLong(value) < 0) {
            throw INDEX_OF_NEEDS_STRING.because(
                    "positions in strings must be whole numbers from 0, found %s", Values.show(value));
        }
        return Values.toLong(value);
    }

    private static Function trim(String name, boolean left, boolean right) {
        return Function.named(name, 1, List.of("input", "chars"), (arguments, _) -> {
            BsonValue input = arguments[0];
            boolean given = !Values.isMissing(arguments[1]);
            if (Values.isNullish(input) || given && arguments[1].isNull()) {
                return BsonNull.VALUE;
            }
            if (!input.isString() || given && !arguments[1].isString()) {
                throw TRIM_NEEDS_STRINGS.because(
                        "%s requires its input and chars to be strings, got %s", name, Values.typeName(input));
            }
            Set<Integer> out = given
                    ? arguments[1].asString().getValue().codePoints().boxed().collect(Collectors.toSet())
                    : WHITESPACE;
            int[] points = input.asString().getValue().codePoints().toArray();
            int from = 0;
            int to = points.length;
            while (left && from < to && out.contains(points[from])) {
                from++;
            }
            while (right && to > from && out.contains(points[to - 1])) {
                to--;
            }
            return new BsonString(new String(points, from, to - from));
        });
    }

    private static Function replace(String name, boolean all) {
        return Function.named(name, 3, List.of("input", "find", "replacement"), (arguments, _) -> {
            for (BsonValue argument : arguments) {
                if (!Values.isNullish(argument) && !argument.isString()) {
                    throw REPLACE_NEEDS_STRINGS.because(
                            "%s requires that its arguments be strings, found: %s", name, Values.show(argument));
                }
            }
            if (Arrays.stream(arguments).anyMatch(Values::isNullish)) {
                return BsonNull.VALUE;
            }
            String text = arguments[0].asString().getValue();
            String find = arguments[1].asString().getValue();
            String replacement = arguments[2].asString().getValue();
            if (all) {
                return new BsonString(text.replace(find, replacement));
            }
            int at = text.indexOf(find);
            return new BsonString(
                    at < 0 ? text : text.substring(0, at) + replacement + text.substring(at + find.length()));
        });
    }

    private static BsonValue split(BsonValue text, BsonValue by) {
        if (Values.isNullish(text) || Values.isNullish(by)) {
            return BsonNull.VALUE;
        }
        if (!text.isString() || !by.isString() || by.asString().getValue().isEmpty()) {
            throw SPLIT_NEEDS_STRINGS.because(
                    "$split requires two strings, of which the second is not empty, found: %s and %s",
                    Values.show(text), Values.show(by));
        }
        String rest = text.asString().getValue();
        String separator = by.asString().getValue();
        BsonArray parts = new BsonArray();
        for (int at = rest.indexOf(separator); at >= 0; at = rest.indexOf(separator)) {
            parts.add(new BsonString(rest.substring(0, at)));
            rest = rest.substring(at + separator.length());
        }
        parts.add(new BsonString(rest));
        return parts;
    }

    private static BsonValue compareIgnoringCase(BsonValue one, BsonValue other) {
        int order = ValueOrder.compareText(
                text(one).toUpperCase(Locale.ROOT), text(other).toUpperCase(Locale.ROOT));
        return new BsonInt32(Integer.signum(order));
    }

    private static Function length(String name, java.util.function.ToIntFunction<String> length) {
        return Function.unary(name, value -> {
            if (!value.isString()) {
                throw STRING_LENGTH_NEEDS_STRING.because(
                        "%s requires a string argument, found: %s", name, Values.typeName(value));
            }
            return new BsonInt32(length.applyAsInt(value.asString().getValue()));
        });
    }

    private static BsonValue substringOfBytes(BsonValue[] arguments) {
        byte[] utf8 = text(arguments[0]).getBytes(StandardCharsets.UTF_8);
        long from = bound(arguments[1]);
        long count = bound(arguments[2]);
        if (from < 0) {
            throw SUBSTRING_INVALID.because("$substrBytes: starting index must be non-negative (got: %d)", from);
        }
        if (from >= utf8.length) {
            return new BsonString("");
        }
        int to = (int) (count < 0 ? utf8.length : Math.min(utf8.length, from + count));
        if (isContinuation(utf8, (int) from) || isContinuation(utf8, to)) {
            throw SUBSTRING_INVALID.because("$substrBytes: Invalid range, a bound is inside a UTF-8 character");
        }
        return new BsonString(new String(utf8, (int) from, to - (int) from, StandardCharsets.UTF_8));
    }

    private static boolean isContinuation(byte[] utf8, int at) {
        return at < utf8.length && (utf8[at] & 0xC0) == 0x80;
    }

    private static BsonValue substring(BsonValue[] arguments) {
        int[] points = text(arguments[0]).codePoints().toArray();
        long from = bound(arguments[1]);
        long count = bound(arguments[2]);
        if (from < 0 || count < 0) {
            throw SUBSTRING_INVALID.because("$substrCP: starting index and length must be non-negative");
        }
        int start = (int) Math.min(points.length, from);
        int length = (int) Math.min(points.length - start, count);
        return new BsonString(new String(points, start, length));
    }

    private static long bound(BsonValue value) {
        if (!Values.isNumber(value)) {
            throw SUBSTRING_INVALID.because(
                    "$substr: starting index and length must be numbers (got BSON type %s)", Values.typeName(value));
        }
        return Values.toLong(value);
    }
}
