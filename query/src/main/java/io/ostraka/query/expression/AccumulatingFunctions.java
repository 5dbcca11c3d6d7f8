package io.ostraka.query.expression;

import io.ostraka.query.value.Arithmetic;
import io.ostraka.query.value.Total;
import io.ostraka.query.value.Values;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** What groups also know, on the arguments of one document. A single array argument stands for its elements. */
final class AccumulatingFunctions {
    static final List<Function> ALL = List.of(
            over("$avg", AccumulatingFunctions::average),
            extreme("$max", true),
            extreme("$min", false),
            over("$stdDevPop", values -> deviation(values, 0)),
            over("$stdDevSamp", values -> deviation(values, 1)),
            over("$sum", AccumulatingFunctions::sum));

    @FunctionalInterface
    private interface Body {
        BsonValue apply(List<BsonValue> values);
    }

    private AccumulatingFunctions() {}

    private static Function over(String name, Body body) {
        return Function.of(name, 0, Integer.MAX_VALUE, (arguments, _) -> body.apply(values(arguments)));
    }

    private static Function extreme(String name, boolean greatest) {
        return Function.of(
                name,
                0,
                Integer.MAX_VALUE,
                (arguments, context) ->
                        extreme(values(arguments), greatest, context.collation().order()));
    }

    private static List<BsonValue> values(BsonValue[] arguments) {
        boolean elements = arguments.length == 1 && arguments[0].isArray();
        return elements ? arguments[0].asArray().getValues() : Arrays.asList(arguments);
    }

    private static BsonValue sum(List<BsonValue> values) {
        Total total = new Total();
        values.stream().filter(Values::isNumber).forEach(total::add);
        return total.value();
    }

    private static BsonValue average(List<BsonValue> values) {
        long count = values.stream().filter(Values::isNumber).count();
        if (count == 0) {
            return BsonNull.VALUE;
        }
        BsonValue sum = sum(values);
        if (sum.isDecimal128() && Arithmetic.isFinite(sum)) {
            return Arithmetic.toDecimal(
                    Arithmetic.toBigDecimal(sum).divide(BigDecimal.valueOf(count), Arithmetic.DECIMAL));
        }
        return sum.isDecimal128() ? sum : new BsonDouble(Values.toDouble(sum) / count);
    }

    private static BsonValue extreme(List<BsonValue> values, boolean greatest, Comparator<BsonValue> order) {
        return values.stream()
                .filter(value -> !Values.isNullish(value))
                .max(greatest ? order : order.reversed())
                .orElse(BsonNull.VALUE);
    }

    private static BsonValue deviation(List<BsonValue> values, int less) {
        double[] numbers = values.stream()
                .filter(Values::isNumber)
                .mapToDouble(Values::toDouble)
                .toArray();
        if (numbers.length - less <= 0) {
            return BsonNull.VALUE;
        }
        double mean = Arrays.stream(numbers).average().orElse(0);
        double squares = Arrays.stream(numbers)
                .map(number -> (number - mean) * (number - mean))
                .sum();
        return new BsonDouble(Math.sqrt(squares / (numbers.length - less)));
    }
}
