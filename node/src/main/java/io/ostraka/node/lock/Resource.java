package io.ostraka.node.lock;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import java.util.Arrays;

/** What can be locked for one writer alone. */
sealed interface Resource {
    /** A client's session. */
    record Session(RawDocument lsid) implements Resource {}

    /** @param collection its ident */
    record Document(int collection, RecordId id) implements Resource {}

    /**
     * A key of a unique index, or an {@code _id}.
     *
     * @param index its ident
     * @param key a KeyString; not to be written to
     */
    record Key(int index, byte[] key) implements Resource, Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byIndex = Integer.compare(index, other.index);
            return byIndex != 0 ? byIndex : Arrays.compareUnsigned(key, other.key);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key that && index == that.index && Arrays.equals(key, that.key);
        }

        @Override
        public int hashCode() {
            return 31 * index + Arrays.hashCode(key);
        }
    }
}
