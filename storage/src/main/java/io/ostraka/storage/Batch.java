package io.ostraka.storage;

import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Writes that become visible and durable together. One thread; close it after {@link Engine#write}. */
public final class Batch implements AutoCloseable {
    private final Engine engine;
    private final WriteBatch batch = new WriteBatch();

    Batch(Engine engine) {
        this.engine = engine;
    }

    WriteBatch handle() {
        return batch;
    }

    public void put(Family family, byte[] key, byte[] value) {
        try {
            batch.put(engine.handle(family), key, value);
        } catch (RocksDBException e) {
            throw new StorageFailure("a write could not be added to a batch", e);
        }
    }

    public void delete(Family family, byte[] key) {
        try {
            batch.delete(engine.handle(family), key);
        } catch (RocksDBException e) {
            throw new StorageFailure("a delete could not be added to a batch", e);
        }
    }

    /** Deletes all keys from one on, up to another that stays. */
    public void deleteRange(Family family, byte[] from, byte[] to) {
        try {
            batch.deleteRange(engine.handle(family), from, to);
        } catch (RocksDBException e) {
            throw new StorageFailure("a range could not be added to a batch", e);
        }
    }

    public long sizeBytes() {
        return batch.getDataSize();
    }

    @Override
    public void close() {
        batch.close();
    }
}
