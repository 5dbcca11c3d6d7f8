package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.ADD_NEEDS_NUMBERS;
import static io.ostraka.core.error.ErrorCode.ADD_ONE_DATE;
import static io.ostraka.core.error.ErrorCode.DIVIDE_BY_ZERO;
import static io.ostraka.core.error.ErrorCode.DIVIDE_NEEDS_NUMBERS;
import static io.ostraka.core.error.ErrorCode.INVALID_NUMERIC_ARGUMENT;
import static io.ostraka.core.error.ErrorCode.MOD_BY_ZERO;
import static io.ostraka.core.error.ErrorCode.MOD_NEEDS_NUMBERS;
import static io.ostraka.core.error.ErrorCode.MULTIPLY_NEEDS_NUMBERS;
import static io.ostraka.core.error.ErrorCode.NEEDS_NUMERIC_ARGUMENT;
import static io.ostraka.core.error.ErrorCode.ROUND_PLACES_INVALID;
import static io.ostraka.core.error.ErrorCode.SUBTRACT_NEEDS_NUMBERS;

import io.ostraka.core.bson.ValueOrder;
import io.ostraka.query.value.Arithmetic;
import io.ostraka.query.value.Values;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.bson.BsonDateTime;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Arithmetic on numbers of all types. Null or missing gives null. */
final class ArithmeticFunctions {
    private static final int MANY = Integer.MAX_VALUE;

    static final List<Function> ALL = List.of(
            Function.unary("$abs", ArithmeticFunctions::abs),
            Function.of("$add", 0, MANY, (arguments, _) -> add(arguments)),
            rounding("$ceil", RoundingMode.CEILING),
            Function.binary("$divide", ArithmeticFunctions::divide),
            real("$exp", Math::exp),
            rounding("$floor", RoundingMode.FLOOR),
            real("$ln", number -> Math.log(positive("$ln", number))),
            Function.binary("$log", ArithmeticFunctions::log),
            real("$log10", number -> Math.log10(positive("$log10", number))),
            Function.binary("$mod", ArithmeticFunctions::mod),
            Function.of("$multiply", 0, MANY, (arguments, _) -> multiply(arguments)),
            Function.binary("$pow", ArithmeticFunctions::pow),
            Function.of(
                    "$rand",
                    0,
                    1,
                    (_, context) -> new BsonDouble(context.random().nextDouble())),
            Function.of("$round", 1, 2, (arguments, _) -> places("$round", arguments, RoundingMode.HALF_EVEN)),
            real("$sqrt", ArithmeticFunctions::sqrt),
            Function.binary("$subtract", ArithmeticFunctions::subtract),
            Function.of("$trunc", 1, 2, (arguments, _) -> places("$trunc", arguments, RoundingMode.DOWN)),
            real("$acos", Math::acos),
            real("$asin", Math::asin),
            real("$atan", Math::atan),
            Function.binary("$atan2", ArithmeticFunctions::atan2),
            real("$cos", Math::cos),
            real("$degreesToRadians", Math::toRadians),
            real("$radiansToDegrees", Math::toDegrees),
            real("$sin", Math::sin),
            real("$tan", Math::tan));

    private ArithmeticFunctions() {}

    private static Function real(String name, DoubleUnaryOperator body) {
        return Function.unary(name, value -> {
            if (Values.isNullish(value)) {
                return BsonNull.VALUE;
            }
            double result = body.applyAsDouble(Values.toDouble(number(name, value)));
            return value.isDecimal128() ? Arithmetic.toDecimal(result) : new BsonDouble(result);
        });
    }

    private static BsonValue number(String name, BsonValue value) {
        if (!Values.isNumber(value)) {
            throw NEEDS_NUMERIC_ARGUMENT.because(
                    "%s only supports numeric types, not %s", name, Values.typeName(value));
        }
        return value;
    }

    private static double positive(String name, double number) {
        if (number <= 0) {
            throw INVALID_NUMERIC_ARGUMENT.because("%s's argument must be a positive number, but is %s", name, number);
        }
        return number;
    }

    private static double sqrt(double number) {
        if (number < 0) {
            throw INVALID_NUMERIC_ARGUMENT.because("$sqrt's argument must be greater than or equal to 0");
        }
        return Math.sqrt(number);
    }

