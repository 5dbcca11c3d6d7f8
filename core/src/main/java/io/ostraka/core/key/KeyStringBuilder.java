package io.ostraka.core.key;

import io.ostraka.core.bson.Bytes;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/** Writes a {@link KeyString} value by value. One thread. A builder can be ended several ways and goes on afterwards. */
public final class KeyStringBuilder {
    private byte[] bytes = new byte[32];
    private int length;
    private byte[] types = new byte[8];
    private int typesLength;
    private boolean plainTypes = true;
    private byte invert;

    /** Adds the value a cursor stands on. */
    public KeyStringBuilder add(RawCursor value, boolean descending) {
        invert = (byte) (descending ? 0xFF : 0);
        value(value);
        invert = 0;
        return this;
    }

    public KeyStringBuilder add(BsonValue value, boolean descending) {
        return add(RawCursor.of(value), descending);
    }

    /** Adds what a missing field is indexed as. */
    public KeyStringBuilder addNull(boolean descending) {
        put(descending ? ~KeyCode.NULL : KeyCode.NULL);
        return this;
    }

    /** Adds what an empty array is indexed as. */
    public KeyStringBuilder addUndefined(boolean descending) {
        put(descending ? ~KeyCode.UNDEFINED : KeyCode.UNDEFINED);
        return this;
    }

    /** Adds a 64-bit number, as of a hashed field. */
    public KeyStringBuilder addLong(long value, boolean descending) {
        invert = (byte) (descending ? 0xFF : 0);
        whole(value);
        type(KeyCode.INT64);
        invert = 0;
        return this;
    }

    /** The key of the values so far. */
    public KeyString build() {
        byte[] key = ended(KeyCode.END);
        return new KeyString(key, plainTypes ? new byte[0] : Arrays.copyOf(types, typesLength));
    }

    /** Bytes that sort before every key that begins with the values so far, and after every smaller one. */
    public byte[] before() {
        return ended(KeyCode.BEFORE);
    }

    /** Bytes that sort after every key that begins with the values so far, and before every greater one. */
    public byte[] after() {
        return ended(KeyCode.AFTER);
    }

    /** A builder with the same values that goes on by itself. */
    public KeyStringBuilder copy() {
        KeyStringBuilder copy = new KeyStringBuilder();
        copy.bytes = bytes.clone();
        copy.length = length;
        copy.types = types.clone();
        copy.typesLength = typesLength;
        copy.plainTypes = plainTypes;
        return copy;
    }

    private byte[] ended(int end) {
        byte[] key = Arrays.copyOf(bytes, length + 1);
        key[length] = (byte) end;
        return key;
    }

