package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.NEEDS_NUMERIC_ARGUMENT;
import static io.ostraka.core.error.ErrorCode.OUT_OF_DOMAIN;

import io.ostraka.query.value.Arithmetic;
import io.ostraka.query.value.Values;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.bson.BsonDouble;
import org.bson.BsonNull;

/** Hyperbolic functions and their inverses. Null or missing gives null. */
final class HyperbolicFunctions {
    static final List<Function> ALL = List.of(
            within("$acosh", 1, Double.POSITIVE_INFINITY, HyperbolicFunctions::acosh),
            everywhere("$asinh", HyperbolicFunctions::asinh),
            within("$atanh", -1, 1, number -> 0.5 * (Math.log1p(number) - Math.log1p(-number))),
            everywhere("$cosh", Math::cosh),
            everywhere("$sinh", Math::sinh),
            everywhere("$tanh", Math::tanh));

    private HyperbolicFunctions() {}

    private static double acosh(double number) {
        return Double.isInfinite(number) ? number : Math.log(number + Math.sqrt(number * number - 1));
    }

    private static double asinh(double number) {
        double positive = Math.abs(number);
        if (Double.isInfinite(positive) || positive == 0) {
            return number;
        }
        double square = positive * positive;
        return Math.copySign(Math.log1p(positive + square / (1 + Math.sqrt(square + 1))), number);
    }

    private static Function everywhere(String name, DoubleUnaryOperator body) {
        return within(name, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, body);
    }

    private static Function within(String name, double least, double most, DoubleUnaryOperator body) {
        return Function.unary(name, value -> {
            if (Values.isNullish(value)) {
                return BsonNull.VALUE;
            }
            if (!Values.isNumber(value)) {
                throw NEEDS_NUMERIC_ARGUMENT.because(
                        "%s only supports numeric types, not %s", name, Values.typeName(value));
            }
            double number = Values.toDouble(value);
            if (number < least || number > most) {
                throw OUT_OF_DOMAIN.because(
                        "cannot apply %s to %s, value must be in [%s,%s]", name, Values.show(value), least, most);
            }
            double result = body.applyAsDouble(number);
            return value.isDecimal128() ? Arithmetic.toDecimal(result) : new BsonDouble(result);
        });
    }
}
