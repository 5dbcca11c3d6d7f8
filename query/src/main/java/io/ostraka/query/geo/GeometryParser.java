package io.ostraka.query.geo;

import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads GeoJSON, and pairs of numbers as they were written before it. */
public final class GeometryParser {
    /** Levels of collections within each other. */
    private static final int DEPTH_MAX = 20;

    private static final String STRICT_WINDING = "urn:x-mongodb:crs:strictwinding:EPSG:4326";

    /** Says why something is no geometry; who asked for one decides which error that is. */
    public static final class NoGeometry extends Exception {
        private static final long serialVersionUID = 1;

        NoGeometry(String reason, Object... arguments) {
            super(String.format(Locale.ROOT, reason, arguments), null, false, false);
        }
    }

    private final List<S2Point> points = new ArrayList<>();
    private final List<S2Polyline> lines = new ArrayList<>();
    private final List<S2Polygon> polygons = new ArrayList<>();
    private Optional<Geometry.Flat> flat = Optional.empty();

    private GeometryParser() {}

    /** Reads GeoJSON or a pair of numbers: an array, or a document whose first two fields they are. */
    public static Geometry parse(BsonValue value) throws NoGeometry {
        return value.isDocument() && value.asDocument().containsKey("type")
                ? geoJson(value.asDocument())
                : point(pair(value));
    }

    /** Reads GeoJSON. */
    public static Geometry geoJson(BsonDocument document) throws NoGeometry {
        GeometryParser parser = new GeometryParser();
        parser.read(document, 0);
        return new Geometry(parser.flat, parser.points, parser.lines, parser.polygons, true);
    }

    /** A point as a geometry, on the sphere only if its coordinates are longitude and latitude. */
    static Geometry point(Geometry.Flat at) {
        boolean onSphere = isOnSphere(at);
        return new Geometry(
                Optional.of(at), onSphere ? List.of(onSphere(at)) : List.of(), List.of(), List.of(), onSphere);
    }

    static boolean isOnSphere(Geometry.Flat at) {
        return Math.abs(at.x()) <= 180 && Math.abs(at.y()) <= 90;
    }

    static S2Point onSphere(Geometry.Flat at) {
        return S2LatLng.fromDegrees(at.y(), at.x()).toPoint();
    }

    /** Two numbers, in an array or a document. */
    static Geometry.Flat pair(BsonValue value) throws NoGeometry {
        if (!value.isArray() && !value.isDocument()) {
            throw new NoGeometry("Point must be an array or object, instead got type %s", Values.typeName(value));
        }
        Iterator<BsonValue> parts = value.isArray()
                ? value.asArray().iterator()
                : value.asDocument().values().iterator();
        double[] found = new double[2];
        for (int i = 0; i < 2; i++) {
            BsonValue part = parts.hasNext() ? parts.next() : null;
            if (part == null || !Values.isNumber(part)) {
                throw new NoGeometry(
                        "Point must only contain two numeric elements, instead got %s", Values.show(value));
            }
            found[i] = Values.toDouble(part);
            if (!Double.isFinite(found[i])) {
                throw new NoGeometry("Point coordinates must be finite numbers, not %s", Values.show(value));
            }
        }
        return new Geometry.Flat(found[0], found[1]);
    }

    private void read(BsonDocument document, int depth) throws NoGeometry {
        BsonValue type = document.get("type");
        if (type == null || !type.isString()) {
            throw new NoGeometry("GeoJSON needs a 'type' that is a string: %s", Values.show(document));
        }
        boolean strict = crs(document.get("crs"));
        String name = type.asString().getValue();
        if (name.equals("GeometryCollection")) {
            collection(document, depth);
            return;
        }
        BsonValue coordinates = document.get("coordinates");
        if (coordinates == null || !coordinates.isArray()) {
            throw new NoGeometry("%s coordinates must be an array", name);
        }
        BsonArray array = coordinates.asArray();
        switch (name) {
            case "Point" -> {
                Geometry.Flat at = position(array);
                points.add(onSphere(at));
                flat = depth == 0 ? Optional.of(at) : Optional.empty();
            }
            case "LineString" -> lines.add(line(array));
            case "Polygon" -> polygons.add(polygon(array, strict));
            case "MultiPoint" -> {
                for (BsonValue each : some(name, array)) {
                    points.add(onSphere(position(each)));
                }
            }
            case "MultiLineString" -> {
                for (BsonValue each : some(name, array)) {
                    lines.add(line(array(each)));
                }
            }
            case "MultiPolygon" -> {
                for (BsonValue each : some(name, array)) {
                    polygons.add(polygon(array(each), strict));
                }
            }
            default -> throw new NoGeometry("unknown GeoJSON type: %s", name);
        }
    }

