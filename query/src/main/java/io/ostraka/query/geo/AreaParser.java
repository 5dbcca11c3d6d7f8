package io.ostraka.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import io.ostraka.query.geo.GeometryParser.NoGeometry;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads what {@code $geoWithin}, {@code $geoIntersects}, {@code $near} and the stage {@code $geoNear} are given. */
public final class AreaParser {
    private AreaParser() {}

    /** What {@code $geoWithin} is given: one specifier. */
    public static Area area(BsonDocument argument) throws NoGeometry {
        for (String name : argument.keySet()) {
            BsonValue value = argument.get(name);
            switch (name) {
                case "$geometry" -> {
                    return polygons(value);
                }
                case "$box" -> {
                    return box(list(name, value, 2));
                }
                case "$center" -> {
                    BsonArray parts = list(name, value, 2);
                    return new Area.Circle(GeometryParser.pair(parts.get(0)), radius(parts.get(1)));
                }
                case "$centerSphere" -> {
                    BsonArray parts = list(name, value, 2);
                    double radius = Math.min(Math.PI, radius(parts.get(1)));
                    return new Area.Cap(S2Cap.fromAxisAngle(
                            GeometryParser.onSphere(position(parts.get(0))), S1Angle.radians(radius)));
                }
                case "$polygon" -> {
                    return corners(value);
                }
                case "$uniqueDocs" -> {}
                default -> throw new NoGeometry("unknown geo specifier: %s", name);
            }
        }
        throw new NoGeometry("geo query needs $geometry, $box, $center, $centerSphere or $polygon");
    }

    private static Area polygons(BsonValue value) throws NoGeometry {
        Geometry geometry = geometry(value);
        if (geometry.polygons().isEmpty()
                || !geometry.points().isEmpty()
                || !geometry.lines().isEmpty()) {
            throw new NoGeometry("$geoWithin not supported with provided geometry: %s", Values.show(value));
        }
        return new Area.Polygons(geometry);
    }

    /** GeoJSON behind {@code $geometry}. */
    public static Geometry geometry(BsonValue value) throws NoGeometry {
        if (!value.isDocument()) {
            throw new NoGeometry("$geometry needs an object, not %s", Values.show(value));
        }
        return GeometryParser.geoJson(value.asDocument());
    }

    private static Area box(BsonArray parts) throws NoGeometry {
        Geometry.Flat one = GeometryParser.pair(parts.get(0));
        Geometry.Flat other = GeometryParser.pair(parts.get(1));
        return new Area.Box(
                Math.min(one.x(), other.x()),
                Math.min(one.y(), other.y()),
                Math.max(one.x(), other.x()),
                Math.max(one.y(), other.y()));
    }

    private static Area corners(BsonValue value) throws NoGeometry {
        if (!value.isArray() && !value.isDocument()) {
            throw new NoGeometry("$polygon needs an array of points");
        }
        List<Geometry.Flat> corners = new ArrayList<>();
        for (BsonValue each : value.isArray()
                ? value.asArray()
                : new BsonArray(List.copyOf(value.asDocument().values()))) {
            corners.add(GeometryParser.pair(each));
        }
        if (corners.size() < 3) {
            throw new NoGeometry("Polygon must have at least 3 points");
        }
        return new Area.Corners(corners);
    }

    private static BsonArray list(String name, BsonValue value, int count) throws NoGeometry {
        BsonArray parts = value.isDocument()
                ? new BsonArray(List.copyOf(value.asDocument().values()))
                : value.isArray() ? value.asArray() : new BsonArray();
        if (parts.size() != count) {
            throw new NoGeometry("%s needs an array of %d, not %s", name, count, Values.show(value));
        }
        return parts;
    }

    private static double radius(BsonValue value) throws NoGeometry {
        double radius = Values.isNumber(value) ? Values.toDouble(value) : -1;
        if (!(radius >= 0)) {
            throw new NoGeometry("radius must be a non-negative number, not %s", Values.show(value));
        }
        return radius;
    }

    private static Geometry.Flat position(BsonValue value) throws NoGeometry {
        Geometry.Flat at = GeometryParser.pair(value);
        if (!GeometryParser.isOnSphere(at)) {
            throw new NoGeometry(
                    "Spherical center would require lng/lat in bounds, not lng: %s lat: %s", at.x(), at.y());
        }
        return at;
    }

    /**
     * A point and distances from it.
     *
     * @param point GeoJSON, or a pair of numbers
     * @param sphere whether a pair is on the sphere
     * @param least the smallest distance, or null
     * @param most the greatest distance, or null
     */
    public static Near near(BsonValue point, boolean sphere, BsonValue least, BsonValue most) throws NoGeometry {
        double from = least == null ? 0 : distance("$minDistance", least);
        double to = most == null ? Double.POSITIVE_INFINITY : distance("$maxDistance", most);
        if (point.isDocument() && point.asDocument().containsKey("type")) {
            Geometry geometry = geometry(point);
            if (geometry.flat().isEmpty()) {
                throw new NoGeometry("invalid point in geo near query $geometry argument: %s", Values.show(point));
            }
            return new Near(geometry.flat().get(), Near.Unit.METRES, from, to);
        }
        return sphere
                ? new Near(position(point), Near.Unit.RADIANS, from, to)
                : new Near(GeometryParser.pair(point), Near.Unit.PLANE, from, to);
    }

    private static double distance(String name, BsonValue value) throws NoGeometry {
        double distance = Values.isNumber(value) ? Values.toDouble(value) : -1;
        if (!(distance >= 0)) {
            throw new NoGeometry("%s must be a non-negative number, not %s", name, Values.show(value));
        }
        return distance;
    }
}
