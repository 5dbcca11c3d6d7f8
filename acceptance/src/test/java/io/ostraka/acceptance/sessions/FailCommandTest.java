package io.ostraka.acceptance.sessions;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.ostraka.acceptance.node.OneNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the drivers' suites do to a server, and what the driver then does with retryable writes and transactions. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailCommandTest {
    @TempDir
    static Path folder;

    private static OneNode node;
    private static MongoClient client;
    private static final List<String> SENT = new CopyOnWriteArrayList<>();

    private MongoDatabase admin;
    private MongoCollection<Document> things;

    @BeforeAll
    static void start() {
        node = new OneNode(folder.resolve("data"));
        CommandListener listener = new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                SENT.add(event.getCommandName());
            }
        };
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new com.mongodb.ConnectionString(
                        "mongodb://127.0.0.1:" + node.port() + "/?replicaSet=rs0&appName=tested"))
                .addCommandListener(listener)
                .build());
    }

    @AfterAll
    static void stop() {
        client.close();
        node.close();
    }

    @BeforeEach
    void fill() {
        admin = client.getDatabase("admin");
        things = client.getDatabase("fail").getCollection("things");
        things.drop();
        things.insertOne(new Document("_id", 1).append("n", 0));
        SENT.clear();
    }

    @AfterEach
    void off() {
        admin.runCommand(new Document("configureFailPoint", "failCommand").append("mode", "off"));
    }

    private Document on(Object mode, Document data) {
        return admin.runCommand(new Document("configureFailPoint", "failCommand")
                .append("mode", mode)
                .append("data", data));
    }

    private static Document failing(String... commands) {
        return new Document("failCommands", List.of(commands));
    }

    private static long sent(String name) {
        return SENT.stream().filter(name::equals).count();
    }

    @Test
    void theDriverSendsANumberedWriteAgain() {
        on(new Document("times", 1), failing("update").append("errorCode", 10107));
        assertThat(things.updateOne(eq("_id", 1), inc("n", 1)).getModifiedCount())
                .isEqualTo(1);
        assertThat(sent("update")).isEqualTo(2);
        on(new Document("times", 1), failing("update").append("closeConnection", true));
        assertThat(things.updateOne(eq("_id", 1), inc("n", 1)).getModifiedCount())
                .isEqualTo(1);
        assertThat(things.find().first()).containsEntry("n", 2);
        // The write was done, and is not done again.
        on(
                new Document("times", 1),
                failing("update")
                        .append("writeConcernError", new Document("code", 91).append("errmsg", "shutting down")));
        SENT.clear();
        assertThat(things.updateOne(eq("_id", 1), inc("n", 1)).getModifiedCount())
                .isEqualTo(1);
        assertThat(sent("update")).isEqualTo(2);
        assertThat(things.find().first()).containsEntry("n", 3);
    }

    @Test
    void whatIsNoReasonToRepeatIsTold() {
        on(
                new Document("times", 1),
                failing("insert").append("errorCode", 11600).append("errorLabels", List.of()));
        assertThatThrownBy(() -> things.insertOne(new Document("_id", 2)))
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(11600));
        assertThat(sent("insert")).isEqualTo(1);
        on(
                "alwaysOn",
                failing("insert")
                        .append(
                                "writeConcernError",
                                new Document("code", 100)
                                        .append("codeName", "x")
                                        .append("errmsg", "not now")));
        assertThatThrownBy(() -> things.insertOne(new Document("_id", 3)))
                .isInstanceOfSatisfying(
                        MongoWriteConcernException.class,
                        e -> assertThat(e.getCode()).isEqualTo(100));
        assertThat(things.countDocuments()).isEqualTo(2);
        assertThat(on("off", new Document())).containsEntry("count", 1L);
    }

    @Test
    void transactionsBeginAnewAndCommitsAreSentAgain() {
        on(new Document("times", 1), failing("update").append("errorCode", 11602));
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> things.updateOne(session, eq("_id", 1), inc("n", 1)));
        }
        assertThat(sent("update")).isEqualTo(2);
        on(new Document("times", 1), failing("commitTransaction").append("closeConnection", true));
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> things.updateOne(session, eq("_id", 1), inc("n", 1)));
        }
        assertThat(sent("commitTransaction")).isEqualTo(3);
        assertThat(things.find().first()).containsEntry("n", 2);
    }

    @Test
    void modesAndTheNameOfTheApplicationAreObeyed() {
        on(new Document("skip", 2), failing("count", "distinct").append("errorCode", 999));
        MongoDatabase database = client.getDatabase("fail");
        Document count = new Document("count", "things");
        database.runCommand(count);
        database.runCommand(count);
        assertThatThrownBy(() -> database.runCommand(count))
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getCode()).isEqualTo(999));
        on("alwaysOn", failing("count").append("errorCode", 999).append("appName", "another"));
        database.runCommand(count);
        on("alwaysOn", failing("count").append("errorCode", 999).append("appName", "tested"));
        assertThatThrownBy(() -> database.runCommand(count)).isInstanceOf(MongoCommandException.class);
        on(
                new Document("times", 1),
                failing("count").append("blockConnection", true).append("blockTimeMS", 300));
        long began = System.nanoTime();
        database.runCommand(count);
        assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(300_000_000L);
        on(new Document("times", 1), failing("count").append("closeConnection", true));
        try (MongoClient plain = MongoClients.create(
                "mongodb://127.0.0.1:" + node.port() + "/?directConnection=true&retryReads=false")) {
            assertThatThrownBy(() -> plain.getDatabase("fail").runCommand(count))
                    .isInstanceOf(MongoSocketException.class);
        }
        assertThatThrownBy(() -> admin.runCommand(new Document("configureFailPoint", "other").append("mode", "off")))
                .isInstanceOf(MongoCommandException.class);
    }
}
