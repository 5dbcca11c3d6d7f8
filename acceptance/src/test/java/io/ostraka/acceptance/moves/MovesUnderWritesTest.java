package io.ostraka.acceptance.moves;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two routers, one of which makes no move. While chunks are split and moved, one writer inserts, updates and deletes,
 * and full scans go on: by {@code _id}, by another index, and by count.
 */
class MovesUnderWritesTest {
    private static final int STABLE = 4_000;
    private static final int MOVES = 24;
    private static final int SPLITS = 24;
    private static final int SCANS = 54;

    private final long seed = System.nanoTime();
    /** Documents of the writer: acknowledged as inserted, and not yet asked to be deleted. */
    private final Set<Integer> alive = new ConcurrentSkipListSet<>();
    /** Documents of the writer whose deletion is acknowledged. */
    private final Set<Integer> deleted = new ConcurrentSkipListSet<>();

    private final AtomicLong increments = new AtomicLong();
    private final AtomicBoolean stop = new AtomicBoolean();

    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void everyDocumentIsSeenOnceAndCounted() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(ClusterSettings.DEFAULT.withRouters(2));
                MongoClient mover = MongoClients.create(cluster.connectionString(0));
                MongoClient stale = MongoClients.create(cluster.connectionString(1));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            MongoDatabase admin = mover.getDatabase("admin");
            admin.runCommand(new Document("balancerStop", 1).append("maxTimeMS", 60_000));
            admin.runCommand(new Document("shardCollection", "moves.things").append("key", new Document("k", 1)));
            MongoCollection<Document> things = mover.getDatabase("moves").getCollection("things");
            things.createIndex(Indexes.ascending("r"));
            fill(things);

            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(stale), threads);
            AtomicInteger moved = new AtomicInteger();
            CompletableFuture<Void> moving = CompletableFuture.runAsync(() -> move(mover, moved), threads);
            int scans = 0;
            try {
                while (scans < SCANS || !moving.isDone()) {
                    assertThat(writing.isCompletedExceptionally())
                            .as("the writer failed")
                            .isFalse();
                    MongoClient client = scans % 2 == 0 ? stale : mover;
                    scan(client.getDatabase("moves").getCollection("things"), scans);
                    scans++;
                }
            } finally {
                stop.set(true);
            }
            moving.join();
            writing.join();
            assertThat(moved.get()).as("moves").isGreaterThanOrEqualTo(MOVES);
            atRest(things);
        }
    }

    private void fill(MongoCollection<Document> things) {
        Random random = new Random(seed);
        List<Document> batch = new ArrayList<>();
        for (int i = 0; i < STABLE; i++) {
            batch.add(new Document("_id", i)
                    .append("k", i)
                    .append("r", random.nextInt())
                    .append("stable", true)
                    .append("n", 0)
                    .append("filler", "x".repeat(100)));
        }
        things.insertMany(batch);
    }

    private void write(MongoClient client) {
        MongoCollection<Document> things = client.getDatabase("moves").getCollection("things");
        Random random = new Random(seed + 1);
        int next = 1_000_000;
        while (!stop.get()) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    int id = next++;
                    things.insertOne(new Document("_id", id)
                            .append("k", random.nextInt(STABLE))
                            .append("r", random.nextInt()));
                    alive.add(id);
                }
                case 1 -> {
                    int id = random.nextInt(STABLE);
                    long modified = things.updateOne(Filters.eq("k", id), Updates.inc("n", 1))
                            .getModifiedCount();
                    increments.addAndGet(modified);
                    assertThat(modified).as("update of k %d, seed %d", id, seed).isEqualTo(1);
                }
                default -> {
                    if (!alive.isEmpty()) {
                        int id = alive.iterator().next();
                        alive.remove(id);
                        assertThat(things.deleteOne(Filters.eq("_id", id)).getDeletedCount())
                                .isEqualTo(1);
                        deleted.add(id);
                    }
                }
            }
        }
    }

    private void move(MongoClient client, AtomicInteger moved) {
        MongoDatabase admin = client.getDatabase("admin");
        Random random = new Random(seed + 2);
        Set<Integer> bounds = new TreeSet<>();
        for (int i = 0; i < Math.max(MOVES, SPLITS); i++) {
            int at = 1 + random.nextInt(STABLE - 1);
            if (bounds.add(at)) {
                admin.runCommand(new Document("split", "moves.things").append("middle", new Document("k", at)));
            }
            int any = random.nextInt(STABLE);
            Document chunk = chunkOf(client, any);
            String from = chunk.getString("shard");
            String to = "shard" + (Integer.parseInt(from.substring(5)) + 1 + random.nextInt(2)) % 3;
            admin.runCommand(new Document("moveChunk", "moves.things")
                    .append("find", new Document("k", any))
                    .append("to", to));
            moved.incrementAndGet();
        }
        assertThat(bounds).hasSizeGreaterThanOrEqualTo(20);
    }

    private static Document chunkOf(MongoClient client, int key) {
        MongoDatabase config = client.getDatabase("config");
        Object uuid = config.getCollection("collections")
                .find(Filters.eq("_id", "moves.things"))
                .first()
                .get("uuid");
        for (Document chunk :
                config.getCollection("chunks").find(Filters.eq("uuid", uuid)).sort(Sorts.ascending("min"))) {
            Object max = chunk.get("max", Document.class).get("k");
            if (max instanceof MaxKey || max instanceof Integer end && key < end) {
                return chunk;
            }
        }
        throw new AssertionError("no chunk holds " + key);
    }

    private void scan(MongoCollection<Document> things, int number) {
        Set<Integer> before = new HashSet<>(alive);
        Set<Integer> gone = new HashSet<>(deleted);
        if (number % 3 == 2) {
            assertThat(things.countDocuments(Filters.eq("stable", true)))
                    .as("stable, seed %d", seed)
                    .isEqualTo(STABLE);
            long byCounter = things.estimatedDocumentCount();
            long byQuery = things.countDocuments(Filters.gte("k", 0), new CountOptions());
            // Whatever was there before, and still is now that both have answered, was there all the time.
            long least = STABLE + before.stream().filter(alive::contains).count();
            assertThat(byCounter).as("count by the counter, seed %d", seed).isGreaterThanOrEqualTo(least);
            assertThat(byQuery).as("count by a query, seed %d", seed).isGreaterThanOrEqualTo(least);
            return;
        }
        Set<Integer> seen = new HashSet<>();
        String field = number % 3 == 0 ? "_id" : "r";
        for (Document thing : things.find()
                .projection(new Document("_id", 1))
                .sort(Sorts.ascending(field))
                .hint(new Document(field, 1))
                .batchSize(500)) {
            assertThat(seen.add(thing.getInteger("_id")))
                    .as("%s is seen once by %s, seed %d", thing, field, seed)
                    .isTrue();
        }
        Set<Integer> after = new HashSet<>(alive);
        before.retainAll(after);
        assertThat(seen)
                .as("what was there all the time, by %s, seed %d", field, seed)
                .containsAll(before);
        assertThat(seen.stream().filter(id -> id < STABLE))
                .as("stable by %s, seed %d", field, seed)
                .hasSize(STABLE);
        gone.retainAll(seen);
        assertThat(gone).as("deleted before the scan began, seed %d", seed).isEmpty();
    }

    private void atRest(MongoCollection<Document> things) {
        assertThat(things.countDocuments()).isEqualTo(STABLE + alive.size());
        assertThat(things.estimatedDocumentCount()).isEqualTo(STABLE + alive.size());
        long sum = 0;
        for (Document thing : things.find(Filters.eq("stable", true))) {
            sum += thing.getInteger("n");
        }
        assertThat(sum).as("each increment counted once, seed %d", seed).isEqualTo(increments.get());
    }
}
