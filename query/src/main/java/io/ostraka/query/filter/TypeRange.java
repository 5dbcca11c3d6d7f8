package io.ostraka.query.filter;

import io.ostraka.core.bson.ValueOrder;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonType;
import org.bson.types.ObjectId;

/** All values a comparison can reach: those whose type ranks as the operand's does. */
final class TypeRange {
    private TypeRange() {}

    /** May reach too far, for the rare types. */
    static Interval of(BsonType type) {
        return switch (ValueOrder.canonicalType(type)) {
            case 5 -> Interval.point(BsonNull.VALUE);
            case 10 -> Interval.closed(new BsonDouble(Double.NaN), new BsonDouble(Double.POSITIVE_INFINITY));
            case 15 -> Interval.upTo(new BsonString(""), new BsonDocument());
            case 20 -> Interval.upTo(new BsonDocument(), new BsonArray());
            case 25 -> Interval.upTo(new BsonArray(), new BsonBinary((byte) 0, new byte[0]));
            case 30 ->
                Interval.upTo(new BsonBinary((byte) 0, new byte[0]), new BsonObjectId(new ObjectId(new byte[12])));
            case 35 -> Interval.upTo(new BsonObjectId(new ObjectId(new byte[12])), BsonBoolean.FALSE);
            case 40 -> Interval.closed(BsonBoolean.FALSE, BsonBoolean.TRUE);
            case 45 -> Interval.closed(new BsonDateTime(Long.MIN_VALUE), new BsonDateTime(Long.MAX_VALUE));
            case 47 -> Interval.closed(new BsonTimestamp(0), new BsonTimestamp(-1));
            case 50 -> new Interval(new BsonRegularExpression(""), true, Interval.ALL.high(), false);
            default -> Interval.ALL;
        };
    }
}
