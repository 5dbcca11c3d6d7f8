package io.ostraka.query.index;

import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.ValueTest;

/** What a partial index may ask of its documents. */
final class PartialFilters {
    private PartialFilters() {}

    static boolean isAllowed(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) -> all.stream().allMatch(PartialFilters::isAllowed);
            case Filter.Or(var any) -> any.stream().allMatch(PartialFilters::isAllowed);
            case Filter.Field(var unused, var test) ->
                test instanceof ValueTest.Compare
                        || test instanceof ValueTest.Exists
                        || test instanceof ValueTest.TypeIs
                        || test instanceof ValueTest.In;
            case Filter.Nor _, Filter.Expr _, Filter.Schema _, Filter.Text _, Filter.Always _ -> false;
        };
    }
}
