package io.ostraka.acceptance.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import io.ostraka.acceptance.support.SharedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions of a router, and what ends with them. */
@ExtendWith(SharedCluster.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionsTest {
    private MongoClient client;
    private MongoDatabase admin;
    private MongoCollection<Document> things;

    @BeforeEach
    void fill(SharedCluster shared) {
        client = shared.client();
        admin = client.getDatabase("admin");
        things = client.getDatabase("sessions").getCollection("things");
        things.drop();
        things.insertMany(
                IntStream.range(0, 100).mapToObj(i -> new Document("_id", i)).toList());
    }

    private List<BsonValue> known() {
        List<BsonValue> ids = new ArrayList<>();
        admin.aggregate(List.of(new BsonDocument("$listLocalSessions", new BsonDocument())), BsonDocument.class)
                .forEach(shown -> ids.add(shown.getDocument("_id").get("id")));
        return ids;
    }

    private static BsonDocument lsid(ClientSession session) {
        return session.getServerSession().getIdentifier();
    }

    private static void assertGone(MongoCursor<Document> cursor) {
        assertThatThrownBy(() -> {
                    while (cursor.hasNext()) {
                        cursor.next();
                    }
                })
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getCode()).isEqualTo(43));
    }

    private MongoCursor<Document> begun(ClientSession session) {
        MongoCursor<Document> cursor = things.find(session).batchSize(2).iterator();
        assertThat(cursor.next()).isNotNull();
        return cursor;
    }

    @Test
    void aKilledSessionTakesItsCursorsWithIt() {
        for (Document command : List.of(
                new Document("killSessions", "its own"),
                new Document("killAllSessionsByPattern", "its own pattern"),
                new Document("killAllSessionsByPattern", List.of()),
                new Document("killAllSessions", List.of()))) {
            try (ClientSession session = client.startSession();
                    ClientSession other = client.startSession()) {
                MongoCursor<Document> cursor = begun(session);
                MongoCursor<Document> others = begun(other);
                assertThat(known()).contains(lsid(session).get("id"));
                if (command.get("killSessions") != null) {
                    command.put("killSessions", List.of(lsid(session)));
                } else if ("its own pattern".equals(command.get("killAllSessionsByPattern"))) {
                    command.put("killAllSessionsByPattern", List.of(new BsonDocument("lsid", lsid(session))));
                }
                boolean all = command.toJson().contains("[]");
                admin.runCommand(command);
                assertGone(cursor);
                if (all) {
                    assertGone(others);
                } else {
                    assertThat(others.next()).isNotNull();
                }
                others.close();
            }
        }
    }

    @Test
    void aSessionIsListedFromItsStartToItsEnd() {
        Document started = admin.runCommand(new Document("startSession", 1));
        assertThat(started).containsEntry("timeoutMinutes", 30);
        BsonDocument id = started.toBsonDocument().getDocument("id");
        assertThat(known()).contains(id.get("id"));
        admin.runCommand(new Document("refreshSessions", List.of(id)));
        assertThat(known()).contains(id.get("id"));
        admin.runCommand(new Document("endSessions", List.of(id)));
        assertThat(known()).doesNotContain(id.get("id"));
        List<Document> all = client.getDatabase("config")
                .getCollection("system.sessions")
                .aggregate(List.of(new Document("$listSessions", new Document("allUsers", true)), Aggregates.limit(1)))
                .into(new ArrayList<>());
        assertThat(all.getFirst()).containsKeys("_id", "lastUse");
    }
}
