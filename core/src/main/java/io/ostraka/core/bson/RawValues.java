package io.ostraka.core.bson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** Decodes single values: the common types by hand, the rest by the library. */
final class RawValues {
    private RawValues() {}

    static BsonValue decode(byte[] bytes, byte type, int at, int size) {
        return switch (type) {
            case 0x01 -> new BsonDouble(Bytes.getDouble(bytes, at));
            case 0x02 -> new BsonString(new String(bytes, at + 4, Bytes.getInt(bytes, at) - 1, StandardCharsets.UTF_8));
            case 0x03 -> RawDocument.at(bytes, at).toBson();
            case 0x04 -> array(bytes, at);
            case 0x05 ->
                bytes[at + 4] == RawBuilder.OLD_BINARY
                        ? byLibrary(bytes, type, at, size)
                        : new BsonBinary(bytes[at + 4], Arrays.copyOfRange(bytes, at + 5, at + size));
            case 0x07 -> new BsonObjectId(new ObjectId(Arrays.copyOfRange(bytes, at, at + 12)));
            case 0x08 -> BsonBoolean.valueOf(bytes[at] != 0);
            case 0x09 -> new BsonDateTime(Bytes.getLong(bytes, at));
            case 0x0A -> BsonNull.VALUE;
            case 0x10 -> new BsonInt32(Bytes.getInt(bytes, at));
            case 0x11 -> new BsonTimestamp(Bytes.getLong(bytes, at));
            case 0x12 -> new BsonInt64(Bytes.getLong(bytes, at));
            default -> byLibrary(bytes, type, at, size);
        };
    }

    private static BsonArray array(byte[] bytes, int at) {
        BsonArray array = new BsonArray();
        RawCursor cursor = RawDocument.at(bytes, at).cursor();
        while (cursor.next()) {
            array.add(cursor.value());
        }
        return array;
    }

    private static BsonValue byLibrary(byte[] bytes, byte type, int at, int size) {
        byte[] document = new byte[size + 8];
        Bytes.putInt(document, 0, document.length);
        document[4] = type;
        document[5] = 'v';
        System.arraycopy(bytes, at, document, 7, size);
        return RawDocument.of(document).toBson().get("v");
    }
}
