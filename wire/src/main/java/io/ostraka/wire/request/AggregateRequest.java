package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.IDL_UNKNOWN_FIELD;
import static io.ostraka.core.error.ErrorCode.INVALID_PIPELINE_OPERATOR;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.ArrayList;
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
 * @param allowDiskUse whether what memory does not hold may go to disk
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
        boolean bypassValidation,
        boolean allowDiskUse) {
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
                fields.bool("bypassDocumentValidation", false),
                fields.bool("allowDiskUse", true));
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

    /**
     * A find as a pipeline, for what is no collection. The order of records means nothing there.
     *
     * @throws io.ostraka.core.error.CommandException 168 for options that only a collection's own documents can follow
     */
    public static AggregateRequest of(FindRequest find) {
        String refused = find.returnKey()
                ? "returnKey"
                : find.showRecordId()
                        ? "showRecordId"
                        : find.tailable()
                                ? "tailable"
                                : find.min().isPresent() ? "min" : find.max().isPresent() ? "max" : "";
        if (!refused.isEmpty()) {
            throw INVALID_PIPELINE_OPERATOR.because("Option %s not supported in aggregation.", refused);
        }
        List<RawDocument> stages = new ArrayList<>();
        stages.add(stage("$match", find.filter()));
        if (!find.sort().isEmpty() && find.sort().find("$natural") == null) {
            stages.add(stage("$sort", find.sort()));
        }
        window(stages, find.skip(), find.limit());
        if (!find.projection().isEmpty()) {
            stages.add(stage("$project", find.projection()));
        }
        return new AggregateRequest(
                find.database(),
                Optional.of(find.collection()),
                stages,
                false,
                find.batchSize(),
                find.hint(),
                find.collation(),
                find.let(),
                false,
                find.allowDiskUse());
    }

    /** A count as a pipeline: no document, or one with the number as {@code n}. */
    public static AggregateRequest of(CountRequest count) {
        List<RawDocument> stages = new ArrayList<>();
        stages.add(stage("$match", count.query()));
        window(stages, count.skip(), count.limit());
        stages.add(new RawBuilder().put("$count", "n").build());
        return read(count.database(), count.collection(), stages, count.hint(), count.collation());
    }

    /** The documents a distinct looks at, as a pipeline. */
    public static AggregateRequest of(DistinctRequest distinct) {
        return read(
                distinct.database(),
                distinct.collection(),
                List.of(stage("$match", distinct.query())),
                distinct.hint(),
                distinct.collation());
    }

    private static AggregateRequest read(
            String database,
            String collection,
            List<RawDocument> stages,
            Optional<BsonValue> hint,
            Optional<RawDocument> collation) {
        return new AggregateRequest(
                database,
                Optional.of(collection),
                stages,
                false,
                OptionalInt.empty(),
                hint,
                collation,
                Optional.empty(),
                false,
                true);
    }

    private static RawDocument stage(String name, RawDocument argument) {
        return new RawBuilder(argument.size() + 32).put(name, argument).build();
    }

    private static void window(List<RawDocument> stages, long skip, long limit) {
        if (skip > 0) {
            stages.add(new RawBuilder().put("$skip", skip).build());
        }
        if (limit > 0) {
            stages.add(new RawBuilder().put("$limit", limit).build());
        }
    }

    /** The same over another collection, of whose documents these stages make those that were meant, by other rules. */
    public AggregateRequest over(String source, List<RawDocument> first, RawDocument rules) {
        List<RawDocument> all = new ArrayList<>(first);
        all.addAll(pipeline);
        return new AggregateRequest(
                database,
                Optional.of(source),
                all,
                explain,
                batchSize,
                hint,
                Optional.of(rules),
                let,
                bypassValidation,
                allowDiskUse);
    }

    /** The same without its last stage, which whoever runs it does another way. */
    public AggregateRequest withoutLast() {
        return new AggregateRequest(
                database,
                collection,
                pipeline.subList(0, pipeline.size() - 1),
                explain,
                batchSize,
                hint,
                collation,
                let,
                bypassValidation,
                allowDiskUse);
    }

    public int firstBatch() {
        return batchSize.orElse(FindRequest.FIRST_BATCH);
    }

    /** The namespace a reply's cursor names. */
    public String namespace() {
        return database + "." + collection.orElse("$cmd.aggregate");
    }
}
