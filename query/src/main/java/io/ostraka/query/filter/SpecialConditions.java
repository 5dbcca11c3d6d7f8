package io.ostraka.query.filter;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import java.util.List;

/** Sees to it that conditions which decide the plan stand where they can: once, and where all documents must meet them. */
final class SpecialConditions {
    private SpecialConditions() {}

    static void check(Filter filter) {
        int texts = texts(filter, true);
        if (texts > 1) {
            throw BAD_VALUE.because("Too many text expressions");
        }
        int near = near(filter, true);
        if (near > 0 && texts > 0) {
            throw BAD_VALUE.because("text and geoNear not allowed in same query");
        }
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
            case Filter.Expr _, Filter.Schema _, Filter.Text _, Filter.Always _ -> 0;
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

    private static int texts(Filter filter, boolean allowed) {
        return switch (filter) {
            case Filter.And(var all) -> texts(all, allowed);
            case Filter.Or(var any) -> texts(any, allowed);
            case Filter.Nor(var none) -> texts(none, false);
            case Filter.Text _ -> {
                if (!allowed) {
                    throw BAD_VALUE.because("$text is not allowed in $nor, $not and $elemMatch");
                }
                yield 1;
            }
            case Filter.Field(var unused, ValueTest.ElementMatches(var inner)) -> texts(inner, false);
            case Filter.Field _, Filter.Expr _, Filter.Schema _, Filter.Always _ -> 0;
        };
    }

    private static int texts(List<Filter> filters, boolean allowed) {
        return filters.stream().mapToInt(each -> texts(each, allowed)).sum();
    }
}
