package io.ostraka.storage;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Rows put and deleted that are not in the database yet, laid over a {@link ReadView}: what a transaction has written so
 * far. One thread writes at a time; walks that are open meanwhile see what is written later or not. The caller bounds it.
 */
public final class Overlay {
    private final Map<Family, ConcurrentSkipListMap<byte[], Optional<byte[]>>> families = new EnumMap<>(Family.class);

    public Overlay() {
        for (Family family : Family.values()) {
            families.put(family, new ConcurrentSkipListMap<>(Arrays::compareUnsigned));
        }
    }

    public void put(Family family, byte[] key, byte[] value) {
        of(family).put(key, Optional.of(value));
    }

    public void delete(Family family, byte[] key) {
        of(family).put(key, Optional.empty());
    }

    /** The value written, empty where the row was deleted; null where nothing is known of the key here. */
    @SuppressWarnings("OptionalAssignedToNull") // three answers, of which "ask the database" is the usual one
    Optional<byte[]> get(Family family, byte[] key) {
        return of(family).get(key);
    }

    /** What is laid over a range of keys. */
    NavigableMap<byte[], Optional<byte[]>> range(Family family, byte[] from, byte[] to) {
        return of(family).subMap(from, true, to, false);
    }

    private ConcurrentSkipListMap<byte[], Optional<byte[]>> of(Family family) {
        return families.get(family);
    }
}
