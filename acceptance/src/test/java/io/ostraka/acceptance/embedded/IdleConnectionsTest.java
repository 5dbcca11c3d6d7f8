package io.ostraka.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.ostraka.acceptance.support.ChildProcess;
import io.ostraka.acceptance.support.IdleConnections;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ten thousand idle connections from other processes beside sixteen busy ones. Prints the ratio of throughputs, measured
 * in alternating windows; what is asserted is memory, and that everybody is served.
 */
@Tag("long")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IdleConnectionsTest {
    private static final int IDLE = 10_000;
    private static final int BUSY = 16;
    private static final int WINDOWS = 3;
    private static final long WINDOW_NANOS = 4_000_000_000L;
    private static final long MEMORY_MAX_KB = 150_000;

    @Test
    void idleConnectionsCostLittle() throws IOException {
        int port = ChildProcess.freePorts(6);
        try (ChildProcess server = ChildProcess.start(
                        line -> line.contains("Connect with"), "cluster", "--port", Integer.toString(port));
                MongoClient client = MongoClients.create("mongodb://127.0.0.1:" + port + "/?maxPoolSize=32")) {
            MongoCollection<Document> things = client.getDatabase("idle").getCollection("things");
            for (int i = 0; i < 1_000; i++) {
                things.insertOne(new Document("_id", i));
            }
            double unused = throughput(things); // warm
            double alone = 0;
            double crowded = 0;
            long grown = 0;
            for (int window = 0; window < WINDOWS; window++) {
                alone += throughput(things);
                long before = residentKilobytes(server.pid());
                List<ChildProcess> idle = new ArrayList<>();
                try {
                    for (int i = 0; i < 4; i++) {
                        idle.add(ChildProcess.startClass(
                                IdleConnections.class,
                                "open"::equals,
                                Integer.toString(port),
                                Integer.toString(IDLE / 4)));
                    }
                    crowded += throughput(things);
                    grown = Math.max(grown, residentKilobytes(server.pid()) - before);
                } finally {
                    idle.forEach(ChildProcess::kill);
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d idle connections: %.2f of the throughput of %d busy ones (%.0f/s alone), resident memory +%d MB%n",
                    IDLE,
                    crowded / alone,
                    BUSY,
                    alone / WINDOWS,
                    grown / 1024);
            assertThat(grown).as("resident memory, KB").isLessThan(MEMORY_MAX_KB);
            assertThat(crowded).isPositive();
        }
    }

    /** Finds by {@code _id} a second, by sixteen threads. */
    private static double throughput(MongoCollection<Document> things) {
        AtomicLong done = new AtomicLong();
        long end = System.nanoTime() + WINDOW_NANOS;
        try (ExecutorService threads = Executors.newFixedThreadPool(BUSY)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < BUSY; i++) {
                int first = i;
                running.add(threads.submit(() -> {
                    for (int id = first; System.nanoTime() < end; id = (id + 7) % 1_000) {
                        assertThat(things.find(Filters.eq("_id", id)).first()).isNotNull();
                        done.incrementAndGet();
                    }
                }));
            }
            for (Future<?> each : running) {
                Object unused = each.get();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return done.get() * 1e9 / WINDOW_NANOS;
    }

    private static long residentKilobytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status"), StandardCharsets.US_ASCII).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }
}
