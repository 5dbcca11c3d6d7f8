package io.ostraka.acceptance.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What sessions rely on, when the next primary has it from the store alone. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionsAcrossFailoverTest {
    @TempDir
    Path folder;

    private static Document numbered(Document command, long number) {
        return new Document(command).append("txnNumber", number);
    }

    @Test
    void retriesCommitsAndStreamsGoOnOnTheNextPrimary() {
        try (Members members = new Members(folder, 3)) {
            members.initiate(0, 1, 2);
            try (MongoClient client = members.client("&retryWrites=false");
                    ClientSession retried = client.startSession();
                    ClientSession committed = client.startSession();
                    ClientSession open = client.startSession()) {
                MongoDatabase database = client.getDatabase("d");
                MongoDatabase admin = client.getDatabase("admin");
                MongoCollection<Document> things = database.getCollection("things");
                things.insertOne(new Document("_id", 1).append("n", 0));
                Document increment = numbered(
                        new Document("findAndModify", "things")
                                .append("query", new Document("_id", 1))
                                .append("update", new Document("$inc", new Document("n", 1)))
                                .append("new", true),
                        5);
                Document commit = numbered(new Document("commitTransaction", 1).append("autocommit", false), 5);
                List<ChangeStreamDocument<Document>> events = new ArrayList<>();
                try (var cursor = things.watch().cursor()) {
                    Document first = database.runCommand(retried, increment);
                    for (ClientSession session : List.of(committed, open)) {
                        Document insert = new Document("insert", "things")
                                .append(
                                        "documents",
                                        List.of(new Document("of", session.equals(open) ? "open" : "committed")))
                                .append("startTransaction", true)
                                .append("autocommit", false);
                        database.runCommand(session, numbered(insert, 5));
                    }
                    admin.runCommand(committed, commit);
                    members.stop(members.primary());
                    try (MongoClient retrying = members.client("")) {
                        // The driver waits for the next primary.
                        retrying.getDatabase("d").getCollection("things").insertOne(new Document("_id", 2));
                    }

                    assertThat(database.runCommand(retried, increment).get("value"))
                            .isEqualTo(first.get("value"));
                    assertThat(admin.runCommand(committed, commit)).containsEntry("ok", 1.0);
                    assertThatThrownBy(() -> admin.runCommand(open, commit))
                            .isInstanceOfSatisfying(
                                    MongoCommandException.class,
                                    e -> assertThat(e.getCode()).isEqualTo(251));
                    while (events.size() < 3) {
                        events.add(cursor.next());
                    }
                }
                assertThat(things.find(new Document("_id", 1)).first()).containsEntry("n", 1);
                assertThat(things.countDocuments(new Document("of", "committed")))
                        .isEqualTo(1);
                assertThat(things.countDocuments(new Document("of", "open"))).isZero();
                assertThat(events.stream()
                                .map(event -> event.getOperationType().getValue())
                                .toList())
                        .containsExactly("update", "insert", "insert");
            }
        }
    }
}
