package io.ostraka.acceptance.moves;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.geojson.Point;
import com.mongodb.client.model.geojson.Position;
import io.ostraka.acceptance.support.SharedCluster;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Documents that move are found by words, by places and by any of their fields where they come to. */
@ExtendWith(SharedCluster.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IndexKindsMoveTest {
    private static final int DOCUMENTS = 200;

    private static void admin(SharedCluster shared, Document command) {
        Document unused = shared.client().getDatabase("admin").runCommand(command);
    }

    private static List<Integer> ids(Iterable<Document> found) {
        List<Integer> ids = new ArrayList<>();
        found.forEach(document -> ids.add(document.getInteger("_id")));
        return ids;
    }

    private static void check(MongoCollection<Document> things) {
        assertThat(ids(things.find(Filters.text("common -even")).sort(Sorts.ascending("_id"))))
                .hasSize(DOCUMENTS / 2)
                .allSatisfy(id -> assertThat(id % 2).isEqualTo(1));
        assertThat(ids(things.find(Filters.text("number7 number150 common"))
                        .projection(Projections.metaTextScore("score"))
                        .sort(Sorts.metaTextScore("score"))
                        .limit(2)))
                .containsExactlyInAnyOrder(7, 150);
        assertThat(ids(things.find(Filters.near("place", new Point(new Position(50.1, 0)), null, null))
                        .limit(3)))
                .containsExactly(100, 101, 99);
        assertThat(ids(things.find(Filters.eq("free.n13", 13)).hintString("any")))
                .containsExactly(13);
    }

    @Test
    void areFoundWhereTheyComeTo(SharedCluster shared) {
        admin(shared, new Document("shardCollection", "kinds.things").append("key", new Document("_id", 1)));
        MongoCollection<Document> things = shared.client().getDatabase("kinds").getCollection("things");
        things.createIndexes(List.of(
                new com.mongodb.client.model.IndexModel(Indexes.text("words")),
                new com.mongodb.client.model.IndexModel(Indexes.geo2dsphere("place")),
                new com.mongodb.client.model.IndexModel(
                        Indexes.ascending("free.$**"), new com.mongodb.client.model.IndexOptions().name("any"))));
        List<Document> batch = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            batch.add(new Document("_id", i)
                    .append("words", "common number" + i + (i % 2 == 0 ? " even" : " odd"))
                    .append("place", new Document("type", "Point").append("coordinates", List.of(i / 2.0, 0)))
                    .append("free", new Document("n" + i, i)));
        }
        things.insertMany(batch);
        check(things);
        admin(shared, new Document("split", "kinds.things").append("middle", new Document("_id", DOCUMENTS / 2)));
        for (String to : List.of("shard0", "shard1", "shard2")) {
            admin(
                    shared,
                    new Document("moveChunk", "kinds.things")
                            .append("find", new Document("_id", DOCUMENTS / 2))
                            .append("to", to));
            check(things);
        }
    }
}
