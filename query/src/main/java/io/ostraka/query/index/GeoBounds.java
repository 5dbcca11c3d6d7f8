package io.ostraka.query.index;

import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.Interval;
import io.ostraka.query.filter.Intervals;
import io.ostraka.query.filter.ValueTest;
import io.ostraka.query.geo.Area;
import io.ostraka.query.geo.CellRange;
import io.ostraka.query.geo.PlaneCells;
import io.ostraka.query.geo.SphereCells;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonInt64;

/** Among which cells documents that match a filter lie; of several conditions on a field the narrowest counts. */
public final class GeoBounds {
    private GeoBounds() {}

    /** The cells of an area, in an index of this method. */
    public static Intervals of(Area area, AccessMethod method) {
        return switch (method) {
            case AccessMethod.Sphere _ -> area.onSphere() ? intervals(SphereCells.of(area.regions())) : Intervals.ALL;
            case AccessMethod.Planar planar -> intervals(cells(planar).of(area));
            case AccessMethod.Ordered _, AccessMethod.Wildcard _, AccessMethod.Text _ -> Intervals.ALL;
        };
    }

    /** The cells of a plane. */
    public static PlaneCells cells(AccessMethod.Planar planar) {
        return new PlaneCells(planar.bits(), planar.min(), planar.max());
    }

    /** Those of the documents that match a filter. */
    static Intervals of(Filter filter, FieldPath path, AccessMethod method) {
        return switch (filter) {
            case Filter.And(var all) -> {
                Intervals best = Intervals.ALL;
                for (Filter part : all) {
                    Intervals next = of(part, path, method);
                    // One document lies in many cells, so that two conditions cannot be taken together.
                    if (best.isAll()
                            || !next.isAll() && next.list().size() < best.list().size()) {
                        best = next;
                    }
                }
                yield best;
            }
            case Filter.Or(var any) -> {
                List<Interval> all = new ArrayList<>();
                any.forEach(part -> all.addAll(of(part, path, method).list()));
                yield Intervals.union(all);
            }
            case Filter.Field(var where, var test) when where.equals(path) -> of(test, method);
            case Filter.Field _, Filter.Nor _, Filter.Expr _, Filter.Schema _, Filter.Text _, Filter.Always _ ->
                Intervals.ALL;
        };
    }

    private static Intervals of(ValueTest test, AccessMethod method) {
        return switch (test) {
            case ValueTest.GeoWithin(var area, var unused) -> of(area, method);
            case ValueTest.GeoIntersects(var geometry, var unused)
            when method instanceof AccessMethod.Sphere -> intervals(SphereCells.of(geometry));
            default -> Intervals.ALL;
        };
    }

    private static Intervals intervals(List<CellRange> cells) {
        return Intervals.union(cells.stream()
                .map(cell -> Interval.closed(new BsonInt64(cell.first()), new BsonInt64(cell.last())))
                .toList());
    }
}
