package io.ostraka.acceptance.moves;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Where chunks may live, and how a shard is emptied. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ZonesAndDrainingTest {
    private static final long REST_NANOS = 60_000_000_000L;

    private EmbeddedCluster cluster;
    private MongoClient client;

    @BeforeAll
    void start() {
        cluster = EmbeddedCluster.start(
                ClusterSettings.DEFAULT.withShards(4).withChunkMegabytes(1).withBalancerIdle(Duration.ofMillis(200)));
        client = MongoClients.create(cluster.connectionString());
    }

    @AfterAll
    void stop() {
        client.close();
        cluster.close();
    }

    private Document admin(Document command) {
        return client.getDatabase("admin").runCommand(command);
    }

    private List<Document> chunks(String namespace) {
        MongoDatabase config = client.getDatabase("config");
        Object uuid = config.getCollection("collections")
                .find(Filters.eq("_id", namespace))
                .first()
                .get("uuid");
        return config.getCollection("chunks").find(Filters.eq("uuid", uuid)).into(new ArrayList<>());
    }

    private static void eventually(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + REST_NANOS;
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
        }
    }

    @Test
    void chunksFollowTheirZones() {
        admin(new Document("shardCollection", "zones.things").append("key", new Document("country", 1).append("n", 1)));
        MongoCollection<Document> things = client.getDatabase("zones").getCollection("things");
        for (String country : List.of("de", "fr", "us")) {
            List<Document> batch = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                batch.add(new Document("country", country).append("n", i));
            }
            things.insertMany(batch);
        }
        MongoCommandException unknown = Assertions.assertThrows(
                MongoCommandException.class,
                () -> admin(new Document("updateZoneKeyRange", "zones.things")
                        .append("min", new Document("country", "de"))
                        .append("max", new Document("country", "ee"))
                        .append("zone", "nowhere")));
        assertThat(unknown.getErrorCode()).isEqualTo(177);
        admin(new Document("addShardToZone", "shard1").append("zone", "europe"));
        admin(new Document("addShardToZone", "shard2").append("zone", "america"));
        admin(new Document("updateZoneKeyRange", "zones.things")
                .append("min", new Document("country", "de"))
                .append("max", new Document("country", "g"))
                .append("zone", "europe"));
        admin(new Document("updateZoneKeyRange", "zones.things")
                .append("min", new Document("country", "us"))
                .append("max", new Document("country", "ut"))
                .append("zone", "america"));
        MongoCommandException overlap = Assertions.assertThrows(
                MongoCommandException.class,
                () -> admin(new Document("updateZoneKeyRange", "zones.things")
                        .append("min", new Document("country", "f"))
                        .append("max", new Document("country", "z"))
                        .append("zone", "america")));
        assertThat(overlap.getErrorCode()).isEqualTo(178);
        eventually(
                "chunks are in their zones",
                () -> owner("de").equals(Set.of("shard1")) && owner("us").equals(Set.of("shard2")));
        assertThat(things.countDocuments()).isEqualTo(1_500);
        assertThat(things.find(Filters.eq("country", "fr")).explain().toJson()).contains("SINGLE_SHARD", "shard1");
        MongoCommandException inUse = Assertions.assertThrows(
                MongoCommandException.class,
                () -> admin(new Document("removeShardFromZone", "shard1").append("zone", "europe")));
        assertThat(inUse.getErrorCode()).isEqualTo(163);
        admin(new Document("updateZoneKeyRange", "zones.things")
                .append("min", new Document("country", "de").append("n", new MinKey()))
                .append("max", new Document("country", "g").append("n", new MinKey()))
                .append("zone", null));
        admin(new Document("removeShardFromZone", "shard1").append("zone", "europe"));
    }

    /** The shards of the chunks that hold a country's documents. */
    private Set<String> owner(String country) {
        Set<String> owners = new TreeSet<>();
        for (Document chunk : chunks("zones.things")) {
            Object min = chunk.get("min", Document.class).get("country");
            Object max = chunk.get("max", Document.class).get("country");
            boolean startsBelow = min instanceof MinKey || min instanceof String low && low.compareTo(country) <= 0;
            boolean endsAbove = max instanceof MaxKey || max instanceof String high && high.compareTo(country) > 0;
            if (startsBelow && endsAbove) {
                owners.add(chunk.getString("shard"));
            }
        }
        return owners;
    }

    @Test
    void aShardIsEmptiedAndTakenOut() {
        admin(new Document("enableSharding", "drain").append("primaryShard", "shard3"));
        admin(new Document("shardCollection", "drain.hashed").append("key", new Document("x", "hashed")));
        MongoDatabase drain = client.getDatabase("drain");
        drain.getCollection("plain").createIndex(Indexes.ascending("mail"), new IndexOptions().unique(true));
        for (int i = 0; i < 300; i++) {
            drain.getCollection("hashed").insertOne(new Document("x", i));
            drain.getCollection("plain").insertOne(new Document("mail", "m" + i).append("n", 0));
        }
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger increments = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<Void> writing = CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; !stop.get(); i++) {
                            increments.addAndGet((int) drain.getCollection("plain")
                                    .updateOne(Filters.eq("mail", "m" + i % 300), Updates.inc("n", 1))
                                    .getModifiedCount());
                        }
                    },
                    threads);
            try {
                assertThat(admin(new Document("removeShard", "shard3")).getString("state"))
                        .isEqualTo("started");
                Document ongoing = admin(new Document("removeShard", "shard3"));
                assertThat(ongoing.getString("state")).isEqualTo("ongoing");
                assertThat(ongoing.getList("dbsToMove", String.class)).containsExactly("drain");
                drain.createView(
                        "view", "plain", List.of(new Document("$match", new Document("n", new Document("$gte", 0)))));
                admin(new Document("movePrimary", "drain").append("to", "shard0"));
                eventually(
                        "the shard is empty",
                        () -> admin(new Document("removeShard", "shard3"))
                                .getString("state")
                                .equals("completed"));
            } finally {
                stop.set(true);
            }
            writing.join();
        }
        assertThat(client.getDatabase("config").getCollection("shards").countDocuments())
                .isEqualTo(3);
        assertThat(drain.getCollection("hashed").countDocuments()).isEqualTo(300);
        assertThat(drain.getCollection("plain").countDocuments()).isEqualTo(300);
        int sum = 0;
        for (Document plain : drain.getCollection("plain").find()) {
            sum += plain.getInteger("n");
        }
        assertThat(sum).as("each increment counted once").isEqualTo(increments.get());
        assertThat(drain.listCollectionNames()).contains("plain", "hashed", "view");
        assertThat(drain.getCollection("view").countDocuments()).isEqualTo(300);
        assertThat(client.getDatabase("config")
                        .getCollection("collections")
                        .find(Filters.eq("_id", "drain.plain"))
                        .first())
                .isNull();
        MongoCommandException gone = Assertions.assertThrows(
                MongoCommandException.class, () -> admin(new Document("removeShard", "shard3")));
        assertThat(gone.getErrorCode()).isEqualTo(70);
    }
}
