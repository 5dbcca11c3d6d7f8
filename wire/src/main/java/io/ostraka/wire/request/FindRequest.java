package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.Optional;
import java.util.OptionalInt;
import org.bson.BsonValue;

/**
 * {@code find}.
 *
 * @param limit 0 for none
 * @param batchSize absent for the standard first batch of 101 documents
 * @param hint an index's name or key pattern
 * @param let variables for {@code $expr}
 * @param allowDiskUse whether a sort may go to disk
 */
public record FindRequest(
        String database,
        String collection,
        RawDocument filter,
        RawDocument projection,
        RawDocument sort,
        Optional<BsonValue> hint,
        long skip,
        long limit,
        OptionalInt batchSize,
        boolean singleBatch,
        Optional<RawDocument> min,
        Optional<RawDocument> max,
        boolean returnKey,
        boolean showRecordId,
        boolean tailable,
        boolean awaitData,
        boolean noCursorTimeout,
        boolean allowPartialResults,
        Optional<RawDocument> collation,
        Optional<RawDocument> let,
        boolean allowDiskUse) {
    /** Documents of a first batch when the client names no size. */
    public static final int FIRST_BATCH = 101;

    public FindRequest {
        if (awaitData && !tailable) {
            throw FAILED_TO_PARSE.because("Cannot set 'awaitData' without also setting 'tailable'");
        }
        if (tailable && singleBatch) {
            throw FAILED_TO_PARSE.because("Cannot use tailable option with the 'singleBatch' option");
        }
    }

    public static FindRequest parse(Fields fields) {
        OptionalInt ntoreturn = fields.count("ntoreturn"); // older drivers: a limit and a batch size in one
        fields.bool("oplogReplay", false); // without effect since MongoDB 4.4
        fields.raw("term");
        fields.raw("runtimeConstants");
        fields.raw("querySettings");
        fields.raw("includeQueryStatsMetrics");
        return new FindRequest(
                fields.database(),
                fields.collection(),
                fields.document("filter").orElse(RawDocument.EMPTY),
                fields.document("projection").orElse(RawDocument.EMPTY),
                fields.document("sort").orElse(RawDocument.EMPTY),
                fields.hint(),
                fields.countLong("skip").orElse(0),
                fields.countLong("limit").orElse(ntoreturn.orElse(0)),
                fields.count("batchSize"),
                fields.bool("singleBatch", false),
                fields.document("min").filter(bound -> !bound.isEmpty()),
                fields.document("max").filter(bound -> !bound.isEmpty()),
                fields.bool("returnKey", false),
                fields.bool("showRecordId", false),
                fields.bool("tailable", false),
                fields.bool("awaitData", false),
                fields.bool("noCursorTimeout", false),
                fields.bool("allowPartialResults", false),
                fields.document("collation").filter(collation -> !collation.isEmpty()),
                fields.document("let"),
                fields.bool("allowDiskUse", true));
    }

    /** Documents of the first batch. */
    public int firstBatch() {
        return batchSize.orElse(FIRST_BATCH);
    }

    public String namespace() {
        return database + "." + collection;
    }
}
