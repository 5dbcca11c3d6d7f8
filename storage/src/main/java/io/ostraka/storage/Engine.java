package io.ostraka.storage;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_AT_SHUTDOWN;
import static io.ostraka.core.error.ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;

import io.ostraka.core.error.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;

/**
 * One open RocksDB database. Safe for many threads. {@link #close} refuses new readers, closes the open ones, and only
 * then the database.
 */
public final class Engine implements AutoCloseable {
    /** Where what was written is safe when a call returns. */
    public enum Journal {
        /** RocksDB's own log, synced: this database is the only place. */
        SYNCED,
        /** Another log, that of the replica group, holds it: ours is off. */
        ELSEWHERE
    }

    /** RocksDB's objects, together. */
    private record Opened(
            RocksDB database,
            Map<Family, ColumnFamilyHandle> handles,
            List<ColumnFamilyHandle> allHandles,
            List<AutoCloseable> options) {
        void close() throws RocksDBException {
            allHandles.forEach(ColumnFamilyHandle::close);
            database.closeE();
            closeAll(options);
        }
    }

    private final Path folder;
    private final StorageResources resources;
    private volatile WriteOptions writeOptions;
    private volatile Opened opened;
    private final Set<ReadView> views = ConcurrentHashMap.newKeySet();
    // Readers of this lock use the database; its writers close or replace it.
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
    private final AtomicInteger compactions = new AtomicInteger();
    private volatile boolean closed;

    private Engine(Path folder, StorageResources resources, Opened opened, Journal journal) {
        this.folder = folder;
        this.resources = resources;
        this.opened = opened;
        writeOptions = writeOptions(journal);
    }

    private static WriteOptions writeOptions(Journal journal) {
        return new WriteOptions().setSync(journal == Journal.SYNCED).setDisableWAL(journal != Journal.SYNCED);
    }

    /** Opens the database in a folder, made if it is not there. The folder is the caller's alone. */
    public static Engine open(Path folder, StorageResources resources, Journal journal) {
        return new Engine(folder, resources, open(folder, resources), journal);
    }

