package io.ostraka.query.index;

import java.util.Arrays;

/** The keys from {@code low} to {@code high}, by unsigned bytes; no key equals either end. */
public record KeyRange(byte[] low, byte[] high) {
    public boolean contains(byte[] key) {
        return Arrays.compareUnsigned(low, key) <= 0 && Arrays.compareUnsigned(key, high) < 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyRange that && Arrays.equals(low, that.low) && Arrays.equals(high, that.high);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(low) + Arrays.hashCode(high);
    }

    @Override
    public String toString() {
        return java.util.HexFormat.of().formatHex(low) + ".."
                + java.util.HexFormat.of().formatHex(high);
    }
}
