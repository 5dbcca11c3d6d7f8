package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.SET_OPERAND_NOT_ARRAY;

import io.ostraka.core.key.KeyString;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Arrays as sets: equal values count once, order does not matter. */
final class SetFunctions {
    private static final int MANY = Integer.MAX_VALUE;

    static final List<Function> ALL = List.of(
            Function.of(
                    "$allElementsTrue",
                    1,
                    1,
                    (arguments, context) -> Values.of(set("$allElementsTrue", arguments[0], context).values().stream()
                            .allMatch(Values::isTrue))),
            Function.of(
                    "$anyElementTrue",
                    1,
                    1,
                    (arguments, context) -> Values.of(set("$anyElementTrue", arguments[0], context).values().stream()
                            .anyMatch(Values::isTrue))),
            Function.of("$setDifference", 2, 2, SetFunctions::difference),
            Function.of("$setEquals", 2, MANY, SetFunctions::equal),
            Function.of("$setIntersection", 0, MANY, SetFunctions::intersection),
            Function.of(
                    "$setIsSubset",
                    2,
                    2,
                    (both, context) -> Values.of(set("$setIsSubset", both[1], context)
                            .keySet()
                            .containsAll(set("$setIsSubset", both[0], context).keySet()))),
            Function.of("$setUnion", 0, MANY, SetFunctions::union));

    private SetFunctions() {}

    private static Map<KeyString, BsonValue> set(String name, BsonValue array, RunContext context) {
        if (!array.isArray()) {
            throw SET_OPERAND_NOT_ARRAY.because(
                    "All operands of %s must be arrays. One argument is of type: %s", name, Values.typeName(array));
        }
        Map<KeyString, BsonValue> set = new LinkedHashMap<>();
        array.asArray().forEach(value -> set.putIfAbsent(context.collation().key(value), value));
        return set;
    }

    private static BsonValue array(Map<KeyString, BsonValue> set) {
        return new BsonArray(new ArrayList<>(set.values()));
    }

    private static BsonValue difference(BsonValue[] both, RunContext context) {
        if (Values.isNullish(both[0]) || Values.isNullish(both[1])) {
            return BsonNull.VALUE;
        }
        Map<KeyString, BsonValue> rest = set("$setDifference", both[0], context);
        rest.keySet().removeAll(set("$setDifference", both[1], context).keySet());
        return array(rest);
    }

    private static BsonValue equal(BsonValue[] arguments, RunContext context) {
        Map<KeyString, BsonValue> first = set("$setEquals", arguments[0], context);
        for (BsonValue argument : arguments) {
            if (!set("$setEquals", argument, context).keySet().equals(first.keySet())) {
                return Values.of(false);
            }
        }
        return Values.of(true);
    }

    private static BsonValue intersection(BsonValue[] arguments, RunContext context) {
        Map<KeyString, BsonValue> common = null;
        for (BsonValue argument : arguments) {
            if (Values.isNullish(argument)) {
                return BsonNull.VALUE;
            }
            Map<KeyString, BsonValue> next = set("$setIntersection", argument, context);
            if (common == null) {
                common = next;
            } else {
                common.keySet().retainAll(next.keySet());
            }
        }
        return common == null ? new BsonArray() : array(common);
    }

    private static BsonValue union(BsonValue[] arguments, RunContext context) {
        Map<KeyString, BsonValue> all = new LinkedHashMap<>();
        for (BsonValue argument : arguments) {
            if (Values.isNullish(argument)) {
                return BsonNull.VALUE;
            }
            set("$setUnion", argument, context).forEach(all::putIfAbsent);
        }
        return array(all);
    }
}
