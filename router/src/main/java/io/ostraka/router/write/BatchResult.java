package io.ostraka.router.write;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** What a batch has done so far, as the client will be told. */
final class BatchResult {
    private final boolean counts;
    private final TreeMap<Integer, BsonDocument> errors = new TreeMap<>();
    private final TreeMap<Integer, BsonValue> upserted = new TreeMap<>();
    private final List<BsonValue> concernErrors = new ArrayList<>();
    private long matched;
    private long modified;

    /** @param counts whether {@code nModified} is told */
    BatchResult(boolean counts) {
        this.counts = counts;
    }

    void add(BsonDocument reply) {
        matched += reply.getNumber("n", new BsonInt32(0)).longValue();
        modified += reply.getNumber("nModified", new BsonInt32(0)).longValue();
        if (reply.containsKey("writeConcernError")) {
            concernErrors.add(reply.get("writeConcernError"));
        }
    }

    void upserted(int index, BsonValue id) {
        upserted.put(index, id);
    }

    /** @param error as a shard wrote it */
    void error(int index, BsonDocument error) {
        BsonDocument mine = error.clone();
        mine.put("index", new BsonInt32(index));
        errors.putIfAbsent(index, mine);
    }

    void error(int index, CommandException error) {
        BsonDocument entry = new BsonDocument("index", new BsonInt32(index))
                .append("code", new BsonInt32(error.code().number()));
        error.extra().forEach(entry::putIfAbsent);
        errors.putIfAbsent(index, entry.append("errmsg", new BsonString(error.getMessage())));
    }

    /** Whether nothing has been done and nothing has failed. */
    boolean isUntouched() {
        return matched == 0 && errors.isEmpty() && upserted.isEmpty();
    }

    boolean hasError(int index) {
        return errors.containsKey(index);
    }

    RawDocument toReply() {
        BsonDocument reply = new BsonDocument("n", number(matched));
        if (counts) {
            reply.append("nModified", number(modified));
        }
        if (!upserted.isEmpty()) {
            BsonArray all = new BsonArray();
            upserted.forEach((index, id) -> all.add(new BsonDocument("index", new BsonInt32(index)).append("_id", id)));
            reply.append("upserted", all);
        }
        if (!errors.isEmpty()) {
            reply.append("writeErrors", new BsonArray(new ArrayList<>(errors.values())));
        }
        if (!concernErrors.isEmpty()) {
            reply.append("writeConcernError", concernErrors.getFirst());
        }
        return RawDocument.of(reply);
    }

    private static BsonValue number(long value) {
        return value <= Integer.MAX_VALUE ? new BsonInt32((int) value) : new BsonInt64(value);
    }
}
