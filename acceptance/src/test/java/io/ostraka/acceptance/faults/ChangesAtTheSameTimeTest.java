package io.ostraka.acceptance.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.Updates;
import io.ostraka.acceptance.support.SharedCluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Collections are sharded, dropped, renamed, indexed and moved through two routers while others write to them. What a
 * client may be told is what MongoDB would tell it; afterwards routers, catalog and shards agree.
 */
@ExtendWith(SharedCluster.class)
class ChangesAtTheSameTimeTest {
    private static final String DATABASE = "changes";
    private static final List<String> NAMES = List.of("c0", "c1", "c2");
    private static final long SECONDS = 8;
    /** {@code shardCollection}: 23 it is sharded in another way, 72 documents without an index for the key. */
    private static final Set<Integer> EXPECTED_OF_SHARDING = Set.of(23, 72);
    /**
     * A change that came second: 20 a rename to itself, 23 and 48 it is there already, 26, 27 and 118 it is gone, 72 no
     * index for the key, 73 and 2 bounds of another key, 87 a boundary already, 96 and 117 a move that was stopped or
     * must wait, 125 databases apart, 276 an index build whose collection went, 361 another collection by now, 370 an
     * index that the shard key needs.
     */
    private static final Set<Integer> EXPECTED =
            Set.of(2, 20, 23, 26, 27, 48, 72, 73, 85, 86, 87, 96, 117, 118, 125, 276, 361, 370);

    private final long seed = System.nanoTime();
    private final Map<String, String> unexpected = new ConcurrentHashMap<>();
    private final SharedCluster shared;
    private final MongoClient first;
    private final MongoClient second;

    ChangesAtTheSameTimeTest(SharedCluster shared) {
        this.shared = shared;
        this.first = MongoClients.create(shared.cluster().connectionString(0));
        this.second = MongoClients.create(shared.cluster().connectionString(1));
    }

    @BeforeEach
    void begin() {
        first.getDatabase(DATABASE).drop();
    }

    @AfterEach
    void close() {
        first.getDatabase(DATABASE).drop();
        first.close();
        second.close();
    }

    private Document admin(MongoClient client, Document command) {
        return client.getDatabase("admin").runCommand(command);
    }

    private static Document shard(String name, Object kind) {
        return new Document("shardCollection", DATABASE + "." + name).append("key", new Document("k", kind));
    }

    private MongoCollection<Document> collection(MongoClient client, String name) {
        return client.getDatabase(DATABASE).getCollection(name);
    }

