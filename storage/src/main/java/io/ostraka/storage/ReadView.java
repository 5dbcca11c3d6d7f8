package io.ostraka.storage;

import io.ostraka.core.error.CommandException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * The database as it was at one moment. Safe for many threads. The engine's close closes it, and whoever uses it
 * afterwards is told 11600 InterruptedAtShutdown, or
 * 11602 when another state took its place.
 */
public final class ReadView implements AutoCloseable {
    private final Engine engine;
    private final RocksDB database;
    private final Snapshot snapshot;
    private final ReadOptions options;
    private final Overlay overlay;
    private final Set<Rows> open = ConcurrentHashMap.newKeySet();
    private boolean closed;

    /** @param overlay laid over what is read; null for none */
    ReadView(Engine engine, RocksDB database, Overlay overlay) {
        this.engine = engine;
        this.database = database;
        this.overlay = overlay;
        snapshot = database.getSnapshot();
        options = new ReadOptions().setSnapshot(snapshot);
    }

    /** The value of a key, or null. */
    public synchronized byte[] get(Family family, byte[] key) {
        check();
        if (overlay != null) {
            Optional<byte[]> laid = overlay.get(family, key);
            if (laid != null) {
                return laid.orElse(null);
            }
        }
        return stored(family, key);
    }

    /** The value in the database, whatever is laid over it, or null. */
    public synchronized byte[] stored(Family family, byte[] key) {
        check();
        try {
            return database.get(engine.handle(family), options, key);
        } catch (RocksDBException e) {
            throw new StorageFailure("a read failed", e);
        }
    }

    /** The rows of a range of keys, before the first; {@code to} is not in it. Closed by this view at the latest. */
    public synchronized Rows rows(Family family, byte[] from, byte[] to) {
        check();
        Slice upper = new Slice(to);
        ReadOptions bounded = new ReadOptions().setSnapshot(snapshot).setIterateUpperBound(upper);

        RocksIterator iterator = database.newIterator(engine.handle(family), bounded);
        LaidOver laid = overlay == null ? null : new LaidOver(iterator, overlay.range(family, from, to), from);
        Rows rows = new Rows(this, iterator, bounded, upper, from, laid);
        open.add(rows);
        return rows;
    }

    void closed(Rows rows) {
        open.remove(rows);
    }

    CommandException endedError() {
        return engine.endedError();
    }

    private void check() {
        if (closed) {
            throw engine.endedError();
        }
    }

    @Override
    public void close() {
        for (Rows rows : open) {
            rows.close();
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            for (Rows rows : open) {
                rows.close();
            }
            options.close();
            database.releaseSnapshot(snapshot);
        }
        engine.closed(this);
    }
}
