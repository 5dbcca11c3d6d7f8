package io.ostraka.storage;

import java.util.Arrays;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * A walk over the rows of a range, forwards or backwards. One thread at a time; another may close it, and then its
 * user is told 11600 InterruptedAtShutdown.
 */
public final class Rows implements AutoCloseable {
    private final ReadView view;
    private final RocksIterator iterator;
    private final ReadOptions options;
    private final Slice upper;
    private final byte[] from;
    private final LaidOver laid;
    private boolean closed;

    /** @param laid what is laid over the rows; null for nothing */
    Rows(ReadView view, RocksIterator iterator, ReadOptions options, Slice upper, byte[] from, LaidOver laid) {
        this.view = view;
        this.iterator = iterator;
        this.options = options;
        this.upper = upper;
        this.from = from;
        this.laid = laid;
    }

    /** Moves to the first row; false if there is none. */
    public boolean first() {
        return seek(from);
    }

    /** Moves to the first row at or after a key. */
    public synchronized boolean seek(byte[] key) {
        check();
        byte[] wanted = Arrays.compareUnsigned(key, from) < 0 ? from : key;
        if (laid != null) {
            return checked(laid.seek(wanted));
        }
        iterator.seek(wanted);
        return isOn();
    }

    /** Moves to the last row. */
    public synchronized boolean last() {
        check();
        if (laid != null) {
            return checked(laid.last());
        }
        iterator.seekToLast();
        return isOn();
    }

    /** Moves to the last row at or before a key. */
    public synchronized boolean seekBack(byte[] key) {
        check();
        if (laid != null) {
            return checked(laid.seekBack(key));
        }
        iterator.seekForPrev(key);
        return isOn();
    }

    public synchronized boolean next() {
        check();
        if (laid != null) {
            return checked(laid.next());
        }
        iterator.next();
        return isOn();
    }

    public synchronized boolean previous() {
        check();
        if (laid != null) {
            return checked(laid.previous());
        }
        iterator.prev();
        return isOn();
    }

    /** The key of the row it stands on. */
    public synchronized byte[] key() {
        check();
        return laid != null ? laid.key() : iterator.key();
    }

    /** The value of the row it stands on. */
    public synchronized byte[] value() {
        check();
        return laid != null ? laid.value() : iterator.value();
    }

    private boolean isOn() {
        if (!iterator.isValid()) {
            return checked(false);
        }
        // Only the upper bound is RocksDB's; walking backwards the lower one is ours.
        return Arrays.compareUnsigned(iterator.key(), from) >= 0;
    }

    /** Says false only where the iterator has not failed. */
    private boolean checked(boolean on) {
        if (!on) {
            try {
                iterator.status();
            } catch (RocksDBException e) {
                throw new StorageFailure("a scan failed", e);
            }
        }
        return on;
    }

    private void check() {
        if (closed) {
            throw view.endedError();
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        iterator.close();
        options.close();
        upper.close();
        view.closed(this);
    }
}
