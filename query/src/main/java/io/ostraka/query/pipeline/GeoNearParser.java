package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.GEO_NEAR_NEEDS_DISTANCE_FIELD;
import static io.ostraka.core.error.ErrorCode.INDEX_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.filter.GeoTests;
import io.ostraka.query.geo.AreaParser;
import io.ostraka.query.geo.GeometryParser.NoGeometry;
import io.ostraka.query.geo.Near;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexField;
import io.ostraka.query.value.Values;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads {@code $geoNear}, and finds the index it means. */
final class GeoNearParser {
    private static final Set<String> WORDS = Set.of(
            "near",
            "distanceField",
            "spherical",
            "minDistance",
            "maxDistance",
            "query",
            "distanceMultiplier",
            "includeLocs",
            "key");

    private GeoNearParser() {}

    static Stage geoNear(BsonValue argument, Variables variables) {
        if (!argument.isDocument()) {
            throw TYPE_MISMATCH.because("$geoNear needs an object, not %s", Values.show(argument));
        }
        BsonDocument words = argument.asDocument();
        for (String name : words.keySet()) {
            if (!WORDS.contains(name)) {
                throw FAILED_TO_PARSE.because(
                        name.equals("limit") || name.equals("num")
                                ? "$geoNear no longer supports the '%s' parameter. Use a $limit stage instead"
                                : "Unknown argument to $geoNear: %s",
                        name);
            }
        }
        BsonValue point = words.get("near");
        if (point == null || !point.isDocument() && !point.isArray()) {
            throw TYPE_MISMATCH.because("$geoNear requires a 'near' option as an Object or an Array");
        }
        BsonValue distanceField = words.get("distanceField");
        if (distanceField == null || !distanceField.isString()) {
            throw GEO_NEAR_NEEDS_DISTANCE_FIELD.because("$geoNear requires a 'distanceField' option as a String");
        }
        return new Stage.GeoNear(
                near(words, point),
                query(words.get("query"), variables),
                ExpressionParser.path(distanceField.asString().getValue()),
                path("includeLocs", words.get("includeLocs")),
                path("key", words.get("key")),
                multiplier(words.get("distanceMultiplier")),
                words);
    }

    private static Near near(BsonDocument words, BsonValue point) {
        boolean sphere = words.containsKey("spherical") && Values.isTrue(words.get("spherical"));
        BsonValue least = words.get("minDistance");
        BsonValue most = words.get("maxDistance");
        for (BsonValue bound : new BsonValue[] {least, most}) {
            if (bound != null && !Values.isNumber(bound)) {
                throw TYPE_MISMATCH.because("$geoNear distances must be numbers, not %s", Values.show(bound));
            }
        }
        try {
            return AreaParser.near(point, sphere, least, most);
        } catch (NoGeometry e) {
            throw BAD_VALUE.because("invalid argument in geo near query: %s", e.getMessage());
        }
    }

    private static Filter query(BsonValue value, Variables variables) {
        if (value == null) {
            return Filter.EVERYTHING;
        }
        if (!value.isDocument()) {
            throw TYPE_MISMATCH.because("$geoNear requires the 'query' option to be an object");
        }
        Filter filter = FilterParser.parse(value.asDocument(), variables);
        if (GeoTests.near(filter).isPresent()) {
            throw BAD_VALUE.because("$near is not allowed inside of a $geoNear aggregation query");
        }
        return filter;
    }

    private static Optional<FieldPath> path(String name, BsonValue value) {
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isString()) {
            throw TYPE_MISMATCH.because(
                    "$geoNear parameter '%s' must be of type string but found type: %s", name, Values.typeName(value));
        }
        if (value.asString().getValue().isEmpty()) {
            throw BAD_VALUE.because("$geoNear parameter '%s' cannot be the empty string", name);
        }
        return Optional.of(ExpressionParser.path(value.asString().getValue()));
    }

    private static double multiplier(BsonValue value) {
        if (value == null) {
            return 1;
        }
        if (!Values.isNumber(value)) {
            throw TYPE_MISMATCH.because(
                    "$geoNear parameter 'distanceMultiplier' must be a number, not %s", Values.show(value));
        }
        double multiplier = Values.toDouble(value);
        if (!(multiplier >= 0)) {
            throw BAD_VALUE.because("distanceMultiplier must be nonnegative");
        }
        return multiplier;
    }

    /** The stage with the path of the one index that fits, where it names none. */
    static Stage.GeoNear resolved(Stage.GeoNear stage, List<IndexDefinition> indexes) {
        if (stage.key().isPresent()) {
            return stage;
        }
        List<FieldPath> found = indexes.stream()
                .filter(index -> !index.hidden())
                .flatMap(index -> index.fields().stream())
                .filter(field -> fits(field, stage.near()))
                .map(IndexField::path)
                .distinct()
                .toList();
        if (found.isEmpty()) {
            throw INDEX_NOT_FOUND.because("$geoNear requires a 2d or 2dsphere index, but none were found");
        }
        if (found.size() > 1) {
            throw INDEX_NOT_FOUND.because(
                    "There is more than one 2d or 2dsphere index; unsure which to use for $geoNear: name one by 'key'");
        }
        return stage.at(found.getFirst());
    }

    private static boolean fits(IndexField field, Near near) {
        return switch (near.unit()) {
            case METRES -> field.kind() == IndexField.Kind.SPHERE;
            case PLANE -> field.kind() == IndexField.Kind.PLANAR;
            case RADIANS -> field.isGeo();
        };
    }
}
