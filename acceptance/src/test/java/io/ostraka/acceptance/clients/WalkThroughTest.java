package io.ostraka.acceptance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import io.ostraka.acceptance.support.Clients;
import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The walk-through that every release must pass, on a cluster of its own: once with the Java driver, then with mongosh
 * on what is there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WalkThroughTest {
    private static final int USERS = 100_000;
    /** Within which the splitter and the balancer must have come to rest. */
    private static final Duration REST = Duration.ofMinutes(2);

    private EmbeddedCluster cluster;
    private MongoClient client;

    @BeforeAll
    void start() {
        cluster = EmbeddedCluster.start(
                ClusterSettings.DEFAULT.withChunkMegabytes(1).withBalancerIdle(Duration.ofMillis(500)));
        client = MongoClients.create(cluster.connectionString());
    }

    @AfterAll
    void stop() {
        client.close();
        cluster.close();
    }

    private MongoCollection<Document> users() {
        return client.getDatabase("test").getCollection("users");
    }

    private MongoDatabase admin() {
        return client.getDatabase("admin");
    }

    private MongoCollection<Document> config(String collection) {
        return client.getDatabase("config").getCollection(collection);
    }

    @Test
    @Order(1)
    void insertOneHundredThousandUsers() {
        List<Document> batch = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            Document user = new Document("username", "user" + i).append("created_at", new java.util.Date(i));
            if (i < 1_000) {
                users().insertOne(user);
                continue;
            }
            batch.add(user);
            if (batch.size() == 5_000 || i == USERS - 1) {
                users().insertMany(batch);
                batch.clear();
            }
        }
        assertThat(users().countDocuments()).isEqualTo(USERS);
    }

    @Test
    @Order(2)
    void shardingAsksForTheIndexByName() {
        admin().runCommand(new Document("enableSharding", "test"));
        Document shard = new Document("shardCollection", "test.users").append("key", new Document("username", 1));
        MongoCommandException refused =
                Assertions.assertThrows(MongoCommandException.class, () -> admin().runCommand(shard));
        assertThat(refused.getErrorCode()).isEqualTo(72);
        assertThat(refused.getErrorMessage()).contains("createIndex({\"username\": 1})");
        users().createIndex(Indexes.ascending("username"));
        assertThat(admin().runCommand(shard).getString("collectionsharded")).isEqualTo("test.users");
        assertThat(admin().runCommand(shard).getString("collectionsharded")).isEqualTo("test.users");
    }

    @Test
    @Order(3)
    void chunksSplitAndSpread() {
        Instant end = Instant.ofEpochMilli(System.currentTimeMillis()).plus(REST);
        List<Document> shards = List.of();
        boolean atRest = false;
        while (!atRest && System.currentTimeMillis() < end.toEpochMilli()) {
            shards = distribution();
            atRest = shards.size() == 3
                    && shards.stream().allMatch(shard -> shard.getInteger("n") >= 2)
                    && admin().runCommand(new Document("balancerCollectionStatus", "test.users"))
                            .getBoolean("balancerCompliant");
        }
        assertThat(shards).as("chunks by shard").hasSize(3).allMatch(shard -> shard.getInteger("n") >= 2);
        List<Document> stats = users().aggregate(
                        List.of(new Document("$collStats", new Document("storageStats", new Document()))))
                .into(new ArrayList<>());
        long all = stats.stream().mapToLong(this::bytes).sum();
        assertThat(stats).hasSize(3).allMatch(shard -> bytes(shard) * 4 >= all);
        assertThat(users().countDocuments()).isEqualTo(USERS);
        assertThat(users().estimatedDocumentCount()).isEqualTo(USERS);
        List<Document> chunks = config("chunks")
                .find(Filters.eq(
                        "uuid",
                        config("collections")
                                .find(Filters.eq("_id", "test.users"))
                                .first()
                                .get("uuid")))
                .sort(Sorts.ascending("min"))
                .into(new ArrayList<>());
        assertThat(chunks.getFirst().get("min", Document.class).get("username"))
                .isInstanceOf(org.bson.types.MinKey.class);
        assertThat(chunks.getLast().get("max", Document.class).get("username"))
                .isInstanceOf(org.bson.types.MaxKey.class);
        for (int i = 1; i < chunks.size(); i++) {
            assertThat(chunks.get(i).get("min")).isEqualTo(chunks.get(i - 1).get("max"));
        }
    }

    private long bytes(Document shard) {
        Document storage = shard.get("storageStats", Document.class);
        // What a move has left behind is in the size until it is cleaned up, as shells expect it, and not in the count.
        return storage.get("count", Number.class).longValue()
                * storage.get("avgObjSize", Number.class).longValue();
    }

    private List<Document> distribution() {
        return config("chunks")
                .aggregate(List.of(Aggregates.group("$shard", com.mongodb.client.model.Accumulators.sum("n", 1))))
                .into(new ArrayList<>());
    }

    @Test
    @Order(4)
    void explainTellsOneShardFromAll() {
        Document one = users().find(Filters.eq("username", "user100")).explain();
        assertThat(stage(one)).isEqualTo("SINGLE_SHARD");
        assertThat(stage(users().find().explain())).isEqualTo("SHARD_MERGE");
        List<Document> found = users().find(Filters.regex("username", "^user1"))
                .sort(Sorts.ascending("username"))
                .into(new ArrayList<>());
        assertThat(found).hasSize(11_111);
        for (int i = 1; i < found.size(); i++) {
            assertThat(found.get(i).getString("username"))
                    .isGreaterThan(found.get(i - 1).getString("username"));
        }
    }

    private static String stage(Document explained) {
        return explained
                .get("queryPlanner", Document.class)
                .get("winningPlan", Document.class)
                .getString("stage");
    }

    @Test
    @Order(5)
    void splitMoveAndSwitchTheBalancerByHand() {
        admin().runCommand(new Document("balancerStop", 1).append("maxTimeMS", 60_000));
        assertThat(admin().runCommand(new Document("balancerStatus", 1)).getString("mode"))
                .isEqualTo("off");
        Document middle = new Document("username", "user77777x");
        admin().runCommand(new Document("split", "test.users").append("middle", middle));
        Document chunk = config("chunks").find(Filters.eq("min", middle)).first();
        assertThat(chunk).isNotNull();
        String to = chunk.getString("shard").equals("shard0") ? "shard1" : "shard0";
        admin().runCommand(new Document("moveChunk", "test.users")
                .append("find", middle)
                .append("to", to));
        assertThat(config("chunks").find(Filters.eq("min", middle)).first().getString("shard"))
                .isEqualTo(to);
        assertThat(users().countDocuments()).isEqualTo(USERS);
        admin().runCommand(new Document("balancerStart", 1));
        assertThat(admin().runCommand(new Document("balancerStatus", 1)).getString("mode"))
                .isEqualTo("full");
    }

    @Test
    @Order(6)
    void theConfigDatabaseTellsAll() {
        assertThat(config("changelog")
                        .find(Filters.eq("what", "moveChunk.commit"))
                        .first())
                .isNotNull();
        assertThat(config("changelog")
                        .find(Filters.in("what", "split", "multi-split"))
                        .first())
                .isNotNull();
        assertThat(config("settings")
                        .find(Filters.eq("_id", "chunksize"))
                        .first()
                        .getInteger("value"))
                .isEqualTo(1);
        assertThat(config("mongos").find().first()).isNotNull();
        assertThat(config("shards").countDocuments()).isEqualTo(3);
        assertThat(config("version").find().first().getObjectId("clusterId")).isNotNull();
    }

    @Test
    @Order(7)
    void aHashedCollectionBeginsOnAllShards() {
        admin().runCommand(
                        new Document("shardCollection", "test.hashed").append("key", new Document("user", "hashed")));
        List<Document> chunks = config("chunks")
                .find(Filters.eq(
                        "uuid",
                        config("collections")
                                .find(Filters.eq("_id", "test.hashed"))
                                .first()
                                .get("uuid")))
                .into(new ArrayList<>());
        assertThat(chunks.stream().map(chunk -> chunk.getString("shard")).distinct())
                .hasSize(3);
        admin().runCommand(new Document("shardCollection", "test.compound")
                .append("key", new Document("server", 1).append("time", 1)));
        Document compound = config("chunks")
                .find(Filters.eq(
                        "uuid",
                        config("collections")
                                .find(Filters.eq("_id", "test.compound"))
                                .first()
                                .get("uuid")))
                .first();
        assertThat(compound.get("min", Document.class).keySet()).containsExactly("server", "time");
    }

    @Test
    @Order(8)
    void mongoshShowsTheSame() {
        Clients.assumePresent();
        Clients.Ran ran = Clients.mongosh(cluster.connectionString() + "test", """
                sh.status()
                show dbs
                show collections
                db.users.getShardDistribution()
                print("N=" + (db.runCommand({collStats: "users"}).nchunks > 6))
                print("D=" + db.users.stats().count)
                print("E=" + db.users.find({username: "user100"}).explain().queryPlanner.winningPlan.stage)
                print("A=" + db.users.find().explain().queryPlanner.winningPlan.stage)
                print("S=" + db.users.find({username: /^user1/}).sort({username: 1}).toArray().length)
                sh.stopBalancer().ok
                print("B=" + sh.isBalancerRunning().mode)
                sh.splitAt("test.users", {username: "user55555x"}).ok
                sh.moveChunk("test.users", {username: "user55555x"}, "shard2").ok
                sh.startBalancer().ok
                use config
                print("C=" + db.chunks.find().sort({min: 1}).toArray().length)
                print("L=" + db.changelog.find().toArray().length)
                print("T=" + db.settings.find().toArray().length)
                print("O=" + db.currentOp().inprog.length)
                """);
        assertThat(ran.exitCode()).as(ran.output()).isZero();
        assertThat(ran.output())
                .contains(
                        "shardingVersion",
                        "'on shard'",
                        "E=SINGLE_SHARD",
                        "A=SHARD_MERGE",
                        "S=11111",
                        "B=off",
                        "N=true",
                        "D=100000")
                .doesNotContain("undefined")
                .doesNotContain("NaN")
                .doesNotContain("Error")
                .doesNotContain("    at ");
    }
}
