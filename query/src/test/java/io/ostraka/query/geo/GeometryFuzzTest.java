package io.ostraka.query.geo;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.query.geo.GeometryParser.NoGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Whatever is given as a geometry is one, with keys and distances, or is refused with a reason; nothing else happens. */
class GeometryFuzzTest {
    private static final List<String> TYPES = List.of(
            "Point",
            "LineString",
            "Polygon",
            "MultiPoint",
            "MultiLineString",
            "MultiPolygon",
            "GeometryCollection",
            "?");
    private static final List<Double> NUMBERS = List.of(
            0.0,
            -0.0,
            1.0,
            2.0,
            90.0,
            -90.0,
            180.0,
            -180.0,
            89.9999999999,
            1e-300,
            45.0,
            179.9999999999,
            Double.NaN,
            1e308);

    private static BsonValue number(Random random) {
        return random.nextInt(20) == 0
                ? BsonNull.VALUE
                : random.nextInt(3) == 0
                        ? new BsonInt32(random.nextInt(21) - 10)
                        : new BsonDouble(NUMBERS.get(random.nextInt(random.nextInt(4) == 0 ? NUMBERS.size() : 11)));
    }

    private static BsonArray list(Random random, int depth) {
        BsonArray list = new BsonArray();
        if (depth == 1 && random.nextInt(3) > 0) {
            for (int i = 0; i < 3 + random.nextInt(2); i++) {
                list.add(new BsonArray(List.of(
                        new BsonInt32(random.nextInt(41) * 9 - 180), new BsonInt32(random.nextInt(21) * 9 - 90))));
            }
            list.add(list.get(0));
            return list;
        }
        int count = depth == 0 ? 2 : depth == 1 ? random.nextInt(7) : 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            list.add(depth == 0 ? number(random) : list(random, depth - 1));
        }
        if (depth == 1 && list.size() > 2 && random.nextInt(4) > 0) {
            list.add(list.get(0)); // closed, as rings are
        }
        return list;
    }

    private static BsonDocument geometry(Random random, int depth) {
        String type = TYPES.get(random.nextInt(TYPES.size()));
        BsonDocument document = new BsonDocument("type", new BsonString(type));
        if (type.equals("GeometryCollection")) {
            List<BsonValue> all = new ArrayList<>();
            for (int i = random.nextInt(3); depth > 0 && i >= 0; i--) {
                all.add(geometry(random, depth - 1));
            }
            return document.append("geometries", new BsonArray(all));
        }
        int level = switch (type) {
            case "Point" -> 0;
            case "LineString", "MultiPoint" -> 1;
            case "Polygon", "MultiLineString" -> 2;
            default -> 3;
        };
        if (random.nextInt(20) == 0) {
            document.put(
                    "crs", BsonDocument.parse("{properties: {name: 'urn:x-mongodb:crs:strictwinding:EPSG:4326'}}"));
        }
        return document.append("coordinates", list(random, random.nextInt(10) == 0 ? random.nextInt(4) : level));
    }

    @Property(tries = 20_000)
    void isAGeometryOrIsRefused(@ForAll long seed) {
        Random random = new Random(seed);
        Geometry one;
        Geometry other;
        try {
            one = GeometryParser.parse(geometry(random, 2));
            other = GeometryParser.parse(geometry(random, 2));
        } catch (NoGeometry refused) {
            assertThat(refused.getMessage()).isNotBlank();
            return;
        }
        assertThat(SphereCells.keys(one)).isNotEmpty();
        assertThat(SphereCells.of(one)).isNotEmpty();
        assertThat(one.intersects(other)).isEqualTo(other.intersects(one));
        double distance = new Near(new Geometry.Flat(12, 34), Near.Unit.RADIANS, 0, 10)
                .distance(one)
                .orElseThrow();
        assertThat(distance).isBetween(0.0, Math.PI + 1e-9);
        if (!one.polygons().isEmpty()) {
            Area area = new Area.Polygons(one);
            if (area.contains(other)) {
                assertThat(one.intersects(other)).isTrue();
            }
            assertThat(area.boxes()).isNotEmpty();
        }
    }
}
