package io.ostraka.bench.floor;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/** RocksDB through JNI with nothing of ours: synced puts that share a sync, gets, ranges of a hundred, a scan. */
public final class RocksFloor {
    private static final int DOCUMENTS = 100_000;
    private static final int BYTES = 1_024;

    private interface Step {
        void run(RandomGenerator random) throws RocksDBException;
    }

    private RocksFloor() {}

    public static void run(double seconds) throws Exception {
        RocksDB.loadLibrary();
        Path folder = Files.createTempDirectory("ostraka-bench-rocks");
        try (LRUCache cache = new LRUCache(256L << 20);
                BloomFilter bloom = new BloomFilter(10);
                Options options = new Options()
                        .setCreateIfMissing(true)
                        .setCompressionType(CompressionType.LZ4_COMPRESSION)
                        .setWriteBufferSize(32L << 20)
                        .setTableFormatConfig(new BlockBasedTableConfig()
                                .setBlockCache(cache)
                                .setFilterPolicy(bloom)
                                .setBlockSize(16 << 10));
                RocksDB database = RocksDB.open(options, folder.toString());
                WriteOptions synced = new WriteOptions().setSync(true);
                WriteOptions loose = new WriteOptions().setDisableWAL(true)) {
            byte[] value = new byte[BYTES];
            new SplittableRandom(1).nextBytes(value);
            for (int i = 0; i < DOCUMENTS; i++) {
                database.put(loose, key(i), value);
            }
            AtomicInteger next = new AtomicInteger(DOCUMENTS);
            for (int threads : new int[] {1, 16, 64}) {
                measure("put, synced", threads, seconds, _ -> database.put(synced, key(next.getAndIncrement()), value));
            }
            for (int threads : new int[] {1, 16}) {
                measure("get", threads, seconds, random -> {
                    if (database.get(key(random.nextInt(DOCUMENTS))).length != BYTES) {
                        throw new IllegalStateException("wrong value");
                    }
                });
                measure("seek + 100 values", threads, seconds, random -> {
                    try (RocksIterator iterator = database.newIterator()) {
                        iterator.seek(key(random.nextInt(DOCUMENTS - 100)));
                        take(iterator, 100);
                    }
                });
            }
            measure("scan of 100 000 values", 1, seconds, _ -> {
                try (RocksIterator iterator = database.newIterator()) {
                    iterator.seekToFirst();
                    take(iterator, DOCUMENTS);
                }
            });
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private static void take(RocksIterator iterator, int howMany) {
        for (int i = 0; i < howMany; i++) {
            if (!iterator.isValid() || iterator.value().length != BYTES) {
                throw new IllegalStateException("a value is missing");
            }
            iterator.next();
        }
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(12).putInt(1).putLong(number).array();
    }

    private static void measure(String what, int threads, double seconds, Step step) throws Exception {
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            SplittableRandom random = new SplittableRandom(i);
            tasks.add(() -> {
                long count = 0;
                for (; System.nanoTime() < end; count++) {
                    step.run(random);
                }
                return count;
            });
        }
        long count = 0;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (Future<Long> each : pool.invokeAll(tasks)) {
                count += each.get();
            }
        }
        System.out.printf(
                Locale.ROOT, "%-24s %3d threads %12.1f/s%n", what, threads, count * 1e9 / (System.nanoTime() - start));
    }
}
