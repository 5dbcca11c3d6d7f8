package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.bson.BsonValue;

/**
 * {@code aggregate}.
 *
 * @param collection absent for a pipeline over a database: {@code aggregate: 1}
 * @param pipeline the stages, undecoded
 * @param batchSize documents of the first batch
 */
public record AggregateRequest(
        String database,
        Optional<String> collection,
        List<RawDocument> pipeline,
        boolean explain,
        OptionalInt batchSize,
        Optional<BsonValue> hint,
        Optional<RawDocument> collation,
        Optional<RawDocument> let,
        boolean bypassValidation) {
    /** Stages a pipeline may have. */
    public static final int MAX_STAGES = 1000;

    public AggregateRequest {
        pipeline = List.copyOf(pipeline);
        if (pipeline.size() > MAX_STAGES) {
            throw FAILED_TO_PARSE.because("Pipeline length must be no longer than %d stages", MAX_STAGES);
        }
    }

    public static AggregateRequest parse(Fields fields) {
        Optional<String> collection = fields.own().isString() ? Optional.of(fields.collection()) : databaseWide(fields);
        boolean explain = fields.bool("explain", false);
        Optional<RawDocument> cursor = cursorOptions(fields);
        if (cursor.isEmpty() && !explain) {
            throw FAILED_TO_PARSE.because(
                    "The 'cursor' option is required, except for aggregate with the explain argument");
        }
        fields.bool("allowDiskUse", true); // what does not fit in memory fails whatever it says
        fields.raw("runtimeConstants");
        fields.raw("exchange");
        fields.raw("isMapReduceCommand");
        fields.raw("querySettings");
        fields.raw("includeQueryStatsMetrics");
        return new AggregateRequest(
                fields.database(),
                collection,
                fields.requiredDocuments("pipeline"),
                explain,
                batchSize(cursor),
                fields.hint(),
                fields.document("collation").filter(collation -> !collation.isEmpty()),
                fields.document("let"),
                fields.bool("bypassDocumentValidation", false));
    }

    private static Optional<String> databaseWide(Fields fields) {
        if (fields.own().isNumber() && fields.own().asNumber().doubleValue() == 1) {
            return Optional.empty();
        }
        throw FAILED_TO_PARSE.because(
                "Invalid command format: the 'aggregate' field must specify a collection name or 1");
    }

    private static Optional<RawDocument> cursorOptions(Fields fields) {
        RawCursor raw = fields.raw("cursor");
        if (raw != null && !raw.isDocument()) {
            throw TYPE_MISMATCH.because("cursor field must be missing or an object");
        }
        return Optional.ofNullable(raw).map(RawCursor::document);
    }

    private static OptionalInt batchSize(Optional<RawDocument> options) {
        OptionalInt size = OptionalInt.empty();
        RawCursor option = options.orElse(RawDocument.EMPTY).cursor();
        while (option.next()) {
            if (!option.nameEquals("batchSize")) {
                throw IDL_UNKNOWN_FIELD.because("BSON field 'cursor.%s' is an unknown field.", option.name());
            }
            if (!option.isNumber()) {
                throw TYPE_MISMATCH.because("cursor.batchSize field must be a number");
            }
            double value = option.value().asNumber().doubleValue();
            if (value < 0 || value > Integer.MAX_VALUE) {
                throw BAD_VALUE.because("cursor.batchSize must not be negative, nor beyond 2147483647");
            }
            size = OptionalInt.of((int) value);
        }
        return size;
    }

    public int firstBatch() {
        return batchSize.orElse(FindRequest.FIRST_BATCH);
    }

    /** The namespace a reply's cursor names. */
    public String namespace() {
        return database + "." + collection.orElse("$cmd.aggregate");
    }
}
