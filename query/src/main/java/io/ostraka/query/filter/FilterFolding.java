package io.ostraka.query.filter;

import io.ostraka.query.collation.Collation;
import java.util.List;
import java.util.Set;

/**
 * A filter as an index with a collation sees it: what is compared with is folded, as the index's keys are. Bounds are asked
 * of it and nothing else, for patterns mean the strings themselves and say nothing of folded ones.
 */
public final class FilterFolding {
    /** Strings, symbols and patterns: whatever a pattern may match. */
    private static final ValueTest ANY_TEXT = new ValueTest.TypeIs(Set.of(2, 11, 14));

    private FilterFolding() {}

    public static Filter fold(Filter filter, Collation collation) {
        if (collation.isSimple()) {
            return filter;
        }
        return switch (filter) {
            case Filter.And(var all) -> new Filter.And(all(all, collation));
            case Filter.Or(var any) -> new Filter.Or(all(any, collation));
            case Filter.Nor(var none) -> new Filter.Nor(all(none, collation));
            case Filter.Field(var path, var test) -> new Filter.Field(path, fold(test, collation));
            case Filter.Expr _, Filter.Schema _, Filter.Text _, Filter.Always _ -> filter;
        };
    }

    private static List<Filter> all(List<Filter> filters, Collation collation) {
        return filters.stream().map(each -> fold(each, collation)).toList();
    }

    private static ValueTest fold(ValueTest test, Collation collation) {
        return switch (test) {
            case ValueTest.Compare(var comparison, var operand) ->
                new ValueTest.Compare(comparison, collation.fold(operand));
            case ValueTest.In(var values, var patterns) ->
                patterns.isEmpty()
                        ? new ValueTest.In(values.stream().map(collation::fold).toList(), patterns)
                        : new ValueTest.TypeIs(Set.of());
            case ValueTest.Matches _ -> ANY_TEXT;
            case ValueTest.ElementMatches(var inner) -> new ValueTest.ElementMatches(fold(inner, collation));
            case ValueTest.ElementIs(var all) -> new ValueTest.ElementIs(tests(all, collation));
            case ValueTest.AllOf(var all) -> new ValueTest.AllOf(tests(all, collation));
            case ValueTest.Not(var all) -> new ValueTest.Not(tests(all, collation));
            case ValueTest.Exists _,
                    ValueTest.TypeIs _,
                    ValueTest.Mod _,
                    ValueTest.Size _,
                    ValueTest.BitTest _,
                    ValueTest.GeoWithin _,
                    ValueTest.GeoIntersects _,
                    ValueTest.IsNear _ -> test;
        };
    }

    private static List<ValueTest> tests(List<ValueTest> tests, Collation collation) {
        return tests.stream().map(each -> fold(each, collation)).toList();
    }
}
