package io.ostraka.node.watch;

import static io.ostraka.core.error.ErrorCode.INVALID_RESUME_TOKEN;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.bson.BsonString;

/**
 * A place in the oplog, as clients keep it.
 *
 * @param time a cluster time
 * @param row the number of the row within its proposal
 */
record ResumeToken(long time, int row, Kind kind) {
    enum Kind {
        /** After a row. */
        EVENT,
        /** After the row that ended the stream. */
        INVALIDATE,
        /** After all rows up to the time. */
        HIGH_WATER
    }

    private static final byte TIMESTAMP = (byte) 0x82;
    private static final int SIZE = 14;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    static ResumeToken highWater(long time) {
        return new ResumeToken(time, 0, Kind.HIGH_WATER);
    }

    /** {@code {_data: hex}}. */
    RawDocument toRaw() {
        byte[] bytes = ByteBuffer.allocate(SIZE)
                .put(TIMESTAMP)
                .putLong(time)
                .putInt(row)
                .put((byte) kind.ordinal())
                .array();
        return new RawBuilder(64).put("_data", HEX.formatHex(bytes)).build();
    }

    /** @throws io.ostraka.core.error.CommandException 260 InvalidResumeToken for one that was not made here */
    static ResumeToken of(RawDocument token) {
        if (token.get("_data") instanceof BsonString text) {
            try {
                byte[] bytes = HEX.parseHex(text.getValue());
                if (bytes.length == SIZE && bytes[0] == TIMESTAMP && bytes[SIZE - 1] < Kind.values().length) {
                    ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, SIZE - 1);
                    return new ResumeToken(buffer.getLong(), buffer.getInt(), Kind.values()[buffer.get()]);
                }
            } catch (IllegalArgumentException noHex) {
                throw INVALID_RESUME_TOKEN.because("Bad resume token: _data is no hexadecimal text");
            }
        }
        throw INVALID_RESUME_TOKEN.because("Bad resume token: it is none of this server's");
    }
}
