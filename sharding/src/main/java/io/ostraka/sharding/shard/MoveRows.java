package io.ostraka.sharding.shard;

import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** The names and the shared fields of a shard's stored moves. */
public final class MoveRows {
    /** Moves out of this shard: {@code {_id, ns, uuid, min, max, state, plan, documents, bytes ...}}. */
    public static final Namespace DONATIONS = new Namespace("config", "donations");
    /** Moves to this shard: the same fields, and how far they are. */
    public static final Namespace RECEIPTS = new Namespace("config", "receipts");
    /** Ranges to clean up: {@code {_id, ns, uuid, min, max, notBefore}}. */
    public static final Namespace RANGE_DELETIONS = new Namespace("config", "rangeDeletions");

    private MoveRows() {}

    /** The fields that say what is moved; the bounds are key bytes. */
    public static BsonDocument of(UUID plan, Namespace namespace, UUID collection, KeyRange range) {
        return new BsonDocument("_id", new BsonBinary(plan))
                .append("ns", new BsonString(namespace.toString()))
                .append("uuid", new BsonBinary(collection))
                .append("min", new BsonBinary(range.min()))
                .append("max", new BsonBinary(range.max()))
                .append("documents", new BsonInt64(0))
                .append("bytes", new BsonInt64(0));
    }

    public static KeyRange range(BsonDocument row) {
        return new KeyRange(row.getBinary("min").getData(), row.getBinary("max").getData());
    }

    public static UUID uuid(BsonDocument row) {
        return row.getBinary("uuid").asUuid();
    }

    public static Namespace namespace(BsonDocument row) {
        return Namespace.parse(row.getString("ns").getValue());
    }

    public static String state(BsonDocument row) {
        return row.getString("state").getValue();
    }

    public static long documents(BsonDocument row) {
        return row.getInt64("documents").getValue();
    }

    public static long bytes(BsonDocument row) {
        return row.getInt64("bytes").getValue();
    }

    /** A copy in another state. */
    public static BsonDocument in(BsonDocument row, String state) {
        BsonDocument copy = row.clone();
        copy.put("state", new BsonString(state));
        return copy;
    }
}
