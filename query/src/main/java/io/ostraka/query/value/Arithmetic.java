package io.ostraka.query.value;

import io.ostraka.core.bson.ValueOrder;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * Numbers of different types together: the result has the widest type of both, int32 grows to int64, and int64 past
 * its range becomes a double.
 */
public final class Arithmetic {
    /** Decimal128's digits, ties to even. */
    public static final MathContext DECIMAL = new MathContext(34, RoundingMode.HALF_EVEN);

    private Arithmetic() {}

    public static BsonValue add(BsonValue one, BsonValue other) {
        return combine(one, other, Math::addExact, Double::sum, (a, b) -> a.add(b, DECIMAL));
    }

    public static BsonValue subtract(BsonValue one, BsonValue other) {
        return combine(one, other, Math::subtractExact, (a, b) -> a - b, (a, b) -> a.subtract(b, DECIMAL));
    }

    public static BsonValue multiply(BsonValue one, BsonValue other) {
        return combine(one, other, Math::multiplyExact, (a, b) -> a * b, (a, b) -> a.multiply(b, DECIMAL));
    }

    /** Whether both are int32 or int64. */
    public static boolean areWholeTypes(BsonValue one, BsonValue other) {
        return isWholeType(one) && isWholeType(other);
    }

    private static boolean isWholeType(BsonValue value) {
        return value.isInt32() || value.isInt64();
    }

    private static BsonValue combine(
            BsonValue one,
            BsonValue other,
            LongBinaryOperator whole,
            DoubleBinaryOperator real,
            BinaryOperator<BigDecimal> decimal) {
        if (one.isDecimal128() || other.isDecimal128()) {
            return combineDecimals(one, other, real, decimal);
        }
        if (one.isDouble() || other.isDouble()) {
            return new BsonDouble(real.applyAsDouble(Values.toDouble(one), Values.toDouble(other)));
        }
        long left = one.asNumber().longValue();
        long right = other.asNumber().longValue();
        try {
            long result = whole.applyAsLong(left, right);
            return one.isInt32() && other.isInt32() ? Values.integer(result) : new BsonInt64(result);
        } catch (ArithmeticException e) {
            return new BsonDouble(real.applyAsDouble(left, right));
        }
    }

    private static BsonValue combineDecimals(
            BsonValue one, BsonValue other, DoubleBinaryOperator real, BinaryOperator<BigDecimal> decimal) {
        if (!isFinite(one) || !isFinite(other)) {
            return toDecimal(real.applyAsDouble(Values.toDouble(one), Values.toDouble(other)));
        }
        return toDecimal(decimal.apply(toBigDecimal(one), toBigDecimal(other)));
    }

    public static boolean isFinite(BsonValue number) {
        double real = number.isDecimal128() || number.isDouble() ? Values.toDouble(number) : 0;
        if (number.isDecimal128()) {
            Decimal128 decimal = number.asDecimal128().getValue();
            return !decimal.isNaN() && !decimal.isInfinite();
        }
        return !Double.isNaN(real) && !Double.isInfinite(real);
    }

    /** A finite number's exact value; a double's is its shortest text, as MongoDB turns doubles into decimals by 15 digits. */
    public static BigDecimal toBigDecimal(BsonValue number) {
        return switch (number.getBsonType()) {
            case DECIMAL128 -> ValueOrder.exactValue(number.asDecimal128().getValue());
            case DOUBLE -> new BigDecimal(number.asDouble().getValue(), new MathContext(15, RoundingMode.HALF_EVEN));
            default -> BigDecimal.valueOf(number.asNumber().longValue());
        };
    }

    public static BsonDecimal128 toDecimal(double value) {
        if (Double.isNaN(value)) {
            return new BsonDecimal128(Decimal128.NaN);
        }
        if (Double.isInfinite(value)) {
            return new BsonDecimal128(value < 0 ? Decimal128.NEGATIVE_INFINITY : Decimal128.POSITIVE_INFINITY);
        }
        return toDecimal(new BigDecimal(value, new MathContext(15, RoundingMode.HALF_EVEN)));
    }

    /** Rounds to 34 digits; past the range it is infinite or zero. */
    public static BsonDecimal128 toDecimal(BigDecimal value) {
        BigDecimal rounded = value.round(DECIMAL);
        int top = rounded.precision() - rounded.scale();
        if (top > 6145) {
            return new BsonDecimal128(value.signum() < 0 ? Decimal128.NEGATIVE_INFINITY : Decimal128.POSITIVE_INFINITY);
        }
        if (rounded.scale() > 6176) {
            rounded = rounded.setScale(6176, RoundingMode.HALF_EVEN);
        } else if (rounded.scale() < -6111) {
            rounded = rounded.setScale(-6111, RoundingMode.UNNECESSARY);
        }
        return new BsonDecimal128(new Decimal128(rounded));
    }

    /** Zero of a number's type. */
    public static BsonValue zeroLike(BsonValue number) {
        return switch (number.getBsonType()) {
            case INT32 -> new BsonInt32(0);
            case INT64 -> new BsonInt64(0);
            case DOUBLE -> new BsonDouble(0);
            default -> new BsonDecimal128(Decimal128.POSITIVE_ZERO);
        };
    }
}
