package io.ostraka.storage;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.rocksdb.RocksIterator;

/**
 * A place among the rows of an iterator with an overlay's laid over them. Going forwards the iterator stands on its first
 * row at or after the place, going backwards on its last at or before it. One thread.
 */
final class LaidOver {
    private final RocksIterator iterator;
    private final NavigableMap<byte[], Optional<byte[]>> overlay;
    private final byte[] from;
    private boolean forwards;
    private byte[] key;
    private byte[] value;

    /** @param from the lower bound; the upper one is the iterator's own */
    LaidOver(RocksIterator iterator, NavigableMap<byte[], Optional<byte[]>> overlay, byte[] from) {
        this.iterator = iterator;
        this.overlay = overlay;
        this.from = from;
    }

    byte[] key() {
        return key;
    }

    byte[] value() {
        return value;
    }

    /** To the first row at or after a key. */
    boolean seek(byte[] wanted) {
        iterator.seek(wanted);
        forwards = true;
        return ahead(overlay.ceilingEntry(wanted));
    }

    /** To the last row at or before a key. */
    boolean seekBack(byte[] wanted) {
        iterator.seekForPrev(wanted);
        forwards = false;
        return back(overlay.floorEntry(wanted));
    }

    boolean last() {
        iterator.seekToLast();
        forwards = false;
        return back(overlay.lastEntry());
    }

    boolean next() {
        if (!forwards) {
            iterator.seek(key);
            forwards = true;
        }
        if (isOn() && Arrays.equals(iterator.key(), key)) {
            iterator.next();
        }
        return ahead(overlay.higherEntry(key));
    }

    boolean previous() {
        if (forwards) {
            iterator.seekForPrev(key);
            forwards = false;
        }
        if (isOn() && Arrays.equals(iterator.key(), key)) {
            iterator.prev();
        }
        return back(overlay.lowerEntry(key));
    }

    private boolean isOn() {
        return iterator.isValid() && Arrays.compareUnsigned(iterator.key(), from) >= 0;
    }

    private boolean ahead(Map.Entry<byte[], Optional<byte[]>> first) {
        Map.Entry<byte[], Optional<byte[]>> laid = first;
        while (laid != null) {
            int order = isOn() ? Arrays.compareUnsigned(laid.getKey(), iterator.key()) : -1;
            if (order > 0) {
                break;
            }
            if (laid.getValue().isPresent()) {
                return stand(laid);
            }
            if (order == 0) {
                iterator.next();
            }
            laid = overlay.higherEntry(laid.getKey());
        }
        return standOnRow();
    }

    private boolean back(Map.Entry<byte[], Optional<byte[]>> first) {
        Map.Entry<byte[], Optional<byte[]>> laid = first;
        while (laid != null) {
            int order = isOn() ? Arrays.compareUnsigned(laid.getKey(), iterator.key()) : 1;
            if (order < 0) {
                break;
            }
            if (laid.getValue().isPresent()) {
                return stand(laid);
            }
            if (order == 0) {
                iterator.prev();
            }
            laid = overlay.lowerEntry(laid.getKey());
        }
        return standOnRow();
    }

    private boolean stand(Map.Entry<byte[], Optional<byte[]>> laid) {
        key = laid.getKey();
        value = laid.getValue().orElseThrow();
        return true;
    }

    private boolean standOnRow() {
        if (!isOn()) {
            return false;
        }
        key = iterator.key();
        value = iterator.value();
        return true;
    }
}
