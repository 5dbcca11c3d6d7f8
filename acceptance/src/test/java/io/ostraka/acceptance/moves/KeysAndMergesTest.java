package io.ostraka.acceptance.moves;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import io.ostraka.acceptance.support.SharedCluster;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Longer shard keys, and chunks that are joined again. */
@ExtendWith(SharedCluster.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeysAndMergesTest {
    private static List<Document> chunks(SharedCluster shared, String namespace) {
        var config = shared.client().getDatabase("config");
        Object uuid = config.getCollection("collections")
                .find(Filters.eq("_id", namespace))
                .first()
                .get("uuid");
        return config.getCollection("chunks").find(Filters.eq("uuid", uuid)).into(new ArrayList<>());
    }

    private static Document admin(SharedCluster shared, Document command) {
        return shared.client().getDatabase("admin").runCommand(command);
    }

    @Test
    void aLongerKeyLetsOneValueBeSplit(SharedCluster shared) {
        admin(shared, new Document("shardCollection", "refine.things").append("key", new Document("customer", 1)));
        MongoCollection<Document> things = shared.client().getDatabase("refine").getCollection("things");
        List<Document> batch = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            batch.add(new Document("customer", "big").append("order", i));
        }
        things.insertMany(batch);
        Document refine = new Document("refineCollectionShardKey", "refine.things")
                .append("key", new Document("customer", 1).append("order", 1));
        assertThat(Assertions.assertThrows(MongoCommandException.class, () -> admin(shared, refine))
                        .getErrorCode())
                .isEqualTo(72);
        Document other =
                new Document("refineCollectionShardKey", "refine.things").append("key", new Document("order", 1));
        assertThat(Assertions.assertThrows(MongoCommandException.class, () -> admin(shared, other))
                        .getErrorCode())
                .isEqualTo(72);
        things.createIndex(Indexes.ascending("customer", "order"));
        admin(shared, refine);
        admin(shared, refine);
        assertThat(chunks(shared, "refine.things"))
                .allSatisfy(chunk ->
                        assertThat(chunk.get("min", Document.class).keySet()).containsExactly("customer", "order"));
        Document middle = new Document("customer", "big").append("order", 500);
        admin(shared, new Document("split", "refine.things").append("middle", middle));
        Document chunk = chunks(shared, "refine.things").stream()
                .filter(each -> each.get("min").equals(middle))
                .findFirst()
                .orElseThrow();
        String to = chunk.getString("shard").equals("shard0") ? "shard1" : "shard0";
        admin(
                shared,
                new Document("moveChunk", "refine.things")
                        .append("find", middle)
                        .append("to", to));
        assertThat(things.countDocuments()).isEqualTo(1_000);
        assertThat(things.countDocuments(Filters.eq("customer", "big"))).isEqualTo(1_000);
        things.insertOne(new Document("customer", "big").append("order", 2_000));
        assertThat(things.find(Filters.and(Filters.eq("customer", "big"), Filters.eq("order", 2_000)))
                        .first())
                .isNotNull();
    }

    @Test
    void aShardThatGetsItsFirstChunkKnowsTheValidator(SharedCluster shared) {
        admin(shared, new Document("shardCollection", "demands.things").append("key", new Document("x", 1)));
        var database = shared.client().getDatabase("demands");
        MongoCollection<Document> things = database.getCollection("things");
        String home = chunks(shared, "demands.things").getFirst().getString("shard");
        String other = home.equals("shard0") ? "shard1" : "shard0";
        for (String wanted : List.of("a", "b", "c")) {
            database.runCommand(new Document("collMod", "things")
                    .append("validator", new Document(wanted, new Document("$exists", true))));
            for (String to : List.of(other, home)) {
                admin(
                        shared,
                        new Document("moveChunk", "demands.things")
                                .append("find", new Document("x", 1))
                                .append("to", to));
                assertThat(chunks(shared, "demands.things").getFirst().getString("shard"))
                        .isEqualTo(to);
                assertThat(Assertions.assertThrows(
                                        MongoWriteException.class, () -> things.insertOne(new Document("x", 1)))
                                .getCode())
                        .isEqualTo(121);
                things.insertOne(new Document("x", 1).append(wanted, 1));
            }
        }
        assertThat(things.countDocuments()).isEqualTo(6);
    }

    @Test
    void aCollectionOfItsOwnCollationIsShardedByBytes(SharedCluster shared) {
        Document rules = new Document("locale", "en").append("strength", 2);
        var database = shared.client().getDatabase("collated");
        database.runCommand(new Document("create", "things").append("collation", rules));
        Document shard = new Document("shardCollection", "collated.things").append("key", new Document("s", 1));
        assertThat(Assertions.assertThrows(MongoCommandException.class, () -> admin(shared, shard))
                        .getErrorCode())
                .isEqualTo(2);
        shard.append("collation", new Document("locale", "simple"));
        admin(shared, shard);
        admin(shared, new Document("split", "collated.things").append("middle", new Document("s", "a")));
        String owner = chunks(shared, "collated.things").getFirst().getString("shard");
        admin(
                shared,
                new Document("moveChunk", "collated.things")
                        .append("find", new Document("s", "b"))
                        .append("to", owner.equals("shard0") ? "shard1" : "shard0"));
        MongoCollection<Document> things = database.getCollection("things");
        things.insertMany(List.of(
                new Document("s", "Ab"), new Document("s", "aB"), new Document("s", "ac"), new Document("s", "AA")));
        assertThat(things.countDocuments(Filters.eq("s", "ab"))).isEqualTo(2);
        assertThat(things.find()
                        .sort(new Document("s", 1))
                        .map(each -> each.getString("s"))
                        .into(new ArrayList<>()))
                .satisfies(sorted -> {
                    assertThat(sorted.getFirst()).isEqualTo("AA");
                    assertThat(sorted.getLast()).isEqualTo("ac");
                });
        assertThat(things.distinct("s", String.class).into(new ArrayList<>())).hasSize(3);
        assertThat(things.aggregate(List.of(new Document("$group", new Document("_id", "$s"))))
                        .into(new ArrayList<>()))
                .hasSize(3);
        assertThat(things.deleteMany(Filters.eq("s", "AB")).getDeletedCount()).isEqualTo(2);
        assertThat(things.countDocuments()).isEqualTo(2);
    }

    @Test
    void pipelinesWriteIntoShardedCollections(SharedCluster shared) {
        admin(shared, new Document("shardCollection", "outputs.sums").append("key", new Document("x", 1)));
        admin(shared, new Document("split", "outputs.sums").append("middle", new Document("x", 50)));
        String owner = chunks(shared, "outputs.sums").getFirst().getString("shard");
        admin(
                shared,
                new Document("moveChunk", "outputs.sums")
                        .append("find", new Document("x", 50))
                        .append("to", owner.equals("shard0") ? "shard1" : "shard0"));
        var database = shared.client().getDatabase("outputs");
        List<Document> batch = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            batch.add(new Document("_id", i).append("x", i % 100).append("n", 1));
        }
        database.getCollection("things").insertMany(batch);
        MongoCollection<Document> sums = database.getCollection("sums");
        Document merge = new Document("into", "sums")
                .append(
                        "whenMatched",
                        List.of(new Document("$set", new Document("n", "$$new.n").append("again", true))));
        for (int round = 0; round < 2; round++) {
            database.getCollection("things")
                    .aggregate(List.of(new Document("$merge", merge)))
                    .toCollection();
            assertThat(sums.countDocuments()).isEqualTo(2_500);
            assertThat(sums.countDocuments(Filters.eq("again", true))).isEqualTo(round * 2_500L);
        }
        assertThat(Assertions.assertThrows(
                                MongoCommandException.class,
                                () -> database.getCollection("things")
                                        .aggregate(List.of(
                                                new Document("$project", new Document("n", 1)),
                                                new Document("$merge", new Document("into", "sums"))))
                                        .toCollection())
                        .getErrorCode())
                .as("the shard key must be there")
                .isEqualTo(51132);
        assertThat(Assertions.assertThrows(
                                MongoCommandException.class,
                                () -> database.getCollection("things")
                                        .aggregate(List.of(new Document("$out", "sums")))
                                        .toCollection())
                        .getErrorCode())
                .isEqualTo(28769);
        database.getCollection("sums")
                .aggregate(List.of(
                        new Document("$group", new Document("_id", "$x").append("n", new Document("$sum", "$n"))),
                        new Document("$out", "small")))
                .toCollection();
        assertThat(database.getCollection("small").countDocuments(Filters.eq("n", 25)))
                .isEqualTo(100);
        assertThat(database.listCollectionNames()).noneMatch(name -> name.startsWith("tmp."));
    }

    @Test
    void neighboursAreMerged(SharedCluster shared) {
        admin(shared, new Document("shardCollection", "merges.things").append("key", new Document("x", 1)));
        for (int at = 10; at <= 100; at += 10) {
            admin(shared, new Document("split", "merges.things").append("middle", new Document("x", at)));
        }
        String owner = chunks(shared, "merges.things").getFirst().getString("shard");
        admin(
                shared,
                new Document("mergeChunks", "merges.things")
                        .append("bounds", List.of(new Document("x", 10), new Document("x", 30))));
        assertThat(chunks(shared, "merges.things")).hasSize(10);
        admin(shared, new Document("mergeAllChunksOnShard", "merges.things").append("shard", owner));
        assertThat(chunks(shared, "merges.things")).hasSize(1);
        admin(shared, new Document("configureCollectionBalancing", "merges.things").append("chunkSize", 2));
        assertThat(admin(shared, new Document("balancerCollectionStatus", "merges.things"))
                        .get("chunkSize"))
                .isEqualTo(2.0);
        assertThat(Assertions.assertThrows(
                                MongoCommandException.class,
                                () -> admin(
                                        shared,
                                        new Document("configureCollectionBalancing", "merges.things")
                                                .append("chunkSize", 5_000)))
                        .getErrorCode())
                .isEqualTo(72);
    }

    @Test
    void wholeCollectionsMoveAndAreShardedAgain(SharedCluster shared) {
        MongoCollection<Document> things = shared.client().getDatabase("whole").getCollection("things");
        things.createIndex(Indexes.ascending("mail"), new IndexOptions().unique(true));
        for (int i = 0; i < 200; i++) {
            things.insertOne(new Document("mail", "m" + i).append("x", i));
        }
        String primary = shared.client()
                .getDatabase("config")
                .getCollection("databases")
                .find(Filters.eq("_id", "whole"))
                .first()
                .getString("primary");
        String to = primary.equals("shard0") ? "shard1" : "shard0";
        admin(shared, new Document("moveCollection", "whole.things").append("toShard", to));
        assertThat(chunks(shared, "whole.things"))
                .hasSize(1)
                .allMatch(chunk -> chunk.getString("shard").equals(to));
        assertThat(things.countDocuments()).isEqualTo(200);
        things.createIndex(Indexes.ascending("x"), new IndexOptions().unique(true));
        assertThat(Assertions.assertThrows(
                                MongoWriteException.class, () -> things.insertOne(new Document("mail", "m1")))
                        .getCode())
                .isEqualTo(11000);
        things.updateOne(Filters.eq("mail", "m7"), new Document("$set", new Document("seen", true)));
        things.dropIndex("mail_1");
        admin(shared, new Document("shardCollection", "whole.things").append("key", new Document("x", 1)));
        admin(shared, new Document("split", "whole.things").append("middle", new Document("x", 100)));
        admin(
                shared,
                new Document("moveChunk", "whole.things")
                        .append("find", new Document("x", 150))
                        .append("to", "shard2"));
        assertThat(things.countDocuments()).isEqualTo(200);
        admin(shared, new Document("unshardCollection", "whole.things").append("toShard", "shard2"));
        assertThat(chunks(shared, "whole.things"))
                .hasSize(1)
                .allMatch(chunk -> chunk.getString("shard").equals("shard2"));
        assertThat(things.countDocuments()).isEqualTo(200);
        assertThat(things.countDocuments(Filters.eq("seen", true))).isEqualTo(1);
        assertThat(shared.client()
                        .getDatabase("whole")
                        .runCommand(new Document("collStats", "things"))
                        .getBoolean("sharded"))
                .isFalse();
    }
}
