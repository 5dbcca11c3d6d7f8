package io.ostraka.core.bson;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * The order of BSON values: by canonical type first, then within the type. Numbers of all four types compare exactly
 * and are equal where their values are; NaN is the smallest number and -0 equals 0. Strings compare by their UTF-8
 * bytes, documents field by field (type, name, value), arrays element by element.
 *
 * <p>{@link io.ostraka.core.key.KeyString} encodes the same order as bytes; a test holds the two together.
 */
public final class ValueOrder implements Comparator<BsonValue> {
    /** The one instance. */
    public static final ValueOrder ORDER = new ValueOrder();

    private ValueOrder() {}

    /** The rank of a type among types; types of equal rank compare by value. */
    public static int canonicalType(byte type) {
        return switch (type) {
            case -1 -> -1;
            case 0x06 -> 0;
            case 0x0A -> 5;
            case 0x01, 0x10, 0x12, 0x13 -> 10;
            case 0x02, 0x0E -> 15;
            case 0x03 -> 20;
            case 0x04 -> 25;
            case 0x05 -> 30;
            case 0x07 -> 35;
            case 0x08 -> 40;
            case 0x09 -> 45;
            case 0x11 -> 47;
            case 0x0B -> 50;
            case 0x0C -> 55;
            case 0x0D -> 60;
            case 0x0F -> 65;
            case 0x7F -> 127;
            default -> throw new IllegalStateException("BSON type " + type + " passed the check");
        };
    }

    /** The rank of a type among types. */
    public static int canonicalType(BsonType type) {
        return canonicalType(type == BsonType.MIN_KEY ? -1 : (byte) type.getValue());
    }

    /** Whether two values are equal in this order: 1 and 1.0 are. */
    public static boolean equal(BsonValue one, BsonValue other) {
        return ORDER.compare(one, other) == 0;
    }

    @Override
    public int compare(BsonValue one, BsonValue other) {
        int byType = Integer.compare(canonicalType(one.getBsonType()), canonicalType(other.getBsonType()));
        if (byType != 0) {
            return byType;
        }
        return switch (one.getBsonType()) {
            case MIN_KEY, MAX_KEY, NULL, UNDEFINED, END_OF_DOCUMENT -> 0;
            case INT32, INT64, DOUBLE, DECIMAL128 -> compareNumbers(one, other);
            case STRING, SYMBOL -> compareText(text(one), text(other));
            case DOCUMENT -> compareDocuments(one.asDocument(), other.asDocument());
            case ARRAY -> compareArrays(one, other);
            case BINARY -> compareBinary(one.asBinary(), other.asBinary());
            case OBJECT_ID ->
                one.asObjectId().getValue().compareTo(other.asObjectId().getValue());
            case BOOLEAN ->
                Boolean.compare(one.asBoolean().getValue(), other.asBoolean().getValue());
            case DATE_TIME ->
                Long.compare(one.asDateTime().getValue(), other.asDateTime().getValue());
            case TIMESTAMP ->
                Long.compareUnsigned(
                        one.asTimestamp().getValue(), other.asTimestamp().getValue());
            case REGULAR_EXPRESSION -> compareRegex(one.asRegularExpression(), other.asRegularExpression());
            case JAVASCRIPT ->
                compareText(one.asJavaScript().getCode(), other.asJavaScript().getCode());
            case DB_POINTER, JAVASCRIPT_WITH_SCOPE -> compare(RawCursor.of(one), RawCursor.of(other));
        };
    }

    private static String text(BsonValue value) {
        return value.isString() ? value.asString().getValue() : value.asSymbol().getSymbol();
    }

    private static int compareRegex(BsonRegularExpression one, BsonRegularExpression other) {
        int byPattern = compareText(one.getPattern(), other.getPattern());
        return byPattern != 0 ? byPattern : compareText(one.getOptions(), other.getOptions());
    }

    private static int compareBinary(BsonBinary one, BsonBinary other) {
        int byLength = Integer.compare(one.getData().length, other.getData().length);
        if (byLength != 0) {
            return byLength;
        }
        int bySubtype = Integer.compare(one.getType() & 0xFF, other.getType() & 0xFF);
        return bySubtype != 0 ? bySubtype : Arrays.compareUnsigned(one.getData(), other.getData());
    }

