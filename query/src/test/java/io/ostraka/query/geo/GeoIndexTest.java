package io.ostraka.query.geo;

import static io.ostraka.query.TestRun.CONTEXT;
import static io.ostraka.query.TestRun.doc;
import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.MemorySource;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.filter.GeoTests;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.plan.PlanPrinter;
import io.ostraka.query.plan.Planner;
import io.ostraka.query.run.QueryLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Answers by indexes on places are those of a scan, in the order of distances where that is asked for. */
class GeoIndexTest {
    private static final IndexDefinition SPHERE = index("{k: 1, s: '2dsphere'}, name: 'sphere'");
    private static final IndexDefinition PLANE = index("{p: '2d', k: 1}, name: 'plane', bits: 17");

    private static IndexDefinition index(String rest) {
        return IndexDefinition.parse(doc("{key: " + rest + "}"));
    }

    /** Places near each other, near the poles and on both sides of the 180th degree. */
    private static final class AnyPlace {
        private final Random random;

        AnyPlace(long seed) {
            random = new Random(seed);
        }

        BsonArray position() {
            double spread = List.of(0.001, 1.0, 30.0).get(random.nextInt(3));
            double x = List.of(0.0, 179.5, -179.5).get(random.nextInt(3)) + spread * (random.nextDouble() - 0.5);
            double y = List.of(0.0, 0.0, 89.0).get(random.nextInt(3)) + spread * (random.nextDouble() - 0.5);
            double east = x > 180 ? x - 360 : x < -180 ? x + 360 : x;
            return new BsonArray(
                    List.of(new BsonDouble(Math.min(179.999, east)), new BsonDouble(Math.max(-90, Math.min(90, y)))));
        }

        private static BsonDocument json(String type, BsonValue coordinates) {
            return new BsonDocument("type", new BsonString(type)).append("coordinates", coordinates);
        }

        BsonDocument polygon() {
            BsonArray centre = position();
            double x = centre.get(0).asDouble().getValue();
            double y = Math.max(-80, Math.min(80, centre.get(1).asDouble().getValue()));
            double size = 0.01 + 5 * random.nextDouble();
            BsonArray ring = new BsonArray();
            for (int i = 0; i <= 4; i++) {
                double angle = Math.PI / 2 * (i % 4);
                double east = x + size * Math.cos(angle);
                ring.add(new BsonArray(List.of(
                        new BsonDouble(east > 180 ? east - 360 : east < -180 ? east + 360 : east),
                        new BsonDouble(y + size * Math.sin(angle)))));
            }
            return json("Polygon", new BsonArray(List.of(ring)));
        }

        BsonValue place() {
            return switch (random.nextInt(6)) {
                case 0 -> position();
                case 1 -> json("LineString", new BsonArray(List.of(position(), position())));
                case 2 -> polygon();
                case 3 -> json("MultiPoint", new BsonArray(List.of(position(), position())));
                default -> json("Point", position());
            };
        }

        RawDocument document(int id) {
            BsonDocument document =
                    new BsonDocument("_id", new BsonInt32(id)).append("k", new BsonInt32(random.nextInt(3)));
            if (random.nextInt(8) > 0) {
                document.put("s", place());
            }
            if (random.nextInt(8) > 0) {
                document.put("p", random.nextInt(4) == 0 ? new BsonArray(List.of(position(), position())) : position());
            }
            return RawDocument.of(document);
        }

        BsonDocument area() {
            BsonDouble radius = new BsonDouble(
                    random.nextDouble() * List.of(0.001, 0.2, 2.0).get(random.nextInt(3)));
            return switch (random.nextInt(4)) {
                case 0 -> new BsonDocument("$geometry", polygon());
                case 1 -> new BsonDocument("$centerSphere", new BsonArray(List.of(position(), radius)));
                case 2 -> new BsonDocument("$center", new BsonArray(List.of(position(), radius)));
                default -> new BsonDocument("$box", new BsonArray(List.of(position(), position())));
            };
        }

