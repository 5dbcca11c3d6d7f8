package io.ostraka.node.lock;

import java.util.Arrays;

/**
 * A key of a unique index.
 *
 * @param index the index's ident
 * @param key a KeyString; not to be written to
 */
public record IndexKey(int index, byte[] key) {
    @Override
    public boolean equals(Object other) {
        return other instanceof IndexKey that && index == that.index && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
        return 31 * index + Arrays.hashCode(key);
    }
}