    private static Opened open(Path folder, StorageResources resources) {
        StorageLimits limits = resources.limits();
        List<AutoCloseable> options = new ArrayList<>();
        DBOptions databaseOptions = databaseOptions(resources, limits);
        options.add(databaseOptions);
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions(resources, options)));
        for (Family family : Family.values()) {
            families.add(new ColumnFamilyDescriptor(family.label(), familyOptions(resources, options)));
        }
        List<ColumnFamilyHandle> all = new ArrayList<>();
        try {
            Files.createDirectories(folder);
            RocksDB store = RocksDB.open(databaseOptions, folder.toString(), families, all);
            Map<Family, ColumnFamilyHandle> handles = new EnumMap<>(Family.class);
            for (Family family : Family.values()) {
                handles.put(family, all.get(family.ordinal() + 1));
            }
            return new Opened(store, handles, all, options);
        } catch (RocksDBException | IOException e) {
            closeAll(options);
            throw new StorageFailure("the database in " + folder + " cannot be opened", e);
        }
    }

    private static DBOptions databaseOptions(StorageResources resources, StorageLimits limits) {
        return new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setAtomicFlush(true)
                .setWriteBufferManager(resources.writeBuffers())
                .setMaxBackgroundJobs(limits.backgroundJobs())
                .setMaxTotalWalSize(limits.journalBytes())
                .setMaxOpenFiles(256)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
    }

    private static ColumnFamilyOptions familyOptions(StorageResources resources, List<AutoCloseable> options) {
        BlockBasedTableConfig table = new BlockBasedTableConfig()
                .setBlockCache(resources.cache())
                .setFilterPolicy(resources.filter())
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setIndexType(IndexType.kBinarySearch)
                .setBlockSize(16 << 10);
        ColumnFamilyOptions family = new ColumnFamilyOptions()
                .setTableFormatConfig(table)
                .setWriteBufferSize(resources.limits().memtableBytes())
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setLevelCompactionDynamicLevelBytes(true);
        options.add(family);
        return family;
    }

    /** What a reader is told whose view was closed under it. */
    CommandException endedError() {
        return closed
                ? INTERRUPTED_AT_SHUTDOWN.because("interrupted at shutdown")
                : INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.because(
                        "this member's data were replaced by the primary's while they were read; try again");
    }

    ColumnFamilyHandle handle(Family family) {
        return opened.handles().get(family);
    }

    /** From now on what is written is safe elsewhere, or no more; what was written before is in files when this returns. */
    public void setJournal(Journal journal) {
        use.writeLock().lock();
        try {
            check();
            if (journal == Journal.ELSEWHERE) {
                flush();
            }
            WriteOptions before = writeOptions;
            writeOptions = writeOptions(journal);
            before.close();
        } finally {
            use.writeLock().unlock();
        }
    }

    /**
     * Replaces everything by what {@link #checkpoint} wrote, which stays as it is. Open views end: whoever reads them is
     * told 11602 InterruptedDueToReplStateChange.
     */
    public void replaceBy(Path checkpoint) {
        use.writeLock().lock();
        try {
            check();
            views.forEach(ReadView::close);
            opened.close();
            FolderCopy.replace(folder, checkpoint);
            opened = open(folder, resources);
        } catch (RocksDBException | IOException e) {
            throw new StorageFailure("the database in " + folder + " could not be replaced", e);
        } finally {
            use.writeLock().unlock();
        }
    }

    public Batch batch() {
        return new Batch(this);
    }

    /** Writes a batch: all of it is visible, and as durable as the journal says, when this returns. */
    public void write(Batch batch) {
        use.readLock().lock();
        try {
            check();
            opened.database().write(writeOptions, batch.handle());
        } catch (RocksDBException e) {
            throw new StorageFailure("a batch could not be written", e);
        } finally {
            use.readLock().unlock();
        }
    }

    /** The database as it is now. The caller closes it. */
    public ReadView read() {
        return read(null);
    }

    /** The same with rows laid over it that are not in the database. */
    public ReadView read(Overlay overlay) {
        use.readLock().lock();
        try {
            check();
            ReadView view = new ReadView(this, opened.database(), overlay);
            views.add(view);
            return view;
        } finally {
            use.readLock().unlock();
        }
    }

    void closed(ReadView view) {
        views.remove(view);
    }

    /** Copies the database, mostly by links, to a folder that does not exist yet. */
    public void checkpoint(Path folder) {
        use.readLock().lock();
        try (Checkpoint checkpoint = Checkpoint.create(opened.database())) {
            check();
            checkpoint.createCheckpoint(folder.toString());
        } catch (RocksDBException e) {
            throw new StorageFailure("a checkpoint could not be made", e);
        } finally {
            use.readLock().unlock();
        }
    }

    /** Writes all memtables to files, all families together. */
    public void flush() {
        use.readLock().lock();
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            check();
            opened.database().flush(flush, List.copyOf(opened.handles().values()));
        } catch (RocksDBException e) {
            throw new StorageFailure("the database could not be flushed", e);
        } finally {
            use.readLock().unlock();
        }
    }

    /** Writes a range of keys anew without what was deleted. Ends early where this is closed meanwhile. */
    public void compact(Family family, byte[] from, byte[] to) {
        use.readLock().lock();
        try {
            compactions.incrementAndGet();
            check();
            opened.database().compactRange(handle(family), from, to);
        } catch (RocksDBException e) {
            if (e.getStatus() == null || e.getStatus().getCode() != Status.Code.Incomplete) {
                throw new StorageFailure("a range could not be compacted", e);
            }
        } finally {
            compactions.decrementAndGet();
            use.readLock().unlock();
        }
    }

    /** RocksDB's estimate of the bytes a family holds, files and memtables. */
    public long estimatedBytes(Family family) {
        use.readLock().lock();
        try {
            check();
            return opened.database().getLongProperty(handle(family), "rocksdb.estimate-live-data-size")
                    + opened.database().getLongProperty(handle(family), "rocksdb.cur-size-all-mem-tables");
        } catch (RocksDBException e) {
            throw new StorageFailure("a size could not be read", e);
        } finally {
            use.readLock().unlock();
        }
    }

    /** RocksDB's estimate of the bytes a range of keys takes, on disk and in memory. */
    public long estimatedBytes(Family family, byte[] from, byte[] to) {
        use.readLock().lock();
        try (Slice low = new Slice(from);
                Slice high = new Slice(to)) {
            check();
            long[] sizes = opened.database()
                    .getApproximateSizes(
                            handle(family),
                            List.of(new Range(low, high)),
                            SizeApproximationFlag.INCLUDE_FILES,
                            SizeApproximationFlag.INCLUDE_MEMTABLES);
            return sizes[0];
        } finally {
            use.readLock().unlock();
        }
    }

    /** Views that are open now. */
    public int openViews() {
        return views.size();
    }

    private void check() {
        if (closed) {
            throw endedError();
        }
    }

    @Override
    public void close() {
        endCompactions();
        use.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            for (ReadView view : views) {
                view.close();
            }
            writeOptions.close();
            opened.close();
        } catch (RocksDBException e) {
            throw new StorageFailure("the database could not be closed", e);
        } finally {
            use.writeLock().unlock();
        }
    }

    /** Else whoever closes waits for them. */
    private void endCompactions() {
        use.readLock().lock();
        try {
            if (!closed && compactions.get() > 0) {
                opened.database().cancelAllBackgroundWork(false);
            }
        } finally {
            use.readLock().unlock();
        }
    }

    private static void closeAll(List<AutoCloseable> options) {
        for (AutoCloseable option : options) {
            try {
                option.close();
            } catch (Exception e) {
                throw new StorageFailure("native options could not be freed", e);
            }
        }
    }
}