    private int compareDocuments(BsonDocument one, BsonDocument other) {
        Iterator<Map.Entry<String, BsonValue>> ones = one.entrySet().iterator();
        Iterator<Map.Entry<String, BsonValue>> others = other.entrySet().iterator();
        while (ones.hasNext() && others.hasNext()) {
            Map.Entry<String, BsonValue> left = ones.next();
            Map.Entry<String, BsonValue> right = others.next();
            int order = Integer.compare(
                    canonicalType(left.getValue().getBsonType()),
                    canonicalType(right.getValue().getBsonType()));
            if (order == 0) {
                order = compareText(left.getKey(), right.getKey());
            }
            if (order == 0) {
                order = compare(left.getValue(), right.getValue());
            }
            if (order != 0) {
                return order;
            }
        }
        return Boolean.compare(ones.hasNext(), others.hasNext());
    }

    private int compareArrays(BsonValue one, BsonValue other) {
        Iterator<BsonValue> ones = one.asArray().iterator();
        Iterator<BsonValue> others = other.asArray().iterator();
        while (ones.hasNext() && others.hasNext()) {
            int order = compare(ones.next(), others.next());
            if (order != 0) {
                return order;
            }
        }
        return Boolean.compare(ones.hasNext(), others.hasNext());
    }

    /** Compares as the UTF-8 bytes would: by code points, which UTF-16 units do not follow above U+D7FF. */
    public static int compareText(String one, String other) {
        int common = Math.min(one.length(), other.length());
        for (int i = 0; i < common; i++) {
            char left = one.charAt(i);
            char right = other.charAt(i);
            if (left != right) {
                if (Character.isSurrogate(left) != Character.isSurrogate(right)) {
                    return Character.isSurrogate(left) ? 1 : -1;
                }
                return Character.compare(left, right);
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    /** Compares two numbers of any types exactly. */
    public static int compareNumbers(BsonValue one, BsonValue other) {
        if (one.isDecimal128() || other.isDecimal128()) {
            return compareDecimals(decimal(one), decimal(other));
        }
        if (one.isDouble()) {
            double left = one.asDouble().getValue();
            return other.isDouble()
                    ? compareDoubles(left, other.asDouble().getValue())
                    : -compareLongToDouble(other.asNumber().longValue(), left);
        }
        long left = one.asNumber().longValue();
        return other.isDouble()
                ? compareLongToDouble(left, other.asDouble().getValue())
                : Long.compare(left, other.asNumber().longValue());
    }

    private static int compareDoubles(double one, double other) {
        if (one < other) {
            return -1;
        }
        if (one > other) {
            return 1;
        }
        return Boolean.compare(Double.isNaN(other), Double.isNaN(one));
    }

    private static int compareLongToDouble(long one, double other) {
        if (Double.isNaN(other)) {
            return 1;
        }
        if (other >= 0x1p63) {
            return -1;
        }
        if (other < -0x1p63) {
            return 1;
        }
        long whole = (long) other;
        int order = Long.compare(one, whole);
        return order != 0 ? order : Double.compare(0.0, other - whole + 0.0);
    }

    /** Either a special value, by rank (NaN 0, -∞ 1, finite 2, ∞ 3), or a finite one. */
    private record Exact(int rank, BigDecimal value) {}

    private static Exact decimal(BsonValue number) {
        return switch (number.getBsonType()) {
            case INT32, INT64 ->
                new Exact(2, BigDecimal.valueOf(number.asNumber().longValue()));
            case DOUBLE -> decimal(number.asDouble().getValue());
            default -> decimal(number.asDecimal128().getValue());
        };
    }

    private static Exact decimal(double value) {
        if (Double.isNaN(value)) {
            return new Exact(0, BigDecimal.ZERO);
        }
        if (Double.isInfinite(value)) {
            return new Exact(value < 0 ? 1 : 3, BigDecimal.ZERO);
        }
        return new Exact(2, new BigDecimal(value));
    }

    private static Exact decimal(Decimal128 value) {
        if (value.isNaN()) {
            return new Exact(0, BigDecimal.ZERO);
        }
        if (value.isInfinite()) {
            return new Exact(value.isNegative() ? 1 : 3, BigDecimal.ZERO);
        }
        return new Exact(2, exactValue(value));
    }

    /** The value of a finite Decimal128 with its scale; that of -0 is 0. */
    public static BigDecimal exactValue(Decimal128 value) {
        if (!value.isNegative()) {
            return value.bigDecimalValue();
        }
        return Decimal128.fromIEEE754BIDEncoding(value.getHigh() & Long.MAX_VALUE, value.getLow())
                .bigDecimalValue()
                .negate();
    }

    private static int compareDecimals(Exact one, Exact other) {
        int byRank = Integer.compare(one.rank, other.rank);
        return byRank != 0 ? byRank : one.value.compareTo(other.value);
    }

    /** Compares the values two cursors stand on; names do not matter. */
    public static int compare(RawCursor one, RawCursor other) {
        byte type = one.typeByte();
        int rank = canonicalType(type);
        int byType = Integer.compare(rank, canonicalType(other.typeByte()));
        if (byType != 0) {
            return byType;
        }
        byte[] left = one.array();
        byte[] right = other.array();
        int leftAt = one.valueOffset();
        int rightAt = other.valueOffset();
        return switch (type) {
            case 0x01, 0x10, 0x12, 0x13 -> compareNumbers(one, other);
            case 0x02, 0x0D, 0x0E -> compareStrings(left, leftAt, right, rightAt);
            case 0x03 -> compareFields(one.document(), other.document(), true);
            case 0x04 -> compareFields(one.document(), other.document(), false);
            case 0x05 -> {
                int byLength = Integer.compare(Bytes.getInt(left, leftAt), Bytes.getInt(right, rightAt));
                yield byLength != 0 ? byLength : compareBytes(one, other, 4);
            }
            case 0x07, 0x08, 0x0B -> compareBytes(one, other, 0);
            case 0x0C -> {
                int bySize = Integer.compare(one.valueSize(), other.valueSize());
                yield bySize != 0 ? bySize : compareBytes(one, other, 0);
            }
            case 0x09 -> Long.compare(one.int64(), other.int64());
            case 0x11 -> Long.compareUnsigned(one.int64(), other.int64());
            case 0x0F -> compareCodeWithScope(left, leftAt, right, rightAt);
            default -> 0;
        };
    }

    private static int compareNumbers(RawCursor one, RawCursor other) {
        if (one.typeByte() == 0x10 && other.typeByte() == 0x10) {
            return Integer.compare(one.int32(), other.int32());
        }
        if (one.typeByte() == 0x01 && other.typeByte() == 0x01) {
            return compareDoubles(one.float64(), other.float64());
        }
        if (one.typeByte() == 0x13 || other.typeByte() == 0x13) {
            return compareNumbers(one.value(), other.value());
        }
        if (one.typeByte() == 0x01) {
            return -compareLongToDouble(whole(other), one.float64());
        }
        return other.typeByte() == 0x01
                ? compareLongToDouble(whole(one), other.float64())
                : Long.compare(whole(one), whole(other));
    }

    private static long whole(RawCursor cursor) {
        return cursor.typeByte() == 0x10 ? cursor.int32() : cursor.int64();
    }

    private static int compareStrings(byte[] left, int leftAt, byte[] right, int rightAt) {
        return Arrays.compareUnsigned(
                left,
                leftAt + 4,
                leftAt + 3 + Bytes.getInt(left, leftAt),
                right,
                rightAt + 4,
                rightAt + 3 + Bytes.getInt(right, rightAt));
    }

    private static int compareBytes(RawCursor one, RawCursor other, int skip) {
        int left = one.valueOffset();
        int right = other.valueOffset();
        return Arrays.compareUnsigned(
                one.array(),
                left + skip,
                left + one.valueSize(),
                other.array(),
                right + skip,
                right + other.valueSize());
    }

    private static int compareCodeWithScope(byte[] left, int leftAt, byte[] right, int rightAt) {
        int byCode = compareStrings(left, leftAt + 4, right, rightAt + 4);
        return byCode != 0
                ? byCode
                : compareFields(
                        RawDocument.at(left, leftAt + 8 + Bytes.getInt(left, leftAt + 4)),
                        RawDocument.at(right, rightAt + 8 + Bytes.getInt(right, rightAt + 4)),
                        true);
    }

    private static int compareFields(RawDocument one, RawDocument other, boolean named) {
        RawCursor left = one.cursor();
        RawCursor right = other.cursor();
        while (true) {
            boolean hasLeft = left.next();
            boolean hasRight = right.next();
            if (!hasLeft || !hasRight) {
                return Boolean.compare(hasLeft, hasRight);
            }
            int order = Integer.compare(canonicalType(left.typeByte()), canonicalType(right.typeByte()));
            if (order == 0 && named) {
                order = Arrays.compareUnsigned(
                        left.array(),
                        left.nameOffset(),
                        left.nameOffset() + left.nameLength(),
                        right.array(),
                        right.nameOffset(),
                        right.nameOffset() + right.nameLength());
            }
            if (order == 0) {
                order = compare(left, right);
            }
            if (order != 0) {
                return order;
            }
        }
    }
}