        BsonDocument filter() {
            BsonDocument filter = new BsonDocument();
            if (random.nextInt(3) == 0) {
                filter.put("k", new BsonInt32(random.nextInt(3)));
            }
            if (random.nextBoolean()) {
                filter.put("p", new BsonDocument("$geoWithin", area()));
            } else if (random.nextBoolean()) {
                filter.put("s", new BsonDocument("$geoWithin", area()));
            } else {
                filter.put("s", new BsonDocument("$geoIntersects", new BsonDocument("$geometry", json())));
            }
            return filter;
        }

        private BsonValue json() {
            BsonValue place = place();
            return place.isDocument() ? place : json("Point", place);
        }

        BsonDocument near() {
            BsonDocument filter = new BsonDocument();
            if (random.nextInt(3) == 0) {
                filter.put("k", new BsonInt32(random.nextInt(3)));
            }
            BsonDocument near = new BsonDocument();
            boolean plane = random.nextBoolean();
            boolean pair = plane || random.nextBoolean();
            double scale = !pair ? 1e6 : 1;
            BsonDocument distances = new BsonDocument();
            if (random.nextBoolean()) {
                distances.put("$maxDistance", new BsonDouble(random.nextDouble() * scale));
            }
            if (random.nextInt(3) == 0) {
                distances.put("$minDistance", new BsonDouble(random.nextDouble() * scale / 5));
            }
            if (pair) {
                near.put(random.nextBoolean() ? "$nearSphere" : plane ? "$near" : "$nearSphere", position());
                near.putAll(distances);
            } else {
                near.put("$near", new BsonDocument("$geometry", json("Point", position())));
                near.getDocument("$near").putAll(distances);
            }
            filter.put(plane ? "p" : "s", near);
            return filter;
        }
    }

    @Property(tries = 1_500)
    void answersAsAScanDoes(@ForAll long seed) {
        AnyPlace any = new AnyPlace(seed);
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            documents.add(any.document(i));
        }
        MemorySource source = new MemorySource(documents, List.of(SPHERE, PLANE));
        for (int i = 0; i < 4; i++) {
            Filter filter = FilterParser.parse(any.filter());
            PlanNode plan = Planner.plan(FindQuery.of(filter), source.indexes(), Optional.empty(), QueryLimits.DEFAULT);
            assertThat(run(plan, source))
                    .as(() -> PlanPrinter.tree(plan))
                    .containsExactlyInAnyOrderElementsOf(scanned(documents, filter));
        }
    }

    @Property(tries = 1_500)
    void givesTheNearestFirst(@ForAll long seed) {
        AnyPlace any = new AnyPlace(seed);
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            documents.add(any.document(i));
        }
        MemorySource source = new MemorySource(documents, List.of(SPHERE, PLANE));
        Filter filter = FilterParser.parse(any.near());
        Filter.Field field = GeoTests.near(filter).orElseThrow();
        Near near = ((io.ostraka.query.filter.ValueTest.IsNear) field.test()).near();
        PlanNode plan = Planner.plan(FindQuery.of(filter), source.indexes(), Optional.empty(), QueryLimits.DEFAULT);
        List<RawDocument> found = run(plan, source);
        assertThat(found)
                .as(() -> PlanPrinter.tree(plan))
                .containsExactlyInAnyOrderElementsOf(scanned(documents, filter));
        assertThat(found.stream()
                        .map(document -> GeoTests.nearest(document, field.path(), near)
                                .orElseThrow()
                                .distance())
                        .toList())
                .isSorted();
    }

    private static List<RawDocument> scanned(List<RawDocument> documents, Filter filter) {
        return documents.stream()
                .filter(FilterCompiler.compile(filter, CONTEXT)::test)
                .toList();
    }

    private static List<RawDocument> run(PlanNode plan, MemorySource source) {
        try (Execution execution = Execution.open(plan, source, CONTEXT)) {
            return execution.documents().toList();
        }
    }
}
