package io.ostraka.acceptance.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicatedClusterTest {
    @TempDir
    Path folder;

    private static MongoCollection<Document> things(MongoClient client) {
        return client.getDatabase("d").getCollection("things");
    }

    private static void stepDown(EmbeddedCluster cluster, int shard) {
        for (int member = 0; member < 3; member++) {
            try (MongoClient direct = MongoClients.create(cluster.shardConnectionString(shard, member))) {
                Document hello = direct.getDatabase("admin").runCommand(new Document("hello", 1));
                if (hello.getBoolean("isWritablePrimary")) {
                    direct.getDatabase("admin").runCommand(new Document("replSetStepDown", 1));
                    return;
                }
            }
        }
    }

    @Test
    void shardsOfThreeMembersChangeTheirPrimariesUnderAClient() {
        ClusterSettings settings =
                ClusterSettings.DEFAULT.withShards(2).withMembers(3).withFolder(folder);
        try (EmbeddedCluster cluster = EmbeddedCluster.start(settings);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            client.getDatabase("admin")
                    .runCommand(
                            new Document("shardCollection", "d.things").append("key", new Document("_id", "hashed")));
            things(client)
                    .insertMany(IntStream.range(0, 300)
                            .mapToObj(i -> new Document("_id", i))
                            .toList());
            for (int shard = 0; shard < 2; shard++) {
                stepDown(cluster, shard);
                for (int i = 0; i < 50; i++) {
                    things(client).insertOne(new Document("_id", 1000 + 100 * shard + i));
                }
            }
            assertThat(things(client).countDocuments()).isEqualTo(400);
            Document chunk = client.getDatabase("config")
                    .getCollection("chunks")
                    .find(new Document("shard", "shard0"))
                    .first();
            client.getDatabase("admin")
                    .runCommand(new Document("moveChunk", "d.things")
                            .append(
                                    "bounds",
                                    List.of(chunk.get("min", Document.class), chunk.get("max", Document.class)))
                            .append("to", "shard1"));
            assertThat(things(client).countDocuments()).isEqualTo(400);
        }
        // Again, on other ports.
        try (EmbeddedCluster cluster = EmbeddedCluster.start(settings);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            assertThat(things(client).countDocuments()).isEqualTo(400);
            things(client).insertOne(new Document("_id", 5000));
        }
    }

    @Test
    void aRouterReadsFromSecondariesWhereAClientLetsIt() {
        ClusterSettings settings = ClusterSettings.DEFAULT.withShards(2).withMembers(3);
        try (EmbeddedCluster cluster = EmbeddedCluster.start(settings);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            client.getDatabase("admin")
                    .runCommand(
                            new Document("shardCollection", "d.things").append("key", new Document("_id", "hashed")));
            things(client)
                    .insertMany(IntStream.range(0, 500)
                            .mapToObj(i -> new Document("_id", i))
                            .toList());
            long before = queriesOnSecondaries(cluster);
            try (var session = client.startSession()) {
                things(client).insertOne(session, new Document("_id", 500));
                // Causally after the write, in batches that come from the member that has the cursor.
                List<Document> read = things(client)
                        .withReadPreference(ReadPreference.secondary())
                        .find(session)
                        .batchSize(20)
                        .into(new ArrayList<>());
                assertThat(read).hasSize(501);
            }
            assertThat(things(client)
                            .withReadPreference(ReadPreference.nearest())
                            .countDocuments())
                    .isEqualTo(501);
            assertThat(queriesOnSecondaries(cluster)).isGreaterThan(before);
            assertThatThrownBy(() -> client.getDatabase("d")
                            .runCommand(
                                    new Document("find", "things").append("maxTimeMS", 500),
                                    ReadPreference.secondary(new TagSet(new Tag("dc", "nowhere")))))
                    .isInstanceOf(MongoException.class);
        }
    }

    /** How many queries the members that do not lead have run. */
    private static long queriesOnSecondaries(EmbeddedCluster cluster) {
        long queries = 0;
        for (int shard = 0; shard < cluster.shards(); shard++) {
            for (int member = 0; member < 3; member++) {
                try (MongoClient direct = MongoClients.create(cluster.shardConnectionString(shard, member))) {
                    Document status = direct.getDatabase("admin").runCommand(new Document("serverStatus", 1));
                    if (status.get("repl", Document.class).getBoolean("secondary")) {
                        queries += status.get("opcounters", Document.class)
                                .get("query", Number.class)
                                .longValue();
                    }
                }
            }
        }
        return queries;
    }

    @Test
    void aClusterOfOneMemberEachGrowsToThree() {
        ClusterSettings one = ClusterSettings.DEFAULT.withShards(1).withFolder(folder);
        try (EmbeddedCluster cluster = EmbeddedCluster.start(one);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            things(client)
                    .insertMany(IntStream.range(0, 100)
                            .mapToObj(i -> new Document("_id", i))
                            .toList());
        }
        try (EmbeddedCluster cluster = EmbeddedCluster.start(one.withMembers(3));
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            assertThat(things(client).countDocuments()).isEqualTo(100);
            stepDown(cluster, 0);
            things(client).insertOne(new Document("_id", 100));
            assertThat(things(client).countDocuments()).isEqualTo(101);
        }
    }
}
