package io.ostraka.query.filter;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.geo.AreaParser;
import io.ostraka.query.geo.Geometry;
import io.ostraka.query.geo.GeometryParser.NoGeometry;
import io.ostraka.query.geo.Near;
import io.ostraka.query.geo.StoredGeometry;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonValue;

/** Reads the operators about places, and measures how far documents are from one. */
public final class GeoTests {
    private static final Set<String> DISTANCES = Set.of("$maxDistance", "$minDistance");

    private GeoTests() {}

    static boolean isDistance(String name) {
        return DISTANCES.contains(name);
    }

    static boolean isNear(BsonDocument operators) {
        return operators.containsKey("$near") || operators.containsKey("$nearSphere");
    }

    static ValueTest within(BsonValue argument) {
        try {
            return new ValueTest.GeoWithin(AreaParser.area(document("$geoWithin", argument)), argument);
        } catch (NoGeometry e) {
            throw BAD_VALUE.because("%s", e.getMessage());
        }
    }

    static ValueTest intersects(BsonValue argument) {
        BsonValue geometry = document("$geoIntersects", argument).get("$geometry");
        if (geometry == null) {
            throw BAD_VALUE.because("$geoIntersects not supported with provided geometry: %s", Values.show(argument));
        }
        try {
            return new ValueTest.GeoIntersects(AreaParser.geometry(geometry), argument);
        } catch (NoGeometry e) {
            throw BAD_VALUE.because("%s", e.getMessage());
        }
    }

    private static BsonDocument document(String name, BsonValue argument) {
        if (!argument.isDocument()) {
            throw BAD_VALUE.because("%s needs an object, not %s", name, Values.show(argument));
        }
        return argument.asDocument();
    }

    /** Of GeoJSON the distances stand beside it; of a pair of numbers beside the operator, or the greatest as a third. */
    static ValueTest near(String name, BsonValue argument, BsonDocument beside) {
        boolean json = argument instanceof BsonDocument words && words.containsKey("$geometry");
        BsonDocument distances = json ? argument.asDocument() : beside;
        BsonValue point = json ? argument.asDocument().get("$geometry") : argument;
        BsonValue most = distances.get("$maxDistance", beside.get("$maxDistance"));
        if (most == null
                && point instanceof BsonArray array
                && array.size() > 2
                && array.get(2) instanceof BsonNumber) {
            most = array.get(2);
        }
        BsonValue least = distances.get("$minDistance", beside.get("$minDistance"));
        if (json && !(point instanceof BsonDocument words && words.containsKey("type"))) {
            throw BAD_VALUE.because("invalid point in geo near query $geometry argument: %s", Values.show(point));
        }
        BsonDocument source = new BsonDocument(name, argument);
        DISTANCES.stream().filter(beside::containsKey).sorted().forEach(each -> source.put(each, beside.get(each)));
        try {
            return new ValueTest.IsNear(AreaParser.near(point, name.equals("$nearSphere"), least, most), source);
        } catch (NoGeometry e) {
            throw BAD_VALUE.because("invalid point in geo near query: %s", e.getMessage());
        }
    }

    /** The place of a document that is nearest. */
    public record Nearest(double distance, BsonValue place) {}

    /** How far a document is, by what it has at a path; nothing where it has no such geometry. */
    public static Optional<Nearest> nearest(RawDocument document, FieldPath path, Near near) {
        Optional<Nearest> best = Optional.empty();
        for (BsonValue value : values(document, path)) {
            boolean several = value instanceof BsonArray array && !array.isEmpty() && !Values.isNumber(array.get(0));
            for (BsonValue place : several ? value.asArray().getValues() : List.of(value)) {
                for (Geometry geometry : StoredGeometry.valid(place)) {
                    OptionalDouble distance = near.distance(geometry);
                    if (distance.isPresent() && (best.isEmpty() || distance.getAsDouble() < best.get().distance)) {
                        best = Optional.of(new Nearest(distance.getAsDouble(), place));
                    }
                }
            }
        }
        return best;
    }

    /** The documents and arrays at a path, through arrays on the way; an array at its end is given whole. */
    public static List<BsonValue> values(RawDocument document, FieldPath path) {
        List<BsonValue> values = new ArrayList<>();
        boolean unused = PathWalk.any(document, path, new PathWalk.CursorTest() {
            @Override
            public boolean test(io.ostraka.core.bson.RawCursor valueOrNull) {
                if (valueOrNull != null && (valueOrNull.isDocument() || valueOrNull.isArray())) {
                    values.add(valueOrNull.value());
                }
                return false;
            }

            @Override
            public boolean looksIntoArrays() {
                return false;
            }
        });
        return values;
    }

    /** The condition by whose distances documents are sorted, if a filter has one. */
    public static Optional<Filter.Field> near(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) ->
                all.stream().flatMap(part -> near(part).stream()).findFirst();
            case Filter.Field field -> field.test() instanceof ValueTest.IsNear ? Optional.of(field) : Optional.empty();
            case Filter.Or _, Filter.Nor _, Filter.Expr _, Filter.Schema _, Filter.Text _, Filter.Always _ ->
                Optional.empty();
        };
    }
}
