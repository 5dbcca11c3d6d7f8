package io.ostraka.acceptance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import io.ostraka.acceptance.support.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole cluster is killed during inserts three times: at any moment, in the middle of a move, in the middle of a
 * split. This process keeps what was acknowledged.
 */
class KilledClusterTest {
    private static final int WRITERS = 3;

    private final long seed = System.nanoTime();
    private final int port = ChildProcess.freePorts(6);
    /** What was sent, by {@code _id}; the filler is made of it. */
    private final Set<Integer> sent = ConcurrentHashMap.newKeySet();

    private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
    private final AtomicInteger next = new AtomicInteger();

    @TempDir
    Path folder;

    private ChildProcess start() {
        return ChildProcess.start(
                line -> line.contains("Connect with"),
                "cluster",
                "--data",
                folder.toString(),
                "--port",
                Integer.toString(port),
                "--chunk-size",
                "1");
    }

    private MongoClient client() {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb://127.0.0.1:" + port + "/"))
                .retryWrites(false)
                .applyToClusterSettings(builder -> builder.serverSelectionTimeout(20, TimeUnit.SECONDS))
                .build());
    }

    @Test
    @Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void nothingAcknowledgedIsLost() {
        Random random = new Random(seed);
        ChildProcess cluster = start();
        try {
            try (MongoClient client = client()) {
                client.getDatabase("admin")
                        .runCommand(new Document("shardCollection", "kill.things").append("key", new Document("k", 1)));
                client.getDatabase("admin").runCommand(new Document("balancerStop", 1).append("maxTimeMS", 30_000));
                client.getDatabase("kill").getCollection("things").createIndex(Indexes.ascending("r"));
            }
            for (Moment moment : Moment.values()) {
                killDuring(cluster, moment, random);
                cluster = start();
                try (MongoClient client = client()) {
                    verify(client, moment);
                }
            }
            assertThat(cluster.stop()).as(cluster.output()).isZero();
        } finally {
            cluster.kill();
        }
    }

    private enum Moment {
        INSERTS,
        MOVE,
        SPLIT
    }

    private void killDuring(ChildProcess cluster, Moment moment, Random random) {
        AtomicBoolean stop = new AtomicBoolean();
        try (MongoClient client = client();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                long writer = seed + i;
                running.add(threads.submit(() -> write(client, stop, new Random(writer))));
            }
            awaitAcknowledged(acknowledged.size() + 1_500);
            switch (moment) {
                case INSERTS -> awaitAcknowledged(acknowledged.size() + random.nextInt(500));
                case MOVE -> {
                    running.add(threads.submit(() -> moveOn(client, stop)));
                    awaitPlan(client);
                    awaitAcknowledged(acknowledged.size() + random.nextInt(50));
                }
                case SPLIT -> {
                    running.add(threads.submit(() -> splitOn(client, stop, new Random(seed))));
                    awaitAcknowledged(acknowledged.size() + 100 + random.nextInt(100));
                }
            }
            cluster.kill();
            stop.set(true);
            for (Future<?> each : running) {
                join(each);
            }
        }
    }

    private static void join(Future<?> running) {
        try {
            Object unused = running.get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Document thing(int id) {
        Random random = new Random(id);
        return new Document("_id", id)
                .append("k", random.nextInt(1_000_000))
                .append("r", random.nextInt())
                .append("filler", "x".repeat(200 + id % 300));
    }

    private void write(MongoClient client, AtomicBoolean stop, Random random) {
        MongoCollection<Document> things = client.getDatabase("kill").getCollection("things");
        while (!stop.get()) {
            List<Document> batch = new ArrayList<>();
            for (int i = 0, n = 1 + random.nextInt(20); i < n; i++) {
                batch.add(thing(next.getAndIncrement()));
            }
            batch.forEach(thing -> sent.add(thing.getInteger("_id")));
            try {
                things.insertMany(batch);
                batch.forEach(thing -> acknowledged.add(thing.getInteger("_id")));
            } catch (MongoException e) {
                // The cluster is being killed: nobody knows what became of this batch.
                return;
            }
        }
    }

    private static void moveOn(MongoClient client, AtomicBoolean stop) {
        for (int i = 0; !stop.get(); i++) {
            try {
                client.getDatabase("admin")
                        .runCommand(new Document("moveChunk", "kill.things")
                                .append("find", new Document("k", 500_000))
                                .append("to", "shard" + i % 3));
            } catch (MongoException e) {
                return;
            }
        }
    }

    private static void splitOn(MongoClient client, AtomicBoolean stop, Random random) {
        while (!stop.get()) {
            try {
                client.getDatabase("admin")
                        .runCommand(new Document("split", "kill.things")
                                .append("middle", new Document("k", random.nextInt(1_000_000))));
            } catch (MongoException e) {
                if (e.getCode() <= 0) {
                    return;
                }
            }
        }
    }

    private void awaitAcknowledged(int count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (acknowledged.size() < count) {
            assertThat(System.nanoTime()).as("writes go on, seed %d", seed).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static void awaitPlan(MongoClient client) {
        while (client.getDatabase("config").getCollection("movePlans").find().first() == null) {
            Thread.onSpinWait();
        }
    }

    private void verify(MongoClient client, Moment moment) {
        MongoCollection<Document> things = client.getDatabase("kill").getCollection("things");
        Set<Integer> found = new HashSet<>();
        for (Document thing : things.find().sort(Sorts.ascending("_id"))) {
            int id = thing.getInteger("_id");
            assertThat(found.add(id))
                    .as("%d is there once after %s, seed %d", id, moment, seed)
                    .isTrue();
            assertThat(thing).as("%d is whole, seed %d", id, seed).isEqualTo(thing(id));
        }
        assertThat(found).as("acknowledged, after %s, seed %d", moment, seed).containsAll(acknowledged);
        assertThat(sent).containsAll(found);
        assertThat(things.countDocuments()).isEqualTo(found.size());
        assertThat(things.estimatedDocumentCount())
                .as("after %s, seed %d", moment, seed)
                .isEqualTo(found.size());
        assertThat(things.find(Filters.gte("r", Integer.MIN_VALUE))
                        .hint(new Document("r", 1))
                        .into(new ArrayList<>()))
                .hasSize(found.size());
        // Documents of unknown fate have one now.
        acknowledged.addAll(found);
        Document validated = client.getDatabase("kill").runCommand(new Document("validate", "things"));
        assertThat(validated.getBoolean("valid")).as(validated.toJson()).isTrue();
        chunksAgree(client, moment);
        goesOn(client);
    }

    private void chunksAgree(MongoClient client, Moment moment) {
        MongoDatabase config = client.getDatabase("config");
        Object uuid = config.getCollection("collections")
                .find(Filters.eq("_id", "kill.things"))
                .first()
                .get("uuid");
        List<Document> chunks = config.getCollection("chunks")
                .find(Filters.eq("uuid", uuid))
                .sort(Sorts.ascending("min"))
                .into(new ArrayList<>());
        assertThat(chunks.getFirst().get("min", Document.class).get("k")).isInstanceOf(MinKey.class);
        assertThat(chunks.getLast().get("max", Document.class).get("k")).isInstanceOf(MaxKey.class);
        for (int i = 1; i < chunks.size(); i++) {
            assertThat(chunks.get(i).get("min"))
                    .as("after %s", moment)
                    .isEqualTo(chunks.get(i - 1).get("max"));
        }
    }

    /** Whatever was under way comes to its end, and chunks can be moved again. */
    private void goesOn(MongoClient client) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (client.getDatabase("config").getCollection("movePlans").find().first() != null) {
            assertThat(System.nanoTime()).as("plans end, seed %d", seed).isLessThan(end);
        }
        for (String shard : List.of("shard0", "shard1", "shard2")) {
            client.getDatabase("admin")
                    .runCommand(new Document("moveChunk", "kill.things")
                            .append("find", new Document("k", 500_000))
                            .append("to", shard));
        }
    }
}
