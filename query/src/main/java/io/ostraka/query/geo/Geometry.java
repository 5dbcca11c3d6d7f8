package io.ostraka.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import java.util.List;
import java.util.Optional;

/**
 * What lies somewhere: points, lines and polygons together. Immutable.
 *
 * @param flat the point in the plane, if it is nothing but one point
 * @param onSphere whether the coordinates are longitudes and latitudes, so that all of it is on the sphere too
 */
public record Geometry(
        Optional<Flat> flat, List<S2Point> points, List<S2Polyline> lines, List<S2Polygon> polygons, boolean onSphere) {
    /** Radians on the sphere within which two places are one: what S2 may be off, some nanometres. */
    static final double SAME_PLACE = 1e-15;

    /** A point of the plane, or longitude and latitude in degrees. */
    public record Flat(double x, double y) {
        public double distance(Flat other) {
            return Math.hypot(x - other.x, y - other.y);
        }
    }

    public Geometry {
        points = List.copyOf(points);
        lines = List.copyOf(lines);
        polygons = List.copyOf(polygons);
    }

    /** Whether some place is in both. */
    public boolean intersects(Geometry other) {
        return points.stream().anyMatch(other::has)
                || other.points.stream().anyMatch(this::has)
                || lines.stream().anyMatch(other::crosses)
                || polygons.stream().anyMatch(polygon -> other.crosses(polygon));
    }

    private boolean has(S2Point point) {
        // A line is as wide as the smallest cells, of which one has the point.
        return points.stream().anyMatch(each -> each.angle(point) <= SAME_PLACE)
                || lines.stream().anyMatch(line -> line.mayIntersect(new S2Cell(point)))
                || polygons.stream().anyMatch(polygon -> contains(polygon, point));
    }

    private boolean crosses(S2Polyline line) {
        return lines.stream().anyMatch(line::intersects) || polygons.stream().anyMatch(each -> crosses(each, line));
    }

    private boolean crosses(S2Polygon polygon) {
        return lines.stream().anyMatch(line -> crosses(polygon, line))
                || polygons.stream().anyMatch(polygon::intersects);
    }

    private static boolean crosses(S2Polygon polygon, S2Polyline line) {
        return line.vertices().stream().anyMatch(vertex -> contains(polygon, vertex))
                || !polygon.intersectWithPolyline(line).isEmpty();
    }

    /** Whether all of another lies in this one's polygons. */
    boolean contains(Geometry other) {
        return other.points.stream().allMatch(point -> polygons.stream().anyMatch(each -> contains(each, point)))
                && other.lines.stream().allMatch(line -> polygons.stream().anyMatch(each -> contains(each, line)))
                && other.polygons.stream()
                        .allMatch(polygon -> polygons.stream().anyMatch(each -> each.contains(polygon)));
    }

    /** A border belongs to what it is around. */
    static boolean contains(S2Polygon polygon, S2Point point) {
        return polygon.contains(point) || polygon.getDistance(point).radians() <= SAME_PLACE;
    }

    private static boolean contains(S2Polygon polygon, S2Polyline line) {
        return line.vertices().stream().allMatch(vertex -> contains(polygon, vertex))
                && polygon.subtractFromPolyline(line).stream()
                        .allMatch(rest -> rest.getArclengthAngle().radians() <= SAME_PLACE);
    }

    /** The angle, in radians, between a point and the nearest place. */
    double distance(S2Point from) {
        double least = Math.PI;
        for (S2Point point : points) {
            least = Math.min(least, point.angle(from));
        }
        for (S2Polyline line : lines) {
            least = Math.min(least, distance(line, from));
        }
        for (S2Polygon polygon : polygons) {
            least = Math.min(
                    least,
                    polygon.contains(from) ? 0 : polygon.getDistance(from).radians());
        }
        return least;
    }

    private static double distance(S2Polyline line, S2Point from) {
        return new S1Angle(line.project(from), from).radians();
    }

    /** Whether every corner is in a cap. */
    boolean isWithin(S2Cap cap) {
        return points.stream().allMatch(cap::contains)
                && lines.stream().allMatch(line -> line.vertices().stream().allMatch(cap::contains))
                && polygons.stream().allMatch(polygon -> isWithin(polygon, cap));
    }

    private static boolean isWithin(S2Polygon polygon, S2Cap cap) {
        for (int i = 0; i < polygon.numLoops(); i++) {
            for (int j = 0; j < polygon.loop(i).numVertices(); j++) {
                if (!cap.contains(polygon.loop(i).vertex(j))) {
                    return false;
                }
            }
        }
        return true;
    }
}