    private static BsonValue abs(BsonValue value) {
        if (Values.isNullish(value)) {
            return BsonNull.VALUE;
        }
        number("$abs", value);
        if (value.isInt64() && value.asInt64().getValue() == Long.MIN_VALUE) {
            throw INVALID_NUMERIC_ARGUMENT.because("can't take $abs of long long min");
        }
        if (value.isDouble()) {
            return new BsonDouble(Math.abs(value.asDouble().getValue()));
        }
        boolean negative = ValueOrder.ORDER.compare(value, Arithmetic.zeroLike(value)) < 0;
        return negative ? Arithmetic.subtract(Arithmetic.zeroLike(value), value) : value;
    }

    private static BsonValue add(BsonValue[] arguments) {
        BsonValue sum = new org.bson.BsonInt32(0);
        BsonDateTime date = null;
        for (BsonValue value : arguments) {
            if (Values.isNullish(value)) {
                return BsonNull.VALUE;
            }
            if (value.isDateTime()) {
                if (date != null) {
                    throw ADD_ONE_DATE.because("only one date allowed in an $add expression");
                }
                date = value.asDateTime();
            } else if (Values.isNumber(value)) {
                sum = Arithmetic.add(sum, value);
            } else {
                throw ADD_NEEDS_NUMBERS.because(
                        "$add only supports numeric or date types, not %s", Values.typeName(value));
            }
        }
        return date == null ? sum : shifted(date, sum, 1);
    }

    private static BsonValue shifted(BsonDateTime date, BsonValue millis, int sign) {
        long by = millis.isDouble() ? Math.round(millis.asDouble().getValue()) : Values.toLong(millis);
        return new BsonDateTime(date.getValue() + sign * by);
    }

    private static BsonValue subtract(BsonValue one, BsonValue other) {
        if (Values.isNullish(one) || Values.isNullish(other)) {
            return BsonNull.VALUE;
        }
        if (Values.isNumber(one) && Values.isNumber(other)) {
            return Arithmetic.subtract(one, other);
        }
        if (one.isDateTime() && other.isDateTime()) {
            return new BsonInt64(
                    one.asDateTime().getValue() - other.asDateTime().getValue());
        }
        if (one.isDateTime() && Values.isNumber(other)) {
            return shifted(one.asDateTime(), other, -1);
        }
        throw SUBTRACT_NEEDS_NUMBERS.because(
                "can't $subtract %s from %s", Values.typeName(other), Values.typeName(one));
    }

    private static BsonValue multiply(BsonValue[] arguments) {
        BsonValue product = new org.bson.BsonInt32(1);
        for (BsonValue value : arguments) {
            if (Values.isNullish(value)) {
                return BsonNull.VALUE;
            }
            if (!Values.isNumber(value)) {
                throw MULTIPLY_NEEDS_NUMBERS.because(
                        "$multiply only supports numeric types, not %s", Values.typeName(value));
            }
            product = Arithmetic.multiply(product, value);
        }
        return product;
    }

    private static BsonValue divide(BsonValue one, BsonValue other) {
        if (Values.isNullish(one) || Values.isNullish(other)) {
            return BsonNull.VALUE;
        }
        if (!Values.isNumber(one) || !Values.isNumber(other)) {
            throw DIVIDE_NEEDS_NUMBERS.because(
                    "$divide only supports numeric types, not %s and %s", Values.typeName(one), Values.typeName(other));
        }
        if (Values.toDouble(other) == 0) {
            throw DIVIDE_BY_ZERO.because("can't $divide by zero");
        }
        if ((one.isDecimal128() || other.isDecimal128()) && Arithmetic.isFinite(one) && Arithmetic.isFinite(other)) {
            BigDecimal quotient =
                    Arithmetic.toBigDecimal(one).divide(Arithmetic.toBigDecimal(other), Arithmetic.DECIMAL);
            return Arithmetic.toDecimal(quotient);
        }
        double quotient = Values.toDouble(one) / Values.toDouble(other);
        return one.isDecimal128() || other.isDecimal128() ? Arithmetic.toDecimal(quotient) : new BsonDouble(quotient);
    }

    private static BsonValue mod(BsonValue one, BsonValue other) {
        if (Values.isNullish(one) || Values.isNullish(other)) {
            return BsonNull.VALUE;
        }
        if (!Values.isNumber(one) || !Values.isNumber(other)) {
            throw MOD_NEEDS_NUMBERS.because(
                    "$mod only supports numeric types, not %s and %s", Values.typeName(one), Values.typeName(other));
        }
        if (Values.toDouble(other) == 0) {
            throw MOD_BY_ZERO.because("can't $mod by zero");
        }
        if (one.isDecimal128() || other.isDecimal128()) {
            return Arithmetic.isFinite(one) && Arithmetic.isFinite(other)
                    ? Arithmetic.toDecimal(Arithmetic.toBigDecimal(one).remainder(Arithmetic.toBigDecimal(other)))
                    : Arithmetic.toDecimal(Values.toDouble(one) % Values.toDouble(other));
        }
        if (one.isDouble() || other.isDouble()) {
            return new BsonDouble(Values.toDouble(one) % Values.toDouble(other));
        }
        long rest = one.asNumber().longValue() % other.asNumber().longValue();
        return one.isInt32() && other.isInt32() ? Values.integer(rest) : new BsonInt64(rest);
    }

