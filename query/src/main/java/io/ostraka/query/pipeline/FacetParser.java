package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.FACET_ELEMENT_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.FACET_EMPTY;
import static io.ostraka.core.error.ErrorCode.FACET_NOT_ARRAY;
import static io.ostraka.core.error.ErrorCode.FIELD_PATH_DOLLAR;
import static io.ostraka.core.error.ErrorCode.FIELD_PATH_DOT;
import static io.ostraka.core.error.ErrorCode.STAGE_NOT_IN_FACET;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads {@code $facet}. */
final class FacetParser {
    private static final Set<String> REFUSED = Set.of(
            "$changeStream",
            "$collStats",
            "$currentOp",
            "$documents",
            "$facet",
            "$geoNear",
            "$indexStats",
            "$merge",
            "$out",
            "$planCacheStats",
            "$shardedDataDistribution");

    private FacetParser() {}

    static Stage facet(BsonValue argument, Variables variables) {
        if (!argument.isDocument() || argument.asDocument().isEmpty()) {
            throw FACET_EMPTY.because(
                    "the $facet specification must be a non-empty object, but found: %s", Values.show(argument));
        }
        Map<String, Pipeline> pipelines = new LinkedHashMap<>();
        for (Map.Entry<String, BsonValue> facet : argument.asDocument().entrySet()) {
            String name = facet.getKey();
            if (name.startsWith("$")) {
                throw FIELD_PATH_DOLLAR.because("FieldPath field names may not start with '$'.");
            }
            if (name.contains(".")) {
                throw FIELD_PATH_DOT.because("FieldPath field names may not contain '.'.");
            }
            pipelines.put(
                    name,
                    Pipeline.parse(stages(name, facet.getValue()), variables).withUntold());
        }
        return new Stage.Facet(pipelines, argument.asDocument());
    }

    private static List<RawDocument> stages(String name, BsonValue value) {
        if (!value.isArray()) {
            throw FACET_NOT_ARRAY.because(
                    "arguments to $facet must be arrays, %s is type %s", name, Values.typeName(value));
        }
        List<RawDocument> stages = new ArrayList<>();
        for (BsonValue stage : value.asArray()) {
            if (!stage.isDocument()) {
                throw FACET_ELEMENT_NOT_OBJECT.because(
                        "elements of arrays in $facet spec must be non-empty objects, %s is type %s",
                        name, Values.typeName(stage));
            }
            BsonDocument document = stage.asDocument();
            if (!document.isEmpty() && REFUSED.contains(document.getFirstKey())) {
                throw STAGE_NOT_IN_FACET.because(
                        "%s is not allowed to be used within a $facet stage", document.getFirstKey());
            }
            stages.add(RawDocument.of(document));
        }
        return stages;
    }
}
