package io.ostraka.query.expression;

import io.ostraka.core.bson.ValueOrder;
import io.ostraka.query.value.Values;
import java.util.List;
import java.util.function.IntPredicate;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Comparison across all types, in the order of values; and negation. */
final class ComparisonFunctions {
    static final List<Function> ALL = List.of(
            Function.binary("$cmp", (one, other) -> new BsonInt32(Integer.signum(compare(one, other)))),
            comparison("$eq", order -> order == 0),
            comparison("$gt", order -> order > 0),
            comparison("$gte", order -> order >= 0),
            comparison("$lt", order -> order < 0),
            comparison("$lte", order -> order <= 0),
            comparison("$ne", order -> order != 0),
            Function.unary("$not", value -> Values.of(!Values.isTrue(value))));

    private ComparisonFunctions() {}

    static int compare(BsonValue one, BsonValue other) {
        return ValueOrder.ORDER.compare(one, other);
    }

    private static Function comparison(String name, IntPredicate holds) {
        return Function.binary(name, (one, other) -> Values.of(holds.test(compare(one, other))));
    }
}
