package io.ostraka.query.expression;

import static io.ostraka.core.check.Check.that;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All functions, by name. */
final class FunctionTable {
    static final Map<String, Function> ALL = table(List.of(
            AccumulatingFunctions.ALL,
            ArithmeticFunctions.ALL,
            ArrayFunctions.ALL,
            BitFunctions.ALL,
            ComparisonFunctions.ALL,
            Conversions.ALL,
            DateFunctions.ALL,
            HyperbolicFunctions.ALL,
            ObjectFunctions.ALL,
            Percentiles.ALL,
            RegexFunctions.ALL,
            SetFunctions.ALL,
            StringFunctions.ALL));

    private FunctionTable() {}

    private static Map<String, Function> table(List<List<Function>> families) {
        Map<String, Function> all = new TreeMap<>();
        for (List<Function> family : families) {
            for (Function function : family) {
                that(all.put(function.name(), function) == null, "each function is in one family");
            }
        }
        return Collections.unmodifiableMap(all);
    }
}
