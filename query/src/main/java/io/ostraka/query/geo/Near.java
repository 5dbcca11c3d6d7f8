package io.ostraka.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Point;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A point, and which distances from it are asked for. Immutable.
 *
 * @param centre the point
 * @param unit how distances are measured
 * @param least the smallest distance that counts
 * @param most the greatest that counts; infinite where there is no bound
 */
public record Near(Geometry.Flat centre, Unit unit, double least, double most) {
    /** The radius of the earth that MongoDB reckons with, in metres. */
    public static final double EARTH_METRES = 6_378_100;

    /** The first distance that is looked at, in radians of the sphere: about a hundred metres. */
    private static final double FIRST_RADIANS = 1.6e-5;

    /** How much wider each further look is. */
    private static final double WIDER = 4;

    /** Distances as clients give and are given them. */
    public enum Unit {
        /** In the plane, in units of the coordinates. */
        PLANE,
        /** On the sphere, of GeoJSON. */
        METRES,
        /** On the sphere, of pairs of numbers. */
        RADIANS
    }

    public boolean onSphere() {
        return unit != Unit.PLANE;
    }

    private S2Point point() {
        return GeometryParser.onSphere(centre);
    }

    /** The distance to the nearest place of a geometry, or nothing where there is none to such a geometry. */
    public OptionalDouble distance(Geometry geometry) {
        if (unit == Unit.PLANE) {
            return geometry.flat().isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(geometry.flat().get().distance(centre));
        }
        if (!geometry.onSphere()) {
            return OptionalDouble.empty();
        }
        double radians = geometry.distance(point());
        return OptionalDouble.of(unit == Unit.METRES ? radians * EARTH_METRES : radians);
    }

    /** Whether a distance counts. */
    public boolean counts(double distance) {
        return distance >= least && distance <= most;
    }

    /** The distance up to which is looked first. */
    public double first() {
        double first = switch (unit) {
            case PLANE -> 1;
            case METRES -> FIRST_RADIANS * EARTH_METRES;
            case RADIANS -> FIRST_RADIANS;
        };
        return Math.min(most, Math.max(first, least));
    }

    /** The distance up to which is looked after one that was not enough. */
    public double next(double distance) {
        return Math.min(most, Math.max(distance, Double.MIN_NORMAL) * WIDER);
    }

    /** The distance beyond which nothing more is found: on the sphere, or among the cells of a plane. */
    public double farthest(Optional<PlaneCells> plane) {
        double last = switch (unit) {
            case PLANE -> plane.map(cells -> cells.farthest(centre)).orElse(most);
            case METRES -> Math.PI * EARTH_METRES;
            case RADIANS -> Math.PI;
        };
        return Math.min(most, last);
    }

    private double radians(double distance) {
        return unit == Unit.METRES ? distance / EARTH_METRES : distance;
    }

    /** All that is up to a distance away. */
    public Area within(double distance) {
        return onSphere()
                ? new Area.Cap(S2Cap.fromAxisAngle(
                        point(), S1Angle.radians(Math.min(Math.PI, radians(distance) * (1 + 1e-12) + 1e-14))))
                : new Area.Circle(centre, distance);
    }
}
