package io.ostraka.core.key;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.bson.BsonValue;

/**
 * One or more values as bytes that sort (unsigned) as {@link io.ostraka.core.bson.ValueOrder} does, each ascending or
 * descending, and beside them the type bits with which the exact values are restored. Equal values have equal bytes
 * and may have different type bits.
 *
 * <p>The bytes are specified in the package page. Immutable by agreement: nobody writes to the arrays.
 *
 * @param bytes what sorts
 * @param typeBits what does not sort: empty where every number is an int32 and every text a string
 */
public record KeyString(byte[] bytes, byte[] typeBits) implements Comparable<KeyString> {
    /** Begins a key. */
    public static KeyStringBuilder builder() {
        return new KeyStringBuilder();
    }

    /** The key of values, all ascending. */
    public static KeyString of(BsonValue... values) {
        KeyStringBuilder builder = builder();
        for (BsonValue value : values) {
            builder.add(value, false);
        }
        return builder.build();
    }

    /**
     * Restores the values.
     *
     * @param descending one per value, as they were added
     */
    public List<BsonValue> decode(boolean... descending) {
        return KeyStringReader.decode(bytes, typeBits, descending);
    }

    @Override
    public int compareTo(KeyString other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    /** Equal where the values are equal; type bits do not count. */
    @Override
    public boolean equals(Object other) {
        return other instanceof KeyString that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
