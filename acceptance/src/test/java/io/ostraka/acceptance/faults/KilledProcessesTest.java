package io.ostraka.acceptance.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.ostraka.acceptance.support.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of their own: one of two routers is killed under a driver's writes, then one of two shards. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledProcessesTest {
    private static final int WRITERS = 4;
    private static final int WRITES = 400;

    /** Well above the three seconds that a router looks for a shard none of whose members runs. */
    private static final long FAILS_SECONDS = 12;

    private final List<ChildProcess> all = new ArrayList<>();
    private final List<ChildProcess> shards = new ArrayList<>();
    private final List<ChildProcess> routers = new ArrayList<>();

    @TempDir
    Path folder;

    private ChildProcess start(String... arguments) {
        ChildProcess started = ChildProcess.start(line -> line.contains("Waiting for connections"), arguments);
        all.add(started);
        return started;
    }

    private ChildProcess member(String kind, String set) throws IOException {
        String data = Files.createDirectories(folder.resolve(set)).toString();
        ChildProcess member = start("mongod", kind, "--replSet", set, "--dbpath", data, "--port", "0");
        try (MongoClient client =
                MongoClients.create("mongodb://127.0.0.1:" + port(member) + "/?directConnection=true")) {
            Document initiated =
                    client.getDatabase("admin").runCommand(new Document("replSetInitiate", new Document()));
            assertThat(initiated).containsEntry("ok", 1.0);
        }
        return member;
    }

    private static int port(ChildProcess process) {
        return Document.parse(process.readyLine()).get("attr", Document.class).getInteger("port");
    }

    @BeforeEach
    void start() throws IOException {
        ChildProcess config = member("--configsvr", "config");
        for (int i = 0; i < 2; i++) {
            shards.add(member("--shardsvr", "shard" + i));
        }
        for (int i = 0; i < 2; i++) {
            routers.add(start("mongos", "--configdb", "config/127.0.0.1:" + port(config), "--port", "0"));
        }
        try (MongoClient client = client(0)) {
            for (int i = 0; i < 2; i++) {
                client.getDatabase("admin")
                        .runCommand(new Document("addShard", "shard" + i + "/127.0.0.1:" + port(shards.get(i))));
            }
            client.getDatabase("admin")
                    .runCommand(new Document("shardCollection", "d.c").append("key", new Document("_id", "hashed")));
        }
    }

    @AfterEach
    void stop() {
        all.forEach(ChildProcess::kill);
    }

    private MongoClient client(int... of) {
        List<String> hosts = new ArrayList<>();
        for (int router : of) {
            hosts.add("127.0.0.1:" + port(routers.get(router)));
        }
        return MongoClients.create("mongodb://" + String.join(",", hosts) + "/");
    }

    @Test
    void othersGoOn() throws Exception {
        aKilledRouter();
        aKilledShard();
    }

    private void aKilledRouter() throws Exception {
        Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        AtomicInteger next = new AtomicInteger();
        AtomicBoolean killed = new AtomicBoolean();
        AtomicInteger after = new AtomicInteger();
        try (MongoClient client = client(0, 1);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            MongoCollection<Document> things = client.getDatabase("d").getCollection("c");
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(threads.submit(() -> {
                    while (after.get() < WRITES) {
                        int id = next.incrementAndGet();
                        boolean late = killed.get();
                        // The driver sends it again by itself, with the same number, through the other router.
                        assertThat(things.insertOne(new Document("_id", id))).isNotNull();
                        assertThat(acknowledged.add(id)).isTrue();
                        if (late) {
                            assertThat(after.incrementAndGet()).isPositive();
                        }
                    }
                    return null;
                }));
            }
            while (acknowledged.size() < WRITES) {
                Thread.onSpinWait();
            }
            routers.get(0).kill();
            killed.set(true);
            for (Future<?> each : writers) {
                assertThat(each.get(60, TimeUnit.SECONDS)).isNull();
            }
            assertThat(things.countDocuments()).isEqualTo(acknowledged.size());
        }
    }

    private void aKilledShard() {
        try (MongoClient client = client(1)) {
            var database = client.getDatabase("d");
            MongoCollection<Document> things = database.getCollection("c");
            long whole = things.countDocuments();
            shards.get(1).kill();
            long begun = System.nanoTime();
            assertThatThrownBy(() -> database.runCommand(Document.parse("{count: 'c', query: {}}")))
                    .isInstanceOfSatisfying(
                            MongoException.class,
                            e -> assertThat(e.getMessage()).contains("nobody listens"));
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(FAILS_SECONDS));
            List<Document> found = things.find().partial(true).into(new ArrayList<>());
            assertThat(found).isNotEmpty().hasSizeLessThan((int) whole);
            for (Document each : found) {
                assertThat(things.find(Filters.eq("_id", each.get("_id"))).first())
                        .as("what the other shard has is read and written as before")
                        .isNotNull();
            }
            assertThatThrownBy(() -> database.runCommand(Document.parse("{count: 'c', query: {}, maxTimeMS: 200}")))
                    .isInstanceOfSatisfying(
                            MongoException.class, e -> assertThat(e.getCode()).isEqualTo(50));
        }
    }
}
