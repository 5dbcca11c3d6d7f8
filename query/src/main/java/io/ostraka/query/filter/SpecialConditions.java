package io.ostraka.query.filter;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import java.util.List;

/** Sees to it that conditions which decide the plan stand where they can: once, and where all documents must meet them. */
final class SpecialConditions {
    private SpecialConditions() {}

    static void check(Filter filter) {
        int near = near(filter, true);
        if (near > 1) {
            throw BAD_VALUE.because("Too many geoNear expressions");
        }
    }

    private static int near(Filter filter, boolean top) {
        return switch (filter) {
            case Filter.And(var all) -> near(all, top);
            case Filter.Or(var any) -> near(any, false);
            case Filter.Nor(var none) -> near(none, false);
            case Filter.Field(var unused, var test) -> near(test, top);
            case Filter.Expr _, Filter.Schema _, Filter.Always _ -> 0;
        };
    }

    private static int near(List<Filter> filters, boolean top) {
        return filters.stream().mapToInt(each -> near(each, top)).sum();
    }

    private static int near(ValueTest test, boolean top) {
        return switch (test) {
            case ValueTest.IsNear _ -> {
                if (!top) {
                    throw BAD_VALUE.because("geoNear must be top-level expr");
                }
                yield 1;
            }
            case ValueTest.ElementMatches(var inner) -> near(inner, false);
            case ValueTest.ElementIs(var all) -> nearAny(all);
            case ValueTest.AllOf(var all) -> nearAny(all);
            case ValueTest.Not(var all) -> nearAny(all);
            case ValueTest.Compare _,
                    ValueTest.In _,
                    ValueTest.Exists _,
                    ValueTest.TypeIs _,
                    ValueTest.Matches _,
                    ValueTest.Mod _,
                    ValueTest.Size _,
                    ValueTest.BitTest _,
                    ValueTest.GeoWithin _,
                    ValueTest.GeoIntersects _ -> 0;
        };
    }

    private static int nearAny(List<ValueTest> tests) {
        return tests.stream().mapToInt(each -> near(each, false)).sum();
    }
}