    private void put(int b) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = (byte) (b ^ invert);
    }

    private void put(byte[] from, int at, int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(length * 2, length + count));
        }
        for (int i = 0; i < count; i++) {
            bytes[length++] = (byte) (from[at + i] ^ invert);
        }
    }

    private void putBigEndian(long value, int size) {
        for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
            put((int) (value >>> shift));
        }
    }

    private void type(int bits) {
        if (typesLength == types.length) {
            types = Arrays.copyOf(types, typesLength * 2);
        }
        types[typesLength++] = (byte) bits;
        plainTypes &= bits == 0;
    }

    private void value(RawCursor value) {
        byte[] from = value.array();
        int at = value.valueOffset();
        switch (value.typeByte()) {
            case -1 -> put(KeyCode.MIN_KEY);
            case 0x06 -> put(KeyCode.UNDEFINED);
            case 0x0A -> put(KeyCode.NULL);
            case 0x7F -> put(KeyCode.MAX_KEY);
            case 0x10 -> {
                whole(value.int32());
                type(KeyCode.INT32);
            }
            case 0x12 -> {
                whole(value.int64());
                type(KeyCode.INT64);
            }
            case 0x01 -> real(value.float64());
            case 0x13 -> decimal(value.value().asDecimal128().getValue());
            case 0x02, 0x0E -> {
                put(KeyCode.STRING);
                type(value.typeByte() == 0x02 ? KeyCode.PLAIN_STRING : KeyCode.SYMBOL);
                text(from, at);
            }
            case 0x03 -> document(value.document());
            case 0x04 -> {
                put(KeyCode.ARRAY);
                RawCursor element = value.document().cursor();
                while (element.next()) {
                    value(element);
                }
                put(0);
            }
            case 0x05 -> {
                put(KeyCode.BINARY);
                putBigEndian(Bytes.getInt(from, at), 4);
                put(from, at + 4, value.valueSize() - 4);
            }
            case 0x07 -> fixed(KeyCode.OBJECT_ID, value);
            case 0x08 -> fixed(KeyCode.BOOLEAN, value);
            case 0x09 -> {
                put(KeyCode.DATE);
                putBigEndian(value.int64() ^ Long.MIN_VALUE, 8);
            }
            case 0x11 -> {
                put(KeyCode.TIMESTAMP);
                putBigEndian(value.int64(), 8);
            }
            case 0x0B -> fixed(KeyCode.REGEX, value);
            case 0x0C -> {
                put(KeyCode.DB_POINTER);
                putBigEndian(value.valueSize(), 4);
                put(from, at, value.valueSize());
            }
            case 0x0D -> {
                put(KeyCode.CODE);
                text(from, at);
            }
            case 0x0F -> {
                put(KeyCode.CODE_WITH_SCOPE);
                text(from, at + 4);
                document(RawDocument.at(from, at + 8 + Bytes.getInt(from, at + 4)));
            }
            default -> throw new IllegalStateException("BSON type " + value.typeByte() + " passed the check");
        }
    }

    private void fixed(int code, RawCursor value) {
        put(code);
        put(value.array(), value.valueOffset(), value.valueSize());
    }

    private void text(byte[] from, int at) {
        int size = Bytes.getInt(from, at) - 1;
        for (int i = at + 4; i < at + 4 + size; i++) {
            put(from[i]);
            if (from[i] == 0) {
                put(0xFF);
            }
        }
        put(0);
    }

    private void document(RawDocument document) {
        put(KeyCode.DOCUMENT);
        RawCursor element = document.cursor();
        while (element.next()) {
            put(ValueOrder.canonicalType(element.typeByte()) + 2); // never 0, which ends the document
            put(element.array(), element.nameOffset(), element.nameLength() + 1);
            value(element);
        }
        put(0);
    }

    private void whole(long value) {
        if (value == 0) {
            put(KeyCode.ZERO);
        } else if (value == Long.MIN_VALUE) {
            large(true, 0x1p63, null);
        } else {
            wholePart(value < 0, Math.abs(value), false);
        }
    }

    /** The whole part below 2^63, with a last bit that says whether a fraction follows. */
    private void wholePart(boolean negative, long magnitude, boolean fraction) {
        long bits = magnitude << 1 | (fraction ? 1 : 0);
        int size = Math.max(1, (64 - Long.numberOfLeadingZeros(bits) + 7) / 8);
        put(negative ? KeyCode.NEGATIVE_WHOLE - size : KeyCode.POSITIVE_WHOLE + size);
        byte before = invert;
        invert ^= (byte) (negative ? 0xFF : 0);
        putBigEndian(bits, size);
        invert = before;
    }

    private void real(double value) {
        if (value == 0) {
            put(KeyCode.ZERO);
            type(Double.doubleToRawLongBits(value) < 0 ? KeyCode.NEGATIVE_ZERO : KeyCode.DOUBLE);
            return;
        }
        type(KeyCode.DOUBLE);
        if (special(Double.isNaN(value), Double.isInfinite(value), value < 0)) {
            return;
        }
        double magnitude = Math.abs(value);
        if (magnitude >= 0x1p63) {
            large(value < 0, magnitude, null);
            return;
        }
        long whole = (long) magnitude;
        double fraction = magnitude - whole;
        wholePart(value < 0, whole, fraction != 0);
        if (fraction != 0) {
            floor(value < 0, fraction, null);
        }
    }

    private boolean special(boolean nan, boolean infinite, boolean negative) {
        if (nan) {
            put(KeyCode.NAN);
        } else if (infinite) {
            put(negative ? KeyCode.NEGATIVE_INFINITE : KeyCode.POSITIVE_INFINITE);
        }
        return nan || infinite;
    }

    private void large(boolean negative, double floor, BigDecimal exact) {
        put(negative ? KeyCode.NEGATIVE_LARGE : KeyCode.POSITIVE_LARGE);
        floor(negative, floor, exact);
    }

    /** The greatest double not above a magnitude, and the exact magnitude where that is not it. */
    private void floor(boolean negative, double floor, BigDecimal exact) {
        byte before = invert;
        invert ^= (byte) (negative ? 0xFF : 0);
        putBigEndian(Double.doubleToRawLongBits(floor), 8);
        put(exact == null ? 0 : 1);
        if (exact != null) {
            putBigEndian(exact.precision() - exact.scale() + KeyCode.EXPONENT_BIAS, 2);
            BigInteger digits =
                    exact.unscaledValue().multiply(BigInteger.TEN.pow(KeyCode.DECIMAL_DIGITS - exact.precision()));
            byte[] big = digits.toByteArray();
            for (int i = big.length; i < 15; i++) {
                put(0);
            }
            put(big, 0, big.length);
        }
        invert = before;
    }

    private void decimal(Decimal128 value) {
        boolean finite = !value.isNaN() && !value.isInfinite();
        BigDecimal exact = finite ? ValueOrder.exactValue(value) : BigDecimal.ZERO;
        boolean negative = value.isNegative();
        boolean zero = finite && exact.signum() == 0;
        type(zero && negative ? KeyCode.NEGATIVE_DECIMAL_ZERO : KeyCode.DECIMAL);
        int exponent = KeyCode.EXPONENT_BIAS - exact.scale();
        type(exponent >> 8);
        type(exponent);
        if (zero) {
            put(KeyCode.ZERO);
        } else if (!special(value.isNaN(), value.isInfinite(), negative)) {
            finite(negative, exact.abs());
        }
    }

    private void finite(boolean negative, BigDecimal magnitude) {
        int digits = magnitude.precision() - magnitude.scale();
        if (digits > 20) {
            largeDecimal(negative, magnitude);
            return;
        }
        BigInteger whole = digits <= 0 ? BigInteger.ZERO : magnitude.toBigInteger();
        if (whole.bitLength() > 63) {
            largeDecimal(negative, magnitude);
            return;
        }
        BigDecimal fraction = digits <= 0 ? magnitude : magnitude.subtract(new BigDecimal(whole));
        wholePart(negative, whole.longValue(), fraction.signum() != 0);
        if (fraction.signum() != 0) {
            double floor = floorOf(fraction);
            floor(negative, floor, new BigDecimal(floor).compareTo(fraction) == 0 ? null : fraction);
        }
    }

    private void largeDecimal(boolean negative, BigDecimal magnitude) {
        double floor = floorOf(magnitude);
        large(negative, floor, new BigDecimal(floor).compareTo(magnitude) == 0 ? null : magnitude);
    }

    private static double floorOf(BigDecimal magnitude) {
        double near = magnitude.doubleValue();
        if (Double.isInfinite(near)) {
            return Double.MAX_VALUE;
        }
        return new BigDecimal(near).compareTo(magnitude) > 0 ? Math.nextDown(near) : near;
    }
}