    private static int code(Throwable error) {
        return switch (error) {
            case MongoWriteException write -> write.getError().getCode();
            case MongoBulkWriteException bulk ->
                bulk.getWriteErrors().getFirst().getCode();
            case MongoException other -> other.getCode();
            default -> -1;
        };
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void nothingIsLeftHalfDone() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                Random random = new Random(seed + i);
                boolean changes = i < 3;
                running.add(threads.submit(() -> {
                    while (System.nanoTime() < end) {
                        step(random, changes);
                    }
                }));
            }
            for (Future<?> each : running) {
                assertThat(each.get(60, TimeUnit.SECONDS)).as("seed %d", seed).isNull();
            }
        }
        assertThat(new TreeMap<>(unexpected)).as("seed %d", seed).isEmpty();
        for (String name : NAMES) {
            agrees(name);
        }
        assertThat(first.getDatabase("config").getCollection("coordinators").countDocuments())
                .isZero();
    }

    private void step(Random random, boolean changes) {
        MongoClient client = random.nextBoolean() ? first : second;
        String name = NAMES.get(random.nextInt(NAMES.size()));
        int what = random.nextInt(10);
        try {
            if (changes) {
                change(random, client, name, what);
            } else {
                use(random, collection(client, name), what);
            }
        } catch (MongoException e) {
            int code = code(e);
            Set<Integer> expected =
                    !changes ? Set.of(26, 175) : what >= 3 && what <= 5 ? EXPECTED_OF_SHARDING : EXPECTED;
            if (!expected.contains(code)) {
                String unused =
                        unexpected.putIfAbsent((changes ? "change " : "use ") + what + " " + code, e.getMessage());
            }
        }
    }

    private void change(Random random, MongoClient client, String name, int what) {
        switch (what) {
            case 0 -> collection(client, name).drop();
            case 1 -> client.getDatabase(DATABASE).createCollection(name);
            case 2 ->
                collection(client, name)
                        .renameCollection(
                                new MongoNamespace(DATABASE, NAMES.get(random.nextInt(NAMES.size()))),
                                new RenameCollectionOptions().dropTarget(random.nextBoolean()));
            case 3 -> assertThat(admin(client, shard(name, 1))).isNotNull();
            case 4, 5 -> assertThat(admin(client, shard(name, "hashed"))).isNotNull();
            case 6 ->
                assertThat(collection(client, name).createIndex(Indexes.ascending("k", "f" + random.nextInt(3))))
                        .isNotNull();
            case 7 -> collection(client, name).dropIndexes();
            case 8 -> {
                if (random.nextInt(5) == 0) {
                    client.getDatabase(DATABASE).drop();
                }
            }
            default ->
                assertThat(admin(
                                client,
                                new Document("moveChunk", DATABASE + "." + name)
                                        .append("find", new Document("k", random.nextInt(1_000)))
                                        .append("to", "shard" + random.nextInt(3))))
                        .isNotNull();
        }
    }

    private static void use(Random random, MongoCollection<Document> things, int what) {
        switch (what) {
            case 0, 1, 2 ->
                assertThat(things.insertOne(new Document("k", random.nextInt(1_000))))
                        .isNotNull();
            case 3 -> {
                List<Document> many = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    many.add(new Document("k", random.nextInt(1_000)));
                }
                assertThat(things.insertMany(many)).isNotNull();
            }
            case 4, 5 ->
                assertThat(things.updateMany(Filters.lt("k", 100), Updates.inc("x", 1)))
                        .isNotNull();
            case 6 -> assertThat(things.deleteMany(Filters.gt("k", 990))).isNotNull();
            case 7 -> assertThat(things.countDocuments(Filters.eq("k", 5))).isNotNegative();
            default ->
                assertThat(things.find().batchSize(10).into(new ArrayList<>())).isNotNull();
        }
    }

    private void agrees(String name) {
        Set<Object> seen = new HashSet<>();
        for (Document each : collection(first, name).find()) {
            assertThat(seen.add(each.get("_id"))).as("%s, seed %d", name, seed).isTrue();
        }
        validates(name);
        assertThat(collection(second, name).countDocuments())
                .as("seed %d", seed)
                .isEqualTo(seen.size());
        assertThat(collection(second, name).estimatedDocumentCount())
                .as("seed %d", seed)
                .isEqualTo(seen.size());
        collection(first, name).drop();
        assertThat(collection(second, name).countDocuments())
                .as("seed %d", seed)
                .isZero();
    }

    /** On each shard indexes and counters agree with the documents there. */
    private void validates(String name) {
        for (int shard = 0; shard < 3; shard++) {
            try (MongoClient direct = MongoClients.create(shared.cluster().shardConnectionString(shard))) {
                if (direct.getDatabase(DATABASE)
                        .listCollectionNames()
                        .into(new ArrayList<>())
                        .contains(name)) {
                    Document found = direct.getDatabase(DATABASE).runCommand(new Document("validate", name));
                    assertThat(found.getBoolean("valid"))
                            .as("shard %d, seed %d: %s", shard, seed, found)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void twoRoutersShardTheSameCollectionAtOnce() throws Exception {
        for (int round = 0; round < 10; round++) {
            String name = "same" + round;
            CountDownLatch go = new CountDownLatch(1);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Document>> both = new ArrayList<>();
                for (MongoClient client : List.of(first, second, first)) {
                    both.add(threads.submit(() -> {
                        go.await();
                        return admin(client, shard(name, 1));
                    }));
                }
                go.countDown();
                for (Future<Document> each : both) {
                    assertThat(each.get(30, TimeUnit.SECONDS).getString("collectionsharded"))
                            .isEqualTo(DATABASE + "." + name);
                }
            }
        }
    }

    @Test
    void aRenameKeepsWhatItsTargetHolds() {
        assertThat(admin(first, shard("tracked", 1))).isNotNull();
        assertThat(collection(first, "tracked").insertOne(new Document("k", 1))).isNotNull();
        assertThat(collection(first, "plain").insertOne(new Document("kept", 1)))
                .isNotNull();
        for (var names : List.of(List.of("tracked", "plain"), List.of("plain", "tracked"))) {
            MongoNamespace to = new MongoNamespace(DATABASE, names.get(1));
            assertThatThrownBy(() -> collection(second, names.get(0)).renameCollection(to))
                    .satisfies(e -> assertThat(code(e)).isEqualTo(48));
        }
        assertThatThrownBy(() -> collection(second, "none").renameCollection(new MongoNamespace(DATABASE, "tracked")))
                .satisfies(e -> assertThat(code(e)).isEqualTo(26));
        assertThat(collection(second, "plain").countDocuments()).isOne();
        collection(second, "plain")
                .renameCollection(
                        new MongoNamespace(DATABASE, "tracked"), new RenameCollectionOptions().dropTarget(true));
        assertThat(collection(first, "tracked").find().first()).containsKey("kept");
        assertThat(first.getDatabase("config")
                        .getCollection("collections")
                        .countDocuments(Filters.eq("_id", DATABASE + ".tracked")))
                .isZero();
    }

    /** Somebody makes the target just while another collection is about to get its name: one of them is told. */
    @Test
    void nothingWrittenIsLostToARename() throws Exception {
        for (int round = 0; round < 40; round++) {
            String target = "target" + round;
            assertThat(admin(first, shard("source", 1))).isNotNull();
            assertThat(collection(first, "source").insertOne(new Document("k", 1).append("renamed", true)))
                    .isNotNull();
            CountDownLatch go = new CountDownLatch(1);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<?> rename = threads.submit(() -> {
                    go.await();
                    collection(first, "source").renameCollection(new MongoNamespace(DATABASE, target));
                    return null;
                });
                List<Future<?>> writers = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    Document written = new Document("_id", i).append("k", i);
                    writers.add(threads.submit(() -> {
                        go.await();
                        return collection(second, target).insertOne(written);
                    }));
                }
                go.countDown();
                boolean renamed = true;
                try {
                    assertThat(rename.get(30, TimeUnit.SECONDS)).isNull();
                } catch (ExecutionException taken) {
                    assertThat(code(taken.getCause())).isEqualTo(48);
                    renamed = false;
                }
                for (Future<?> each : writers) {
                    assertThat(each.get(30, TimeUnit.SECONDS)).isNotNull();
                }
                assertThat(collection(second, target).countDocuments()).isEqualTo(renamed ? 4 : 3);
                assertThat(collection(first, renamed ? target : "source").countDocuments(Filters.eq("renamed", true)))
                        .isOne();
            }
            collection(first, "source").drop();
            collection(first, target).drop();
        }
    }

    /** A collection is dropped and made again while it is being sharded: the answer is one that a client can use. */
    @Test
    void shardingWhatIsBeingDroppedSucceedsOrSaysWhy() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> droppers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                MongoCollection<Document> things = collection(i == 0 ? first : second, "dropped");
                droppers.add(threads.submit(() -> {
                    while (System.nanoTime() < end) {
                        things.drop();
                        assertThat(things.createIndex(Indexes.ascending("f"))).isNotNull();
                    }
                    return null;
                }));
            }
            int sharded = 0;
            while (System.nanoTime() < end) {
                assertThat(admin(first, shard("dropped", sharded % 2 == 0 ? 1 : "hashed")))
                        .isNotNull();
                sharded++;
                collection(first, "dropped").drop();
            }
            assertThat(sharded).isPositive();
            for (Future<?> each : droppers) {
                try {
                    assertThat(each.get(30, TimeUnit.SECONDS)).isNull();
                } catch (ExecutionException gone) {
                    assertThat(code(gone.getCause())).isIn(26, 276);
                }
            }
        }
    }

    @Test
    void boundsThatNoKeyCanHaveAreRefused() {
        assertThat(admin(first, shard("bounds", 1))).isNotNull();
        String name = DATABASE + ".bounds";
        Map<Document, Integer> refused = new TreeMap<>((a, b) -> a.toJson().compareTo(b.toJson()));
        refused.put(new Document("split", name).append("middle", new Document("k", new MaxKey())), 87);
        refused.put(new Document("split", name).append("middle", new Document("k", List.of(1))), 2);
        refused.put(new Document("split", name).append("find", new Document("k", List.of(1))), 2);
        refused.put(
                new Document("moveRange", name)
                        .append("min", new Document("k", new MaxKey()))
                        .append("toShard", "shard1"),
                2);
        refused.put(
                new Document("moveRange", name)
                        .append("min", new Document("k", List.of(1)))
                        .append("toShard", "shard1"),
                2);
        refused.forEach((command, expected) -> assertThatThrownBy(() -> admin(second, command))
                .as(command.toJson())
                .satisfies(e -> assertThat(code(e)).isEqualTo(expected)));
    }
}
