package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Fields;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonValue;

/**
 * The words of the commands about the plan cache.
 *
 * @param query with {@code sort}, {@code projection} and {@code collation} the shape of queries that is meant
 * @param indexes those the shape may use
 */
public record PlanCacheRequest(
        String database,
        String collection,
        Optional<RawDocument> query,
        Optional<RawDocument> sort,
        Optional<RawDocument> projection,
        Optional<RawDocument> collation,
        Optional<BsonArray> indexes) {
    private static BsonArray array(BsonValue value) {
        if (!value.isArray()) {
            throw BAD_VALUE.because("required field indexes must be an array");
        }
        return value.asArray();
    }

    public static PlanCacheRequest parse(Fields fields) {
        return new PlanCacheRequest(
                fields.database(),
                fields.collection(),
                fields.document("query"),
                fields.document("sort"),
                fields.document("projection"),
                fields.document("collation"),
                fields.value("indexes").map(PlanCacheRequest::array));
    }
}
