package io.ostraka.core.key;

import io.ostraka.core.bson.Bytes;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * MongoDB's hash of a value, by which hashed indexes and hashed shard keys order documents. Part of the protocol:
 * clients and tools compute it too.
 *
 * <p>MD5 over a seed and the value's canonical form; numbers are cut to whole ones first, so 1, 1.0 and 1.9 collide.
 */
public final class HashedValue {
    /** What a missing field hashes to: the same as null. */
    public static final long MISSING = of(BsonNull.VALUE);

    private HashedValue() {}

    public static long of(BsonValue value) {
        return of(RawCursor.of(value));
    }

    /** The hash of the value a cursor stands on. */
    public static long of(RawCursor value) {
        MessageDigest digest = md5();
        putInt(digest, 0);
        add(digest, value, false);
        return Bytes.getLong(digest.digest(), 0);
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    private static void add(MessageDigest digest, RawCursor value, boolean named) {
        putInt(digest, ValueOrder.canonicalType(value.typeByte()));
        if (named) {
            digest.update(value.array(), value.nameOffset(), value.nameLength() + 1);
        }
        switch (value.typeByte()) {
            case 0x01 -> putLong(digest, whole(value.float64()));
            case 0x10 -> putLong(digest, value.int32());
            case 0x12 -> putLong(digest, value.int64());
            case 0x13 -> putLong(digest, whole(value.value().asDecimal128().getValue()));
            case 0x03, 0x04 -> addAll(digest, value.document());
            case 0x0F -> {
                int codeAt = value.valueOffset() + 8;
                int codeLength = Bytes.getInt(value.array(), value.valueOffset() + 4);
                digest.update(value.array(), codeAt, codeLength);
                addAll(digest, RawDocument.at(value.array(), codeAt + codeLength));
            }
            default -> digest.update(value.array(), value.valueOffset(), value.valueSize());
        }
    }

    private static void addAll(MessageDigest digest, RawDocument document) {
        RawCursor element = document.cursor();
        while (element.next()) {
            add(digest, element, true);
        }
        putInt(digest, 0);
        digest.update((byte) 0);
    }

    private static long whole(double value) {
        // The one value past the range that does not stop at its end: a published oddity of the hash.
        return value == 0x1p63 ? Long.MIN_VALUE : (long) value;
    }

    private static long whole(Decimal128 value) {
        if (value.isNaN()) {
            return 0;
        }
        if (value.isInfinite()) {
            return value.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        BigDecimal exact = ValueOrder.exactValue(value);
        if (exact.precision() - exact.scale() > 20) {
            return exact.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        if (exact.precision() - exact.scale() < 0) {
            return 0;
        }
        BigInteger whole = exact.toBigInteger();
        return whole.bitLength() < 64 ? whole.longValue() : whole.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    private static void putInt(MessageDigest digest, int value) {
        byte[] bytes = new byte[4];
        Bytes.putInt(bytes, 0, value);
        digest.update(bytes);
    }

    private static void putLong(MessageDigest digest, long value) {
        byte[] bytes = new byte[8];
        Bytes.putLong(bytes, 0, value);
        digest.update(bytes);
    }
}