    private static BsonValue log(BsonValue value, BsonValue base) {
        if (Values.isNullish(value) || Values.isNullish(base)) {
            return BsonNull.VALUE;
        }
        double number = positive("$log", Values.toDouble(number("$log", value)));
        double of = Values.toDouble(number("$log", base));
        if (of <= 0 || of == 1) {
            throw INVALID_NUMERIC_ARGUMENT.because("$log's base must be a positive number not equal to 1");
        }
        return new BsonDouble(Math.log(number) / Math.log(of));
    }

    private static BsonValue pow(BsonValue base, BsonValue exponent) {
        if (Values.isNullish(base) || Values.isNullish(exponent)) {
            return BsonNull.VALUE;
        }
        double of = Values.toDouble(number("$pow", base));
        double to = Values.toDouble(number("$pow", exponent));
        if (of == 0 && to < 0) {
            throw INVALID_NUMERIC_ARGUMENT.because("$pow cannot take a base of 0 and a negative exponent");
        }
        if (Arithmetic.areWholeTypes(base, exponent) && to >= 0) {
            BsonValue whole = wholePower(base, exponent.asNumber().longValue());
            if (!whole.isDouble()) {
                return whole;
            }
        }
        double power = Math.pow(of, to);
        return base.isDecimal128() || exponent.isDecimal128() ? Arithmetic.toDecimal(power) : new BsonDouble(power);
    }

    /** By squaring; a double once 64 bits do not hold it. */
    private static BsonValue wholePower(BsonValue base, long exponent) {
        BsonValue result = base.isInt64() ? new BsonInt64(1) : new org.bson.BsonInt32(1);
        BsonValue square = base;
        for (long left = exponent; left > 0 && !result.isDouble(); left >>= 1) {
            if ((left & 1) == 1) {
                result = Arithmetic.multiply(result, square);
            }
            if (left > 1) {
                square = Arithmetic.multiply(square, square);
            }
        }
        return result;
    }

    private static BsonValue atan2(BsonValue one, BsonValue other) {
        if (Values.isNullish(one) || Values.isNullish(other)) {
            return BsonNull.VALUE;
        }
        return new BsonDouble(
                Math.atan2(Values.toDouble(number("$atan2", one)), Values.toDouble(number("$atan2", other))));
    }

    private static Function rounding(String name, RoundingMode mode) {
        return Function.unary(name, value -> round(name, value, 0, mode));
    }

    private static BsonValue places(String name, BsonValue[] arguments, RoundingMode mode) {
        if (arguments.length == 2 && Values.isNullish(arguments[1])) {
            return BsonNull.VALUE;
        }
        int places = 0;
        if (arguments.length == 2) {
            if (!Values.isNumber(arguments[1]) || !Values.isWhole(arguments[1])) {
                throw ROUND_PLACES_INVALID.because("precision argument to %s must be a integral value", name);
            }
            long wanted = Values.toLong(arguments[1]);
            if (wanted < -20 || wanted > 100) {
                throw ROUND_PLACES_INVALID.because(
                        "cannot apply %s with precision value %d value must be in [-20, 100]", name, wanted);
            }
            places = (int) wanted;
        }
        return round(name, arguments[0], places, mode);
    }

    private static BsonValue round(String name, BsonValue value, int places, RoundingMode mode) {
        if (Values.isNullish(value)) {
            return BsonNull.VALUE;
        }
        number(name, value);
        if (!Arithmetic.isFinite(value) || places >= 0 && Arithmetic.areWholeTypes(value, value)) {
            return value;
        }
        BigDecimal exact =
                value.isDouble() ? new BigDecimal(value.asDouble().getValue()) : Arithmetic.toBigDecimal(value);
        BigDecimal rounded = exact.setScale(places, mode);
        return switch (value.getBsonType()) {
            case INT32 -> Values.integer(rounded.longValue());
            case INT64 -> new BsonInt64(rounded.longValueExact());
            case DOUBLE -> new BsonDouble(rounded.doubleValue());
            default -> Arithmetic.toDecimal(rounded);
        };
    }
}
