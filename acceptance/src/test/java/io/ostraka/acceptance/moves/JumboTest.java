package io.ostraka.acceptance.moves;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.ostraka.acceptance.support.Clients;
import io.ostraka.acceptance.support.SharedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A chunk of one key value that has outgrown the chunk size and cannot be split. */
@ExtendWith(SharedCluster.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JumboTest {
    private static final Document VALUE = new Document("k", 7);

    private final SharedCluster shared;

    JumboTest(SharedCluster shared) {
        this.shared = shared;
    }

    private Document admin(Document command) {
        return shared.client().getDatabase("admin").runCommand(command);
    }

    private Document chunk() {
        var config = shared.client().getDatabase("config");
        Object uuid = config.getCollection("collections")
                .find(Filters.eq("_id", "jumbo.things"))
                .first()
                .get("uuid");
        return config.getCollection("chunks")
                .find(Filters.and(Filters.eq("uuid", uuid), Filters.lte("min", VALUE), Filters.gt("max", VALUE)))
                .first();
    }

    private Document awaitFlag(boolean jumbo) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        Document chunk = chunk();
        while (chunk.getBoolean("jumbo", false) != jumbo) {
            assertThat(System.nanoTime()).as("%s", chunk).isLessThan(end);
            chunk = chunk();
        }
        return chunk;
    }

    @Test
    void isFlaggedShownMovedAndCleared() {
        admin(new Document("shardCollection", "jumbo.things").append("key", new Document("k", 1)));
        admin(new Document("configureCollectionBalancing", "jumbo.things").append("chunkSize", 1));
        MongoCollection<Document> things = shared.client().getDatabase("jumbo").getCollection("things");
        for (int round = 0; round < 4; round++) {
            List<Document> batch = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                batch.add(new Document(VALUE).append("filler", "x".repeat(10 << 10)));
            }
            assertThat(things.insertMany(batch).wasAcknowledged()).isTrue();
        }
        Document chunk = awaitFlag(true);
        Clients.assumePresent();
        String shown = Clients.mongosh(shared.cluster().connectionString(0), "sh.status(true)\nprint('#### end')\n")
                .output();
        assertThat(shown).contains("'jumbo'", "#### end").doesNotContain("Error");
        String to = chunk.getString("shard").equals("shard0") ? "shard1" : "shard0";
        admin(new Document("moveChunk", "jumbo.things")
                .append("find", VALUE)
                .append("to", to)
                .append("forceJumbo", true));
        assertThat(chunk().getString("shard")).isEqualTo(to);
        assertThat(things.countDocuments(VALUE)).isEqualTo(400);
        admin(new Document("clearJumboFlag", "jumbo.things").append("find", VALUE));
        assertThat(chunk().getBoolean("jumbo", false)).isFalse();
    }
}
