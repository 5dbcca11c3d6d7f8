package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.SET_OPERAND_NOT_ARRAY;

import io.ostraka.core.key.KeyString;
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
            Function.unary(
                    "$allElementsTrue",
                    array -> Values.of(
                            set("$allElementsTrue", array).values().stream().allMatch(Values::isTrue))),
            Function.unary(
                    "$anyElementTrue",
                    array -> Values.of(
                            set("$anyElementTrue", array).values().stream().anyMatch(Values::isTrue))),
            Function.binary("$setDifference", SetFunctions::difference),
            Function.of("$setEquals", 2, MANY, (arguments, _) -> equal(arguments)),
            Function.of("$setIntersection", 0, MANY, (arguments, _) -> intersection(arguments)),
            Function.binary(
                    "$setIsSubset",
                    (one, other) -> Values.of(set("$setIsSubset", other)
                            .keySet()
                            .containsAll(set("$setIsSubset", one).keySet()))),
            Function.of("$setUnion", 0, MANY, (arguments, _) -> union(arguments)));

    private SetFunctions() {}

    private static Map<KeyString, BsonValue> set(String name, BsonValue array) {
        if (!array.isArray()) {
            throw SET_OPERAND_NOT_ARRAY.because(
                    "All operands of %s must be arrays. One argument is of type: %s", name, Values.typeName(array));
        }
        Map<KeyString, BsonValue> set = new LinkedHashMap<>();
        array.asArray().forEach(value -> set.putIfAbsent(KeyString.of(value), value));
        return set;
    }

    private static BsonValue array(Map<KeyString, BsonValue> set) {
        return new BsonArray(new ArrayList<>(set.values()));
    }

    private static BsonValue difference(BsonValue one, BsonValue other) {
        if (Values.isNullish(one) || Values.isNullish(other)) {
            return BsonNull.VALUE;
        }
        Map<KeyString, BsonValue> rest = set("$setDifference", one);
        rest.keySet().removeAll(set("$setDifference", other).keySet());
        return array(rest);
    }

    private static BsonValue equal(BsonValue[] arguments) {
        Map<KeyString, BsonValue> first = set("$setEquals", arguments[0]);
        for (BsonValue argument : arguments) {
            if (!set("$setEquals", argument).keySet().equals(first.keySet())) {
                return Values.of(false);
            }
        }
        return Values.of(true);
    }

    private static BsonValue intersection(BsonValue[] arguments) {
        Map<KeyString, BsonValue> common = null;
        for (BsonValue argument : arguments) {
            if (Values.isNullish(argument)) {
                return BsonNull.VALUE;
            }
            Map<KeyString, BsonValue> next = set("$setIntersection", argument);
            if (common == null) {
                common = next;
            } else {
                common.keySet().retainAll(next.keySet());
            }
        }
        return common == null ? new BsonArray() : array(common);
    }

    private static BsonValue union(BsonValue[] arguments) {
        Map<KeyString, BsonValue> all = new LinkedHashMap<>();
        for (BsonValue argument : arguments) {
            if (Values.isNullish(argument)) {
                return BsonNull.VALUE;
            }
            set("$setUnion", argument).forEach(all::putIfAbsent);
        }
        return array(all);
    }
}
