package io.ostraka.query.filter;

import io.ostraka.core.bson.Bytes;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import io.ostraka.query.filter.PathWalk.CursorTest;
import io.ostraka.query.filter.ValueTest.Comparison;
import io.ostraka.query.regex.Pattern;
import io.ostraka.query.value.Values;
import java.util.Set;
import org.bson.BsonType;
import org.bson.BsonValue;

/** The tests of single values, prepared. */
final class ValueTests {
    private ValueTests() {}

    static int count(RawDocument array) {
        RawCursor element = array.cursor();
        int count = 0;
        while (element.next()) {
            count++;
        }
        return count;
    }

    static CursorTest compare(Comparison comparison, BsonValue operand) {
        BsonType type = operand.getBsonType();
        if (type == BsonType.NULL) {
            boolean equality = comparison != Comparison.GREATER && comparison != Comparison.LESS;
            return value -> equality && (value == null || value.typeByte() == 0x0A);
        }
        RawCursor prepared = RawCursor.of(operand);
        if (comparison == Comparison.EQUAL) {
            return value -> value != null && ValueOrder.compare(value, prepared) == 0;
        }
        if (type == BsonType.MIN_KEY || type == BsonType.MAX_KEY) {
            return value -> value != null && holds(comparison, ValueOrder.compare(value, prepared));
        }
        int rank = ValueOrder.canonicalType(type);
        boolean number = rank == 10;
        boolean operandIsNan = number && Double.isNaN(Values.toDouble(operand));
        return value -> {
            if (value == null || ValueOrder.canonicalType(value.typeByte()) != rank) {
                return false;
            }
            if (number && operandIsNan != isNan(value)) {
                return false; // NaN is neither less nor greater than a number
            }
            return holds(comparison, ValueOrder.compare(value, prepared));
        };
    }

    private static boolean isNan(RawCursor number) {
        return switch (number.typeByte()) {
            case 0x01 -> Double.isNaN(number.float64());
            case 0x13 -> number.value().asDecimal128().getValue().isNaN();
            default -> false;
        };
    }

    private static boolean holds(Comparison comparison, int order) {
        return switch (comparison) {
            case EQUAL -> order == 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
        };
    }

    /** Few values are compared one by one, many are searched in order. */
    static CursorTest in(ValueTest.In in) {
        CursorTest[] patterns = in.patterns().stream().map(ValueTests::matches).toArray(CursorTest[]::new);
        boolean hasNull = in.values().stream().anyMatch(BsonValue::isNull);
        CursorTest values = in.values().size() <= 8 ? oneByOne(in) : bySearch(in);
        return value -> {
            if (value == null) {
                return hasNull;
            }
            if (values.test(value)) {
                return true;
            }
            for (CursorTest pattern : patterns) {
                if (pattern.test(value)) {
                    return true;
                }
            }
            return false;
        };
    }

    private static CursorTest oneByOne(ValueTest.In in) {
        RawCursor[] prepared = in.values().stream().map(RawCursor::of).toArray(RawCursor[]::new);
        return value -> {
            for (RawCursor each : prepared) {
                if (ValueOrder.compare(value, each) == 0) {
                    return true;
                }
            }
            return false;
        };
    }

    private static CursorTest bySearch(ValueTest.In in) {
        RawCursor[] sorted =
                in.values().stream().sorted(ValueOrder.ORDER).map(RawCursor::of).toArray(RawCursor[]::new);
        return value -> {
            int low = 0;
            int high = sorted.length - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int order = ValueOrder.compare(sorted[middle], value);
                if (order == 0) {
                    return true;
                }
                if (order < 0) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return false;
        };
    }

    static CursorTest type(Set<Integer> types) {
        return value -> value != null && types.contains((int) value.typeByte());
    }

    static CursorTest matches(ValueTest.Matches matches) {
        Pattern pattern = Pattern.of(matches.pattern(), matches.options());
        return value -> {
            if (value == null) {
                return false;
            }
            if (value.typeByte() == 0x02 || value.typeByte() == 0x0E) {
                return pattern.find(value);
            }
            if (value.typeByte() == 0x0B) {
                var stored = value.value().asRegularExpression();
                return stored.getPattern().equals(matches.pattern())
                        && stored.getOptions().equals(matches.options());
            }
            return false;
        };
    }

    static CursorTest mod(ValueTest.Mod mod) {
        return value -> {
            if (value == null || !value.isNumber()) {
                return false;
            }
            BsonValue number = value.value();
            double real = Values.toDouble(number);
            if (Double.isNaN(real) || Double.isInfinite(real)) {
                return false;
            }
            return Values.toLong(number) % mod.divisor() == mod.remainder();
        };
    }

    static CursorTest bits(ValueTest.BitTest test) {
        return value -> {
            if (value == null) {
                return false;
            }
            if (value.typeByte() == 0x05) {
                return bitsHold(test, position -> {
                    int length = Bytes.getInt(value.array(), value.valueOffset());
                    int at = position / 8;
                    return at < length && (value.array()[value.valueOffset() + 5 + at] >>> position % 8 & 1) == 1;
                });
            }
            if (!value.isNumber() || !Values.isWhole(value.value())) {
                return false;
            }
            long number = Values.toLong(value.value());
            return bitsHold(test, position -> (number >> Math.min(position, 63) & 1) == 1);
        };
    }

    private static boolean bitsHold(ValueTest.BitTest test, java.util.function.IntPredicate isSet) {
        return switch (test.bits()) {
            case ALL_SET -> test.positions().stream().allMatch(isSet::test);
            case ANY_SET -> test.positions().stream().anyMatch(isSet::test);
            case ALL_CLEAR -> test.positions().stream().noneMatch(isSet::test);
            case ANY_CLEAR -> !test.positions().stream().allMatch(isSet::test);
        };
    }
}
