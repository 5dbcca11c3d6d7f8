package io.ostraka.acceptance.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.ostraka.acceptance.support.SharedCluster;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a shard key may be, and who may change its value. */
@ExtendWith(SharedCluster.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeyRulesTest {
    private final SharedCluster shared;

    KeyRulesTest(SharedCluster shared) {
        this.shared = shared;
    }

    private Document admin(Document command) {
        return shared.client().getDatabase("admin").runCommand(command);
    }

    /** Two documents of each shard, with key 1 to 6. */
    private MongoCollection<Document> spread(String name) {
        String namespace = "key_rules." + name;
        admin(new Document("shardCollection", namespace).append("key", new Document("k", 1)));
        for (int shard = 1; shard < 3; shard++) {
            Document at = new Document("k", shard * 2 + 1);
            admin(new Document("split", namespace).append("middle", at));
            admin(new Document("moveChunk", namespace).append("find", at).append("to", "shard" + shard));
        }
        MongoCollection<Document> things =
                shared.client().getDatabase("key_rules").getCollection(name);
        for (int k = 1; k <= 6; k++) {
            things.insertOne(new Document("k", k).append("x", 0));
        }
        return things;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{q: {}, u: {$inc: {k: 100}}, multi: true}",
                "{q: {}, u: {$set: {k: 5, x: 1}}, multi: true}",
                "{q: {k: 1}, u: {$set: {k: 2}}, multi: true}",
                "{q: {k: {$in: [1, 6]}}, u: {$unset: {k: 1}}, multi: true}",
                "{q: {}, u: [{$set: {k: {$add: ['$k', 1]}}}], multi: true}"
            })
    void manyDocumentsKeepTheirKeys(String statement) {
        MongoCollection<Document> things = spread("many" + Integer.toHexString(statement.hashCode()));
        Document reply = shared.client()
                .getDatabase("key_rules")
                .runCommand(new Document("update", things.getNamespace().getCollectionName())
                        .append("updates", List.of(Document.parse(statement))));
        assertThat(reply.getList("writeErrors", Document.class))
                .singleElement()
                .satisfies(error -> assertThat(error.getInteger("code")).isEqualTo(72));
        assertThat(things.distinct("k", Integer.class)).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
        things.drop();
    }

    @Test
    void theUsersOwnCollectionsInConfigAreHisAndTheCatalogIsNot() {
        MongoCollection<Document> mine = shared.client().getDatabase("config").getCollection("notes");
        mine.insertOne(new Document("_id", 1));
        assertThat(mine.countDocuments()).isEqualTo(1);
        mine.drop();
        Document reply = null;
        try {
            reply = shared.client()
                    .getDatabase("config")
                    .runCommand(new Document("insert", "chunks").append("documents", List.of(new Document("_id", 1))));
        } catch (com.mongodb.MongoCommandException refused) {
            assertThat(refused.getErrorCode()).isEqualTo(115);
        }
        assertThat(reply).isNull();
    }

    @Test
    void anUpdateOfManyThatSetsTheKeyToWhatItIsIsNone() {
        MongoCollection<Document> things = spread("same");
        assertThat(things.updateMany(Filters.eq("k", 3), Updates.combine(Updates.set("k", 3L), Updates.inc("x", 1)))
                        .getModifiedCount())
                .isEqualTo(1);
        assertThatThrownBy(() -> things.updateMany(Filters.gt("k", 3), Updates.set("k", 3)))
                .isInstanceOfSatisfying(
                        MongoWriteException.class,
                        e -> assertThat(e.getMessage()).contains("Multi-update operations are not allowed"));
        things.drop();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a: 1, 'a.b': 1}",
                "{'a.b': 1, a: 'hashed'}",
                "{'a.b.c': 1, x: 1, 'a.b': 1}",
                "{a: 1, 'b.$c': 1}",
                "{'a..b': 1}",
                "{a: -1}",
                "{a: 'hashed', b: 'hashed'}",
                "{}"
            })
    void keysThatNoBoundCouldBeWrittenForAreRefused(String key) {
        Document shard = new Document("shardCollection", "key_rules.refused").append("key", Document.parse(key));
        assertThatThrownBy(() -> admin(shard))
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(2));
        assertThat(shared.client()
                        .getDatabase("config")
                        .getCollection("collections")
                        .countDocuments(Filters.eq("_id", "key_rules.refused")))
                .isZero();
    }

    @Test
    void namesThatOnlyBeginAlikeDoNotCollide() {
        admin(new Document("shardCollection", "key_rules.alike")
                .append("key", Document.parse("{a: 1, ab: 1, 'b.a': 1}")));
        assertThatThrownBy(() -> admin(new Document("refineCollectionShardKey", "key_rules.alike")
                        .append("key", Document.parse("{a: 1, ab: 1, 'b.a': 1, b: 1}"))))
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(2));
    }
}