    private void collection(BsonDocument document, int depth) throws NoGeometry {
        BsonValue geometries = document.get("geometries");
        if (geometries == null || !geometries.isArray() || geometries.asArray().isEmpty()) {
            throw new NoGeometry("GeometryCollection geometries must be an array of at least one");
        }
        if (depth >= DEPTH_MAX) {
            throw new NoGeometry("GeometryCollections may not be nested more than %d deep", DEPTH_MAX);
        }
        for (BsonValue each : geometries.asArray()) {
            if (!each.isDocument()) {
                throw new NoGeometry("Element of \"geometries\" is not an object");
            }
            read(each.asDocument(), depth + 1);
        }
    }

    /** Whether the order of a ring's corners says which side is inside. */
    private static boolean crs(BsonValue crs) throws NoGeometry {
        if (crs == null) {
            return false;
        }
        String name = crs.isDocument()
                        && crs.asDocument().get("properties") instanceof BsonDocument properties
                        && properties.get("name") instanceof org.bson.BsonString text
                ? text.getValue()
                : "";
        return switch (name) {
            case "urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "crs84", "epsg:4326" -> false;
            case STRICT_WINDING -> true;
            default -> throw new NoGeometry("Unknown CRS name: %s", name);
        };
    }

    private static BsonArray some(String name, BsonArray array) throws NoGeometry {
        if (array.isEmpty()) {
            throw new NoGeometry("%s coordinates must have at least 1 element", name);
        }
        return array;
    }

    private static BsonArray array(BsonValue value) throws NoGeometry {
        if (!value.isArray()) {
            throw new NoGeometry("GeoJSON coordinates must be an array, not %s", Values.show(value));
        }
        return value.asArray();
    }

    private static Geometry.Flat position(BsonValue value) throws NoGeometry {
        Geometry.Flat at = pair(array(value));
        if (!isOnSphere(at)) {
            throw new NoGeometry("longitude/latitude is out of bounds, lng: %s lat: %s", at.x(), at.y());
        }
        return at;
    }

    /** Corners one behind the other, each once where it is repeated at once. */
    private static List<S2Point> corners(BsonArray array) throws NoGeometry {
        List<S2Point> corners = new ArrayList<>();
        for (BsonValue each : array) {
            S2Point corner = onSphere(position(each));
            if (corners.isEmpty() || !corners.getLast().equalsPoint(corner)) {
                corners.add(corner);
            }
        }
        return corners;
    }

    private static S2Polyline line(BsonArray array) throws NoGeometry {
        List<S2Point> corners = corners(array);
        if (corners.size() < 2) {
            throw new NoGeometry(
                    "GeoJSON LineString must have at least 2 vertices that differ: %s", Values.show(array));
        }
        for (int i = 1; i < corners.size(); i++) {
            if (corners.get(i).equalsPoint(S2Point.neg(corners.get(i - 1)))) {
                throw new NoGeometry("Adjacent vertices of a LineString must not be antipodal: %s", Values.show(array));
            }
        }
        return new S2Polyline(corners);
    }

    private static S2Polygon polygon(BsonArray rings, boolean strict) throws NoGeometry {
        if (rings.isEmpty()) {
            throw new NoGeometry("Polygon has no loops.");
        }
        List<S2Loop> loops = new ArrayList<>();
        for (BsonValue each : rings) {
            S2Loop loop = loop(array(each));
            if (!strict) {
                loop.normalize();
            }
            if (!loops.isEmpty() && !strict && !loops.getFirst().contains(loop)) {
                throw new NoGeometry(
                        "Secondary loops not contained by first exterior loop - secondary loops must be holes: %s",
                        Values.show(each));
            }
            if (strict && rings.size() > 1) {
                throw new NoGeometry("Only one simple loop is allowed in a big polygon: %s", Values.show(rings));
            }
            loops.add(loop);
        }
        S2Polygon polygon = new S2Polygon();
        polygon.initNested(new ArrayList<>(loops));
        if (!polygon.isValid()) {
            throw new NoGeometry("Polygon isn't valid; its loops cross: %s", Values.show(rings));
        }
        return polygon;
    }

    private static S2Loop loop(BsonArray ring) throws NoGeometry {
        List<S2Point> corners = corners(ring);
        if (ring.size() < 4 || corners.isEmpty()) {
            throw new NoGeometry("Loop must have at least 3 different vertices: %s", Values.show(ring));
        }
        if (!corners.getFirst().equalsPoint(corners.getLast())) {
            throw new NoGeometry("Loop is not closed, first vertex does not equal last vertex: %s", Values.show(ring));
        }
        corners.removeLast();
        if (corners.size() < 3) {
            throw new NoGeometry("Loop must have at least 3 different vertices: %s", Values.show(ring));
        }
        if (!S2Loop.isValid(corners)) {
            throw new NoGeometry("Loop is not valid; its edges cross or meet: %s", Values.show(ring));
        }
        S2Loop loop = new S2Loop(corners);
        if (!loop.isValid()) {
            throw new NoGeometry("Loop is not valid; its edges cross or meet: %s", Values.show(ring));
        }
        return loop;
    }
}
