package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;
import static io.ostraka.core.error.ErrorCode.DOLLAR_PREFIXED_FIELD_NAME;
import static io.ostraka.core.error.ErrorCode.INVALID_ID_FIELD;

import io.ostraka.core.bson.BsonCheck;
import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Ids;
import java.util.function.LongSupplier;
import org.bson.BsonObjectId;
import org.bson.BsonTimestamp;

/** A client's document made ready to be stored: {@code _id} first, made if it is missing; empty timestamps filled. */
final class NewDocument {
    /** The largest document a client may store. */
    static final int MAX_BYTES = 16 << 20;

    private static final byte TIMESTAMP = 0x11;

    private NewDocument() {}

    /**
     * @param timestamp gives the leader's reading, for top-level timestamps of zero
     * @throws io.ostraka.core.error.CommandException 10334, 15, 53, 2 or 52
     */
    static RawDocument prepare(RawDocument document, Ids ids, LongSupplier timestamp) {
        checkSize(document);
        BsonCheck.depth(document, BsonCheck.MAX_DEPTH);
        RawCursor cursor = document.cursor();
        RawCursor id = document.find("_id");
        if (id != null) {
            checkId(id);
        }
        boolean idFirst = cursor.next() && cursor.nameEquals("_id");
        if (idFirst && !hasEmptyTimestamp(document)) {
            return document.compact();
        }
        RawBuilder builder = new RawBuilder(document.size() + 24);
        if (id == null) {
            builder.put("_id", new BsonObjectId(ids.objectId()));
        } else {
            builder.element(id);
        }
        boolean idSeen = false;
        cursor = document.cursor();
        while (cursor.next()) {
            if (cursor.nameEquals("_id") && !idSeen) {
                idSeen = true;
            } else if (isEmptyTimestamp(cursor)) {
                builder.put(cursor.name(), new BsonTimestamp(timestamp.getAsLong()));
            } else {
                builder.element(cursor);
            }
        }
        return builder.build();
    }

    static void checkSize(RawDocument document) {
        if (document.size() > MAX_BYTES) {
            throw BSON_OBJECT_TOO_LARGE.because(
                    "object to insert too large. size in bytes: %d, max size: %d", document.size(), MAX_BYTES);
        }
    }

    /** What {@code _id} may be. */
    static void checkId(RawCursor id) {
        switch (id.type()) {
            case ARRAY -> throw INVALID_ID_FIELD.because("The '_id' value cannot be of type array");
            case REGULAR_EXPRESSION -> throw INVALID_ID_FIELD.because("The '_id' value cannot be of type regex");
            case UNDEFINED -> throw BAD_VALUE.because("The '_id' value cannot be of type undefined");
            case DOCUMENT -> {
                RawCursor inner = id.document().cursor();
                while (inner.next()) {
                    if (inner.nameLength() > 0 && inner.array()[inner.nameOffset()] == '$') {
                        throw DOLLAR_PREFIXED_FIELD_NAME.because(
                                "_id fields may not contain '$'-prefixed fields: %s is not valid for storage.",
                                inner.name());
                    }
                }
            }
            default -> {}
        }
    }

    private static boolean hasEmptyTimestamp(RawDocument document) {
        RawCursor cursor = document.cursor();
        while (cursor.next()) {
            if (isEmptyTimestamp(cursor)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEmptyTimestamp(RawCursor cursor) {
        return cursor.typeByte() == TIMESTAMP && cursor.int64() == 0 && !cursor.nameEquals("_id");
    }
}
