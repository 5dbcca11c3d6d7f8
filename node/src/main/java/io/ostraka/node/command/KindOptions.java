package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.value.Values;
import io.ostraka.wire.request.CreateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The options of time series and of clustered collections, as they are stored. */
final class KindOptions {
    /** Seconds that MongoDB lets a bucket span, by granularity; shown, and without effect here. */
    private static final Map<String, Integer> SPANS = Map.of("seconds", 3_600, "minutes", 86_400, "hours", 2_592_000);

    private static final Set<String> OF_SERIES =
            Set.of("timeField", "metaField", "granularity", "bucketMaxSpanSeconds", "bucketRoundingSeconds");

    private KindOptions() {}

    /** Options with what these kinds ask for written out. */
    static BsonDocument checked(BsonDocument before, CreateRequest request) {
        BsonDocument options = before.clone();
        if (request.capped()
                && (request.timeseries().isPresent() || request.clusteredIndex().isPresent())) {
            throw INVALID_OPTIONS.because("a capped collection can be neither a time series nor clustered");
        }
        request.timeseries().ifPresent(series -> options.put("timeseries", series(series.toBson())));
        request.clusteredIndex().ifPresent(index -> {
            if (request.timeseries().isPresent()) {
                throw INVALID_OPTIONS.because("a time series cannot be given a clusteredIndex");
            }
            options.put("clusteredIndex", clustered(index));
        });
        BsonValue expire = options.get("expireAfterSeconds");
        if (expire != null) {
            if (request.timeseries().isEmpty() && request.clusteredIndex().isEmpty()) {
                throw INVALID_OPTIONS.because(
                        "'expireAfterSeconds' is only supported on time-series collections or when the 'clusteredIndex'"
                                + " option is specified; of others make a TTL index");
            }
            if (!Values.isNumber(expire)) {
                throw TYPE_MISMATCH.because("expireAfterSeconds must be a number, not %s", Values.typeName(expire));
            }
            double seconds = Values.toDouble(expire);
            if (!(seconds >= 0 && seconds <= Integer.MAX_VALUE)) {
                throw INVALID_OPTIONS.because(
                        "TTL index 'expireAfterSeconds' option must be within an acceptable range, 0 to %d seconds",
                        Integer.MAX_VALUE);
            }
        }
        return options;
    }

    private static BsonDocument series(BsonDocument words) {
        for (String name : words.keySet()) {
            if (!OF_SERIES.contains(name)) {
                throw IDL_UNKNOWN_FIELD.because("BSON field 'create.timeseries.%s' is an unknown field.", name);
            }
        }
        String time = field(words, "timeField");
        if (time == null) {
            throw IDL_FAILED_TO_PARSE.because(
                    "BSON field 'create.timeseries.timeField' is missing but a required field");
        }
        String meta = field(words, "metaField");
        if (meta != null && (meta.equals(time) || meta.equals("_id"))) {
            throw INVALID_OPTIONS.because(
                    meta.equals("_id")
                            ? "The 'metaField' cannot be \"_id\""
                            : "The 'timeField' and 'metaField' cannot be the same");
        }
        BsonDocument shown = new BsonDocument("timeField", new BsonString(time));
        if (meta != null) {
            shown.put("metaField", new BsonString(meta));
        }
        BsonValue span = words.get("bucketMaxSpanSeconds");
        BsonValue rounding = words.get("bucketRoundingSeconds");
        if (span == null && rounding == null) {
            String granularity = granularity(words.get("granularity", new BsonString("seconds")));
            return shown.append("granularity", new BsonString(granularity))
                    .append("bucketMaxSpanSeconds", new BsonInt32(SPANS.get(granularity)));
        }
        if (words.containsKey("granularity")) {
            throw INVALID_OPTIONS.because(
                    "'granularity' cannot be given beside 'bucketMaxSpanSeconds' and 'bucketRoundingSeconds'");
        }
        if (span == null || rounding == null || !Values.isNumber(span) || !span.equals(rounding)) {
            throw INVALID_OPTIONS.because(
                    "'bucketMaxSpanSeconds' and 'bucketRoundingSeconds' must be given together, and be the same number");
        }
        return shown.append("bucketRoundingSeconds", rounding).append("bucketMaxSpanSeconds", span);
    }

    private static String field(BsonDocument words, String name) {
        BsonValue value = words.get(name);
        if (value == null) {
            return null;
        }
        if (!value.isString()) {
            throw TYPE_MISMATCH.because(
                    "BSON field 'create.timeseries.%s' is the wrong type '%s', expected type 'string'",
                    name, Values.typeName(value));
        }
        String field = value.asString().getValue();
        if (field.isEmpty() || field.startsWith("$") || field.contains(".")) {
            throw INVALID_OPTIONS.because("'%s' must be a field at the top of documents, not '%s'", name, field);
        }
        return field;
    }

    private static String granularity(BsonValue value) {
        if (!value.isString() || !SPANS.containsKey(value.asString().getValue())) {
            throw BAD_VALUE.because(
                    "Enumeration value '%s' for field 'create.timeseries.granularity' is not a valid value.",
                    Values.show(value));
        }
        return value.asString().getValue();
    }

    private static BsonDocument clustered(BsonValue value) {
        if (!value.isDocument()) {
            throw INVALID_INDEX_SPECIFICATION_OPTION.because(
                    "The clusteredIndex option must be an object such as {key: {_id: 1}, unique: true}");
        }
        BsonDocument words = value.asDocument();
        boolean byId = words.get("key") instanceof BsonDocument key
                && key.size() == 1
                && key.containsKey("_id")
                && Values.isNumber(key.get("_id"))
                && Values.toDouble(key.get("_id")) == 1;
        if (!byId) {
            throw INVALID_INDEX_SPECIFICATION_OPTION.because(
                    "The clusteredIndex option is only supported for key: {_id: 1}");
        }
        if (!words.containsKey("unique") || !Values.isTrue(words.get("unique"))) {
            throw INVALID_INDEX_SPECIFICATION_OPTION.because(
                    "The clusteredIndex option requires unique: true to be specified");
        }
        BsonValue name = words.get("name", new BsonString("_id_"));
        if (!name.isString()) {
            throw TYPE_MISMATCH.because("The name of a clusteredIndex must be a string");
        }
        return new BsonDocument("v", new BsonInt32(2))
                .append("key", new BsonDocument("_id", new BsonInt32(1)))
                .append("name", name)
                .append("unique", BsonBoolean.TRUE);
    }

    /** The indexes such a collection begins with. */
    static List<IndexDefinition> indexes(BsonDocument options) {
        if (!options.isDocument("timeseries")) {
            return List.of();
        }
        BsonDocument series = options.getDocument("timeseries");
        String time = series.getString("timeField").getValue();
        List<IndexDefinition> indexes = new ArrayList<>();
        if (series.containsKey("metaField")) {
            indexes.add(index(series.getString("metaField").getValue(), time));
        }
        if (options.containsKey("expireAfterSeconds")) {
            indexes.add(index(time));
        }
        return indexes;
    }

    private static IndexDefinition index(String... fields) {
        BsonDocument key = new BsonDocument();
        StringBuilder name = new StringBuilder();
        for (String field : fields) {
            key.put(field, new BsonInt32(1));
            name.append(name.isEmpty() ? "" : "_").append(field).append("_1");
        }
        return IndexDefinition.parse(
                RawDocument.of(new BsonDocument("key", key).append("name", new BsonString(name.toString()))));
    }
}
