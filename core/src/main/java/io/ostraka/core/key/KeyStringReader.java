package io.ostraka.core.key;

import static io.ostraka.core.check.Check.that;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Restores the values of a {@link KeyString}: the exact inverse of {@link KeyStringBuilder}. */
final class KeyStringReader {
    private final byte[] bytes;
    private final byte[] types;
    private int at;
    private int typeAt;
    private byte invert;

    private KeyStringReader(byte[] bytes, byte[] types) {
        this.bytes = bytes;
        this.types = types;
    }

    static List<BsonValue> decode(byte[] bytes, byte[] types, boolean... descending) {
        KeyStringReader reader = new KeyStringReader(bytes, types);
        List<BsonValue> values = new ArrayList<>(descending.length);
        for (boolean down : descending) {
            reader.invert = (byte) (down ? 0xFF : 0);
            values.add(reader.value());
        }
        return values;
    }

    private int next() {
        return (bytes[at++] ^ invert) & 0xFF;
    }

    private long bigEndian(int size) {
        long value = 0;
        for (int i = 0; i < size; i++) {
            value = value << 8 | next();
        }
        return value;
    }

    private byte[] take(int count) {
        byte[] taken = new byte[count];
        for (int i = 0; i < count; i++) {
            taken[i] = (byte) next();
        }
        return taken;
    }

    private int type() {
        return types.length == 0 ? 0 : types[typeAt++] & 0xFF;
    }

    private BsonValue value() {
        int code = next();
        return switch (code) {
            case KeyCode.MIN_KEY -> new BsonMinKey();
            case KeyCode.UNDEFINED -> new BsonUndefined();
            case KeyCode.NULL -> BsonNull.VALUE;
            case KeyCode.MAX_KEY -> new BsonMaxKey();
            case KeyCode.STRING -> {
                String text = text();
                yield type() == KeyCode.SYMBOL ? new BsonSymbol(text) : new BsonString(text);
            }
            case KeyCode.DOCUMENT -> document();
            case KeyCode.ARRAY -> array();
            case KeyCode.BINARY -> {
                int size = (int) bigEndian(4);
                byte subtype = (byte) next();
                yield new BsonBinary(subtype, take(size));
            }
            case KeyCode.OBJECT_ID -> new BsonObjectId(new ObjectId(take(12)));
            case KeyCode.BOOLEAN -> BsonBoolean.valueOf(next() != 0);
            case KeyCode.DATE -> new BsonDateTime(bigEndian(8) ^ Long.MIN_VALUE);
            case KeyCode.TIMESTAMP -> new BsonTimestamp(bigEndian(8));
            case KeyCode.REGEX -> {
                String pattern = name();
                yield new BsonRegularExpression(pattern, name());
            }
            case KeyCode.DB_POINTER -> dbPointer();
            case KeyCode.CODE -> new BsonJavaScript(text());
            case KeyCode.CODE_WITH_SCOPE -> {
                String text = text();
                that(next() == KeyCode.DOCUMENT, "a scope follows its code");
                yield new BsonJavaScriptWithScope(text, document());
            }
            default -> number(code);
        };
    }

    private BsonValue dbPointer() {
        byte[] raw = take((int) bigEndian(4));
        return new BsonDbPointer(
                new String(raw, 4, raw.length - 17, StandardCharsets.UTF_8),
                new ObjectId(java.util.Arrays.copyOfRange(raw, raw.length - 12, raw.length)));
    }

    private BsonDocument document() {
        BsonDocument document = new BsonDocument();
        while (next() != 0) {
            String name = name();
            document.put(name, value());
        }
        return document;
    }

    private BsonArray array() {
        BsonArray array = new BsonArray();
        while ((bytes[at] ^ invert) != 0) {
            array.add(value());
        }
        at++;
        return array;
    }

    private String name() {
        ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
        for (int b = next(); b != 0; b = next()) {
            utf8.write(b);
        }
        return utf8.toString(StandardCharsets.UTF_8);
    }

    private String text() {
        ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
        while (true) {
            int b = next();
            if (b == 0) {
                if (at >= bytes.length || (bytes[at] ^ invert) != (byte) 0xFF) {
                    return utf8.toString(StandardCharsets.UTF_8);
                }
                at++;
            }
            utf8.write(b);
        }
    }

    private BsonValue number(int code) {
        return switch (code) {
            case KeyCode.ZERO -> typed(BigDecimal.ZERO, 0.0);
            case KeyCode.NAN -> typed(null, Double.NaN);
            case KeyCode.NEGATIVE_INFINITE -> typed(null, Double.NEGATIVE_INFINITY);
            case KeyCode.POSITIVE_INFINITE -> typed(null, Double.POSITIVE_INFINITY);
            case KeyCode.NEGATIVE_LARGE -> negative(() -> floor());
            case KeyCode.POSITIVE_LARGE -> exact(floor());
            default -> {
                boolean negative = code < KeyCode.ZERO;
                int size = negative ? KeyCode.NEGATIVE_WHOLE - code : code - KeyCode.POSITIVE_WHOLE;
                that(size >= 1 && size <= 8, "a key begins with a known class byte");
                yield negative ? negative(() -> wholeAndFraction(size)) : exact(wholeAndFraction(size));
            }
        };
    }

    private BsonValue negative(java.util.function.Supplier<BigDecimal> magnitude) {
        byte before = invert;
        invert ^= (byte) 0xFF;
        BigDecimal value = magnitude.get();
        invert = before;
        return exact(value.negate());
    }

    private BigDecimal wholeAndFraction(int size) {
        long bits = bigEndian(size);
        BigDecimal whole = BigDecimal.valueOf(bits >>> 1);
        return (bits & 1) == 0 ? whole : whole.add(floor());
    }

    private BigDecimal floor() {
        double floor = Double.longBitsToDouble(bigEndian(8));
        if (next() == 0) {
            return new BigDecimal(floor);
        }
        int magnitude = (int) bigEndian(2) - KeyCode.EXPONENT_BIAS;
        return new BigDecimal(new BigInteger(1, take(15)), KeyCode.DECIMAL_DIGITS - magnitude);
    }

    private BsonValue exact(BigDecimal value) {
        return typed(value, 0);
    }

    private BsonValue typed(BigDecimal value, double special) {
        int type = type();
        return switch (type) {
            case KeyCode.INT32 -> new BsonInt32(value.intValueExact());
            case KeyCode.INT64 -> new BsonInt64(value.longValueExact());
            case KeyCode.DOUBLE -> new BsonDouble(value == null ? special : value.doubleValue());
            case KeyCode.NEGATIVE_ZERO -> new BsonDouble(-0.0);
            default -> decimal(value, special, type == KeyCode.NEGATIVE_DECIMAL_ZERO);
        };
    }

    private BsonValue decimal(BigDecimal value, double special, boolean negativeZero) {
        int high = type();
        int exponent = (high << 8 | type()) - KeyCode.EXPONENT_BIAS;
        if (value == null) {
            return new BsonDecimal128(
                    Double.isNaN(special)
                            ? Decimal128.NaN
                            : special < 0 ? Decimal128.NEGATIVE_INFINITY : Decimal128.POSITIVE_INFINITY);
        }
        BigDecimal scaled = value.signum() == 0 ? new BigDecimal(BigInteger.ZERO, -exponent) : value;
        Decimal128 decimal = new Decimal128(scaled.setScale(-exponent, RoundingMode.UNNECESSARY));
        return new BsonDecimal128(
                negativeZero
                        ? Decimal128.fromIEEE754BIDEncoding(decimal.getHigh() | Long.MIN_VALUE, decimal.getLow())
                        : decimal);
    }
}
