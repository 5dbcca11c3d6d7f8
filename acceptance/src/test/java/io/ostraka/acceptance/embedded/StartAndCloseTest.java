package io.ostraka.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartAndCloseTest {
    private static final int TIMES = 20;

    @Test
    void twentyClustersLeaveNothing() throws IOException {
        startAndUse();
        Set<String> threads = platformThreads();
        long handles = openHandles();
        long resident = residentKilobytes();
        for (int i = 1; i < TIMES; i++) {
            startAndUse();
        }
        Set<String> left = platformThreads();
        left.removeAll(threads);
        assertThat(left).as("threads of %d clusters", TIMES).isEmpty();
        assertThat(openHandles()).as("open files and sockets").isLessThanOrEqualTo(handles + 5);
        // A store that is not closed keeps its write buffers and caches: tens of megabytes each time.
        assertThat(residentKilobytes() - resident).as("resident memory, in KB").isLessThan(250_000);
    }

    private static void startAndUse() throws IOException {
        Path folder;
        int port;
        try (EmbeddedCluster cluster = EmbeddedCluster.start(ClusterSettings.DEFAULT.withShards(2))) {
            folder = cluster.folder();
            port = cluster.port();
            try (MongoClient client = MongoClients.create(cluster.connectionString())) {
                client.getDatabase("admin")
                        .runCommand(new Document("shardCollection", "a.b").append("key", new Document("x", "hashed")));
                client.getDatabase("a").getCollection("b").insertOne(new Document("x", 1));
                assertThat(client.getDatabase("a").getCollection("b").countDocuments())
                        .isEqualTo(1);
            }
        }
        assertThat(folder).doesNotExist();
        try (ServerSocket again = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(again.isBound()).isTrue();
        }
    }

    /** Names of threads, numbers taken out; threads of the JDK that serve all stay. */
    private static Set<String> platformThreads() {
        return Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(false, false))
                .map(thread -> thread.getThreadName().replaceAll("[0-9]+", "N"))
                .filter(name -> !name.startsWith("ForkJoinPool")
                        && !name.startsWith("VirtualThread-unpark")
                        && !name.startsWith("surefire")
                        && !name.startsWith("junit")
                        && !name.startsWith("CompletableFutureDelayScheduler"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long openHandles() {
        String[] open = Path.of("/proc/self/fd").toFile().list();
        return open == null ? 0 : open.length;
    }

    private static long residentKilobytes() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return 0;
        }
        System.gc();
        return Files.readAllLines(status, StandardCharsets.US_ASCII).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }

    @Test
    void severalClustersLiveSideBySide() {
        try (EmbeddedCluster one = EmbeddedCluster.start(ClusterSettings.DEFAULT.withShards(1));
                EmbeddedCluster other = EmbeddedCluster.start(
                        ClusterSettings.DEFAULT.withShards(1).withInMemory(false));
                MongoClient first = MongoClients.create(one.connectionString());
                MongoClient second = MongoClients.create(other.connectionString())) {
            first.getDatabase("d").getCollection("c").insertOne(new Document("of", "one"));
            assertThat(second.getDatabase("d").getCollection("c").countDocuments())
                    .isZero();
            second.getDatabase("d").getCollection("c").insertOne(new Document("of", "other"));
            assertThat(first.getDatabase("d").getCollection("c").find().first().getString("of"))
                    .isEqualTo("one");
        }
    }
}
