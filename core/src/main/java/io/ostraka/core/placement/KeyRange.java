package io.ostraka.core.placement;

import io.ostraka.core.check.Check;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A range of shard-key bytes, lower end in, upper end out.
 *
 * @param min a KeyString; not to be written to
 * @param max a KeyString above min; not to be written to
 */
public record KeyRange(byte[] min, byte[] max) implements Comparable<KeyRange> {
    public KeyRange {
        Check.that(Arrays.compareUnsigned(min, max) < 0, "a range's lower end is below its upper end");
    }

    public boolean contains(byte[] key) {
        return Arrays.compareUnsigned(min, key) <= 0 && Arrays.compareUnsigned(key, max) < 0;
    }

    public boolean overlaps(KeyRange other) {
        return Arrays.compareUnsigned(min, other.max) < 0 && Arrays.compareUnsigned(other.min, max) < 0;
    }

    public boolean covers(KeyRange other) {
        return Arrays.compareUnsigned(min, other.min) <= 0 && Arrays.compareUnsigned(other.max, max) <= 0;
    }

    /** By lower end. */
    @Override
    public int compareTo(KeyRange other) {
        return Arrays.compareUnsigned(min, other.min);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyRange that && Arrays.equals(min, that.min) && Arrays.equals(max, that.max);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(min) + Arrays.hashCode(max);
    }

    @Override
    public String toString() {
        return "[" + HexFormat.of().formatHex(min) + ", " + HexFormat.of().formatHex(max) + ")";
    }
}
