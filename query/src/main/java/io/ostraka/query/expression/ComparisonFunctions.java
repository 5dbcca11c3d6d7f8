package io.ostraka.query.expression;

import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import java.util.List;
import java.util.function.IntPredicate;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Comparison across all types, in the order of values; and negation. */
final class ComparisonFunctions {
    static final List<Function> ALL = List.of(
            Function.of("$cmp", 2, 2, (both, context) -> new BsonInt32(Integer.signum(compare(both, context)))),
            comparison("$eq", order -> order == 0),
            comparison("$gt", order -> order > 0),
            comparison("$gte", order -> order >= 0),
            comparison("$lt", order -> order < 0),
            comparison("$lte", order -> order <= 0),
            comparison("$ne", order -> order != 0),
            Function.unary("$not", value -> Values.of(!Values.isTrue(value))));

    private ComparisonFunctions() {}

    private static int compare(BsonValue[] both, RunContext context) {
        return context.collation().order().compare(both[0], both[1]);
    }

    private static Function comparison(String name, IntPredicate holds) {
        return Function.of(name, 2, 2, (both, context) -> Values.of(holds.test(compare(both, context))));
    }
}
