package io.ostraka.query.geo;

import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Region;
import java.util.ArrayList;
import java.util.List;

/** What documents can be within. Immutable. */
public sealed interface Area {
    /** The smallest rectangle of the plane around something, borders included. */
    record Box(double xMin, double yMin, double xMax, double yMax) implements Area {
        boolean has(Geometry.Flat at) {
            return at.x() >= xMin && at.x() <= xMax && at.y() >= yMin && at.y() <= yMax;
        }
    }

    /** A circle of the plane. */
    record Circle(Geometry.Flat centre, double radius) implements Area {}

    /** A polygon of the plane, by its corners; the last is joined to the first. */
    record Corners(List<Geometry.Flat> corners) implements Area {
        public Corners {
            corners = List.copyOf(corners);
        }
    }

    /** A circle on the sphere. */
    record Cap(S2Cap cap) implements Area {}

    /** Polygons on the sphere. */
    record Polygons(Geometry geometry) implements Area {}

    /** Whether all of a geometry is in it. In an area of the plane only points can be. */
    default boolean contains(Geometry geometry) {
        return switch (this) {
            case Cap(var cap) -> geometry.onSphere() && geometry.isWithin(cap);
            case Polygons(var polygons) -> geometry.onSphere() && polygons.contains(geometry);
            case Box box -> geometry.flat().filter(box::has).isPresent();
            case Circle(var centre, var radius) ->
                geometry.flat().filter(at -> at.distance(centre) <= radius).isPresent();
            case Corners corners ->
                geometry.flat().filter(at -> isInside(corners.corners, at)).isPresent();
        };
    }

    /** Whether it is on the sphere. */
    default boolean onSphere() {
        return this instanceof Cap || this instanceof Polygons;
    }

    /** The parts of the sphere that it is in; of those on the sphere alone. */
    default List<S2Region> regions() {
        return switch (this) {
            case Cap(var cap) -> List.of(cap);
            case Polygons(var polygons) -> List.copyOf(polygons.polygons());
            case Box _, Circle _, Corners _ ->
                throw new IllegalStateException("an area of the plane is not on the sphere");
        };
    }

    /** Rectangles of the plane, or of longitudes and latitudes, that it is in. */
    default List<Box> boxes() {
        return switch (this) {
            case Box box -> List.of(box);
            case Circle(var centre, var radius) ->
                List.of(new Box(centre.x() - radius, centre.y() - radius, centre.x() + radius, centre.y() + radius));
            case Corners(var corners) ->
                List.of(new Box(
                        corners.stream().mapToDouble(Geometry.Flat::x).min().orElse(0),
                        corners.stream().mapToDouble(Geometry.Flat::y).min().orElse(0),
                        corners.stream().mapToDouble(Geometry.Flat::x).max().orElse(0),
                        corners.stream().mapToDouble(Geometry.Flat::y).max().orElse(0)));
            case Cap _, Polygons _ -> {
                List<Box> boxes = new ArrayList<>();
                regions().forEach(region -> boxes.addAll(PlaneCells.boxes(region)));
                yield boxes;
            }
        };
    }

    /** By the number of borders to one side; a point on a border is inside. */
    private static boolean isInside(List<Geometry.Flat> corners, Geometry.Flat at) {
        boolean inside = false;
        for (int i = 0; i < corners.size(); i++) {
            Geometry.Flat one = corners.get(i);
            Geometry.Flat next = corners.get((i + 1) % corners.size());
            if (isBetween(one, next, at)) {
                return true;
            }
            boolean spans = one.y() > at.y() != next.y() > at.y();
            if (spans && at.x() < (next.x() - one.x()) * (at.y() - one.y()) / (next.y() - one.y()) + one.x()) {
                inside = !inside;
            }
        }
        return inside;
    }

    private static boolean isBetween(Geometry.Flat one, Geometry.Flat next, Geometry.Flat at) {
        double turn = (next.x() - one.x()) * (at.y() - one.y()) - (next.y() - one.y()) * (at.x() - one.x());
        return turn == 0
                && at.x() >= Math.min(one.x(), next.x())
                && at.x() <= Math.max(one.x(), next.x())
                && at.y() >= Math.min(one.y(), next.y())
                && at.y() <= Math.max(one.y(), next.y());
    }
}
