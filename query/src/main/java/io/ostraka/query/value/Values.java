package io.ostraka.query.value;

import io.ostraka.core.bson.ValueOrder;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonBoolean;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonType;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/** What values mean to operators: truth, absence, type names. */
public final class Values {
    /**
     * Stands for a value that is not there while an expression is evaluated. A stored undefined, which no current
     * client writes, reads as absent too.
     */
    public static final BsonValue MISSING = new BsonUndefined();

    /** The names {@code $type} knows, with the type numbers of BSON; MinKey is -1. */
    private static final Map<String, Integer> TYPE_NUMBERS = new TreeMap<>(Map.ofEntries(
            Map.entry("double", 1),
            Map.entry("string", 2),
            Map.entry("object", 3),
            Map.entry("array", 4),
            Map.entry("binData", 5),
            Map.entry("undefined", 6),
            Map.entry("objectId", 7),
            Map.entry("bool", 8),
            Map.entry("date", 9),
            Map.entry("null", 10),
            Map.entry("regex", 11),
            Map.entry("dbPointer", 12),
            Map.entry("javascript", 13),
            Map.entry("symbol", 14),
            Map.entry("javascriptWithScope", 15),
            Map.entry("int", 16),
            Map.entry("timestamp", 17),
            Map.entry("long", 18),
            Map.entry("decimal", 19),
            Map.entry("minKey", -1),
            Map.entry("maxKey", 127)));

    private Values() {}

    public static boolean isMissing(BsonValue value) {
        return value.getBsonType() == BsonType.UNDEFINED;
    }

    /** Null or missing. */
    public static boolean isNullish(BsonValue value) {
        return value.isNull() || isMissing(value);
    }

    public static boolean isNumber(BsonValue value) {
        return value.isNumber() || value.isDecimal128();
    }

    /** False are false, null, missing, and zero of any number type. */
    public static boolean isTrue(BsonValue value) {
        return switch (value.getBsonType()) {
            case BOOLEAN -> value.asBoolean().getValue();
            case NULL, UNDEFINED -> false;
            case INT32, INT64 -> value.asNumber().longValue() != 0;
            case DOUBLE -> value.asDouble().getValue() != 0;
            case DECIMAL128 -> {
                Decimal128 decimal = value.asDecimal128().getValue();
                yield decimal.isNaN()
                        || decimal.isInfinite()
                        || ValueOrder.exactValue(decimal).signum() != 0;
            }
            default -> true;
        };
    }

    /** The name of a type as messages and {@code $type} spell it. */
    public static String typeName(BsonType type) {
        return switch (type) {
            case MIN_KEY -> "minKey";
            case END_OF_DOCUMENT -> "missing";
            default ->
                TYPE_NUMBERS.entrySet().stream()
                        .filter(entry -> entry.getValue() == type.getValue())
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse("unknown");
        };
    }

    public static String typeName(BsonValue value) {
        return isMissing(value) ? "missing" : typeName(value.getBsonType());
    }

    /** The type number of a name or of a number, or 0 where there is none. */
    public static int typeNumber(String name) {
        return TYPE_NUMBERS.getOrDefault(name, 0);
    }

    public static boolean isTypeNumber(int number) {
        return TYPE_NUMBERS.containsValue(number);
    }

    /** Whether a number is whole and fits into 64 bits. */
    public static boolean isWhole(BsonValue value) {
        return switch (value.getBsonType()) {
            case INT32, INT64 -> true;
            case DOUBLE -> {
                double number = value.asDouble().getValue();
                yield number == Math.rint(number) && number >= -0x1p63 && number < 0x1p63;
            }
            case DECIMAL128 -> {
                Decimal128 decimal = value.asDecimal128().getValue();
                if (decimal.isNaN() || decimal.isInfinite()) {
                    yield false;
                }
                BigDecimal exact = ValueOrder.exactValue(decimal);
                yield exact.precision() - exact.scale() <= 19
                        && exact.stripTrailingZeros().scale() <= 0;
            }
            default -> false;
        };
    }

    /** A number cut to 64 bits: NaN is 0, what is too great or too small stops at the end of the range. */
    public static long toLong(BsonValue number) {
        return switch (number.getBsonType()) {
            case DOUBLE -> (long) number.asDouble().getValue();
            case DECIMAL128 -> {
                Decimal128 decimal = number.asDecimal128().getValue();
                if (decimal.isNaN()) {
                    yield 0;
                }
                if (decimal.isInfinite()) {
                    yield decimal.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
                }
                BigDecimal exact = ValueOrder.exactValue(decimal);
                if (exact.precision() - exact.scale() > 19) {
                    yield exact.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
                }
                yield exact.precision() - exact.scale() < 0 ? 0 : exact.longValue();
            }
            default -> number.asNumber().longValue();
        };
    }

    public static double toDouble(BsonValue number) {
        return number.isDecimal128()
                ? decimalToDouble(number.asDecimal128().getValue())
                : number.asNumber().doubleValue();
    }

    private static double decimalToDouble(Decimal128 decimal) {
        if (decimal.isNaN()) {
            return Double.NaN;
        }
        if (decimal.isInfinite()) {
            return decimal.isNegative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return ValueOrder.exactValue(decimal).doubleValue();
    }

    /** An int32 if it fits, else an int64. */
    public static BsonValue integer(long value) {
        return value == (int) value ? new BsonInt32((int) value) : new BsonInt64(value);
    }

    public static BsonValue of(boolean value) {
        return BsonBoolean.valueOf(value);
    }

    public static BsonValue of(double value) {
        return new BsonDouble(value);
    }

    public static BsonValue of(Decimal128 value) {
        return new BsonDecimal128(value);
    }

    /** A value as messages show it: Extended JSON, short. */
    public static String show(BsonValue value) {
        if (isMissing(value)) {
            return "MISSING";
        }
        String json = new org.bson.BsonDocument("", value).toJson();
        String text = json.substring(json.indexOf(':') + 2, json.length() - 1);
        return text.length() > 200 ? text.substring(0, 200) + "..." : text;
    }

    /** Names, sorted as a page shows them. */
    public static List<String> sorted(java.util.Collection<String> names) {
        return names.stream()
                .sorted(java.util.Comparator.comparing(name -> name.toLowerCase(Locale.ROOT)))
                .toList();
    }
}
