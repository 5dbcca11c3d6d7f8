package io.ostraka.query.geo;

import io.ostraka.query.geo.GeometryParser.NoGeometry;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonValue;

/** What a document's value says of where something is: one geometry, or an array of them. */
public final class StoredGeometry {
    private StoredGeometry() {}

    /** All that are valid. */
    public static List<Geometry> valid(BsonValue value) {
        List<Geometry> found = new ArrayList<>();
        for (BsonValue each : each(value)) {
            try {
                found.add(GeometryParser.parse(each));
            } catch (NoGeometry e) {
                // An invalid one is nowhere.
                continue;
            }
        }
        return found;
    }

    /** All of them, each valid. */
    public static List<Geometry> all(BsonValue value) throws NoGeometry {
        List<Geometry> found = new ArrayList<>();
        for (BsonValue each : each(value)) {
            found.add(GeometryParser.parse(each));
        }
        return found;
    }

    /** Points of the plane, each a pair of numbers. */
    public static List<Geometry.Flat> pairs(BsonValue value) throws NoGeometry {
        List<Geometry.Flat> found = new ArrayList<>();
        for (BsonValue each : each(value)) {
            found.add(GeometryParser.pair(each));
        }
        return found;
    }

    private static List<BsonValue> each(BsonValue value) {
        boolean several = value instanceof BsonArray array && !array.isEmpty() && !Values.isNumber(array.get(0));
        return several ? value.asArray().getValues() : List.of(value);
    }
}
