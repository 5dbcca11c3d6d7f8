package io.ostraka.bench.replication;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.node.member.Member;
import io.ostraka.node.set.SetConfig;
import io.ostraka.server.log.ServerLog;
import io.ostraka.server.process.MemberProcess;
import io.ostraka.server.process.ProcessSettings;
import io.ostraka.server.process.StartParameters;
import io.ostraka.sharding.config.Balancer;
import io.ostraka.storage.StorageLimits;
import io.ostraka.storage.StorageResources;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.common.ProcessHooks;
import io.ostraka.wire.common.RecentLog;
import io.ostraka.wire.transport.FrameBounds;
import io.ostraka.wire.transport.InMemoryNetwork;
import io.ostraka.wire.transport.Sockets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Acknowledged inserts of 1 KB; each set and the floor are visited in turn. */
public final class ReplicationBench {
    private static final int BYTES = 1_000;
    private static final int[] WRITERS = {1, 16, 64, 256};
    private static final Namespace THINGS = new Namespace("bench", "things");

    /** Something that makes one durable write. */
    private interface Store extends AutoCloseable {
        void write(long number);
    }

    private ReplicationBench() {}

    /** @param seconds of each visit; there are three visits after one to warm up */
    public static void run(double seconds) throws Exception {
        Path folder = Files.createTempDirectory("ostraka-bench-replication");
        try (ServerLog _ = ServerLog.quiet(System.err);
                StorageResources resources = StorageResources.open(StorageLimits.DEFAULT)) {
            List<String> names = List.of("rocksdb", "one member", "one on raft", "three on raft");
            List<Store> stores = List.of(
                    rocks(folder.resolve("rocks")),
                    new Set(folder.resolve("one"), 1, false, resources),
                    new Set(folder.resolve("raft1"), 1, true, resources),
                    new Set(folder.resolve("raft3"), 3, true, resources));
            AtomicLong numbers = new AtomicLong();
            for (int writers : WRITERS) {
                double[] best = new double[stores.size()];
                double[] bytes = new double[stores.size()];
                for (int round = 0; round < 4; round++) {
                    for (int i = 0; i < stores.size(); i++) {
                        long writtenBefore = writtenBytes();
                        long first = numbers.get();
                        double rate = measure(stores.get(i), writers, seconds, numbers);
                        bytes[i] = (double) (writtenBytes() - writtenBefore) / (numbers.get() - first);
                        best[i] = round == 0 ? 0 : Math.max(best[i], rate);
                    }
                }
                for (int i = 0; i < stores.size(); i++) {
                    System.out.printf(
                            Locale.ROOT,
                            "%4d writers  %-14s %9.0f/s  %5.2f of rocksdb  %6.0f bytes written each%n",
                            writers,
                            names.get(i),
                            best[i],
                            best[i] / best[0],
                            bytes[i]);
                }
            }
            for (Store store : stores) {
                store.close();
            }
        } finally {
            delete(folder);
        }
    }

    /**
     * What this process gave the system to write so far, to files alone as no socket is used: logs, flushed tables and their
     * compactions. Linux tells it; elsewhere it is nothing.
     */
    private static long writtenBytes() throws IOException {
        Path io = Path.of("/proc/self/io");
        if (!Files.exists(io)) {
            return 0;
        }
        return Files.readAllLines(io).stream()
                .filter(line -> line.startsWith("wchar: "))
                .mapToLong(line -> Long.parseLong(line.substring(7)))
                .findFirst()
                .orElse(0);
    }

    private static double measure(Store store, int writers, double seconds, AtomicLong numbers) throws Exception {
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        long count = 0;
        // Not virtual ones: RocksDB's synced put would hold all carriers, and the sets beside it would lose their
        // leaders.
        try (ExecutorService pool = Executors.newFixedThreadPool(writers)) {
            List<Future<Long>> results = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                results.add(pool.submit(() -> {
                    long done = 0;
                    for (; System.nanoTime() < end; done++) {
                        store.write(numbers.incrementAndGet());
                    }
                    return done;
                }));
            }
            for (Future<Long> result : results) {
                count += result.get();
            }
        }
        return count / ((System.nanoTime() - start) / 1e9);
    }

    private static Store rocks(Path folder) throws RocksDBException, IOException {
        Files.createDirectories(folder);
        RocksDB.loadLibrary();
        Options options = new Options().setCreateIfMissing(true);
        RocksDB database = RocksDB.open(options, folder.toString());
        WriteOptions synced = new WriteOptions().setSync(true);
        byte[] value = new byte[BYTES];
        return new Store() {
            @Override
            public void write(long number) {
                try {
                    database.put(synced, ByteBuffer.allocate(8).putLong(number).array(), value);
                } catch (RocksDBException failed) {
                    throw new IllegalStateException(failed);
                }
            }

            @Override
            public void close() {
                synced.close();
                database.close();
                options.close();
            }
        };
    }

    /** A set in this JVM, its members joined without sockets. */
    private static final class Set implements Store {
        private final List<MemberProcess> processes = new ArrayList<>();
        private final Member primary;
        private final BsonBinary filler = new BsonBinary(new byte[BYTES]);

        Set(Path folder, int members, boolean raft, StorageResources resources) throws IOException {
            InMemoryNetwork network = new InMemoryNetwork(new Sockets(FrameBounds.DEFAULT, Clock.SYSTEM));
            List<SetConfig.Member> configured = new ArrayList<>();
            for (int i = 0; i < members; i++) {
                MemberProcess process =
                        start(Files.createDirectories(folder.resolve("m" + i)), raft, resources, network);
                processes.add(process);
                configured.add(new SetConfig.Member(i, process.address(), 1, true, false, new BsonDocument()));
            }
            primary = processes.getFirst().member();
            if (raft) {
                primary.set()
                        .changes()
                        .initiate(
                                Optional.of(new SetConfig("bench", 1, 0, configured, new BsonDocument())), operation());
            }
        }

        private static MemberProcess start(
                Path folder, boolean waits, StorageResources resources, InMemoryNetwork network) {
            ProcessHooks hooks = new ProcessHooks() {
                @Override
                public void rotateLog() {
                    throw new IllegalStateException("nobody asks");
                }

                @Override
                public void shutdown(boolean force) {
                    throw new IllegalStateException("nobody asks");
                }
            };
            ProcessSettings process = new ProcessSettings(
                    List.of("127.0.0.1"),
                    0,
                    ProcessSettings.OPEN_KEY,
                    Optional.of(network),
                    100,
                    10_000,
                    RecentLog.NONE,
                    hooks,
                    List.of(),
                    new BsonDocument(),
                    StartParameters.DEFAULT,
                    Clock.SYSTEM,
                    Ids.system());
            return MemberProcess.start(
                    process,
                    new MemberProcess.Settings(
                            MemberProcess.Kind.ALONE, folder, "bench", waits, resources, 0, Balancer.Limits.DEFAULT));
        }

        private Operation operation() {
            return Operation.ofProcess("bench", "bench", Deadline.in(Clock.SYSTEM, 60_000));
        }

        @Override
        public void write(long number) {
            RawDocument document =
                    RawDocument.of(new BsonDocument("_id", new BsonInt64(number)).append("filler", filler));
            int inserted = primary.inserter()
                    .insert(THINGS, List.of(document), true, operation())
                    .inserted();
            if (inserted != 1) {
                throw new IllegalStateException("not inserted");
            }
        }

        @Override
        public void close() {
            processes.forEach(MemberProcess::close);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
