package io.ostraka.acceptance.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.ostraka.acceptance.node.OneNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A write sent again with its number is answered with its first result, also by a member that was closed in between. */
@Timeout(60)
class RetriedWritesTest {
    @TempDir
    Path folder;

    private static Document update(Document query, Document update, boolean upsert) {
        return new Document("q", query).append("u", update).append("upsert", upsert);
    }

    @Test
    void everyKindIsAnsweredAsTheFirstTimeAfterARestart() {
        List<Document> commands = commands();
        List<Document> firsts = new ArrayList<>();
        OneNode node = new OneNode(folder.resolve("data"));
        String address = "mongodb://127.0.0.1:" + node.port() + "/?directConnection=true&retryWrites=false";
        try (MongoClient client = MongoClients.create(address)) {
            MongoDatabase database = client.getDatabase("retried");
            MongoCollection<Document> things = database.getCollection("things");
            List<ClientSession> sessions = new ArrayList<>();
            things.insertMany(List.of(thing(1), thing(2), thing(3), thing(4)));
            for (Document command : commands) {
                ClientSession session = client.startSession();
                sessions.add(session);
                firsts.add(database.runCommand(session, command));
            }
            List<Document> after = things.find().into(new ArrayList<>());
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < commands.size(); i++) {
                    Document again = database.runCommand(sessions.get(i), commands.get(i));
                    assertThat(answer(again))
                            .as("%s, round %d", commands.get(i), round)
                            .isEqualTo(answer(firsts.get(i)));
                    assertThat(again.keySet()).containsAnyOf("retriedStmtIds", "retriedStmtId");
                }
                assertThat(things.find().into(new ArrayList<>())).isEqualTo(after);
                int port = node.port();
                node.close();
                node = new OneNode(folder.resolve("data"), port);
            }
            for (int i = 0; i < commands.size(); i++) {
                Document older = new Document(commands.get(i)).append("txnNumber", 6L);
                ClientSession session = sessions.get(i);
                assertThatThrownBy(() -> database.runCommand(session, older))
                        .isInstanceOfSatisfying(
                                MongoCommandException.class,
                                e -> assertThat(e.getCode()).isEqualTo(225));
            }
            sessions.forEach(ClientSession::close);
        } finally {
            node.close();
        }
    }

    private static Document thing(int id) {
        return new Document("_id", id).append("x", 0);
    }

    private static List<Document> commands() {
        List<Document> commands = new ArrayList<>();
        commands.add(new Document("insert", "things").append("documents", List.of(thing(10), thing(11), thing(12))));
        // The second document is there already: the third is inserted all the same, and once.
        commands.add(new Document("insert", "things")
                .append("documents", List.of(thing(20), thing(1), thing(21)))
                .append("ordered", false));
        commands.add(new Document("update", "things")
                .append(
                        "updates",
                        List.of(
                                update(new Document("_id", 1), new Document("$inc", new Document("x", 1)), false),
                                // Finds nothing now, and would find something after the next statement.
                                update(new Document("x", 70), new Document("$inc", new Document("y", 1)), false),
                                update(new Document("_id", 2), new Document("$inc", new Document("x", 70)), false),
                                update(new Document("z", 5), new Document("$inc", new Document("x", 1)), true))));
        commands.add(new Document("delete", "things")
                .append(
                        "deletes",
                        List.of(new Document("q", new Document("_id", new Document("$gte", 3))).append("limit", 1))));
        commands.add(new Document("findAndModify", "things")
                .append("query", new Document("_id", 1))
                .append("update", new Document("$inc", new Document("x", 1))));
        commands.add(new Document("findAndModify", "things")
                .append("query", new Document("_id", 1))
                .append("update", new Document("$inc", new Document("x", 1)))
                .append("new", true)
                .append("fields", new Document("x", 1)));
        commands.add(new Document("findAndModify", "things")
                .append("query", new Document("_id", new Document("$gte", 4)))
                .append("sort", new Document("_id", 1))
                .append("remove", true));
        commands.add(new Document("findAndModify", "things")
                .append("query", new Document("name", "made"))
                .append("update", new Document("$inc", new Document("x", 1)))
                .append("upsert", true)
                .append("new", true));
        commands.forEach(command -> command.append("txnNumber", 7L));
        return commands;
    }

    /** What is answered twice in the same words. */
    private static Document answer(Document reply) {
        Document answer = new Document(reply);
        for (String other : List.of("$clusterTime", "operationTime", "retriedStmtIds", "retriedStmtId")) {
            answer.remove(other);
        }
        return answer;
    }

    @Test
    void aLongBatchIsRememberedStatementByStatement() {
        int statements = 2_000;
        try (OneNode node = new OneNode(folder.resolve("long"));
                MongoClient client = MongoClients.create(
                        "mongodb://127.0.0.1:" + node.port() + "/?directConnection=true&retryWrites=false");
                ClientSession session = client.startSession()) {
            MongoDatabase database = client.getDatabase("retried");
            List<Document> updates = new ArrayList<>();
            for (int i = 0; i < statements; i++) {
                updates.add(update(new Document("_id", i), new Document("$inc", new Document("x", 1)), true));
            }
            Document upserts =
                    new Document("update", "long").append("updates", updates).append("txnNumber", 1L);
            Document first = database.runCommand(session, upserts);
            assertThat(first).containsEntry("n", statements);
            Document again = database.runCommand(session, upserts);
            assertThat(again.getList("upserted", Document.class)).isEqualTo(first.getList("upserted", Document.class));
            assertThat(again.getList("retriedStmtIds", Integer.class)).hasSize(statements);
            // Half of it, by the numbers the client gives.
            Document half = new Document("update", "long")
                    .append("updates", updates.subList(statements / 2, statements))
                    .append("stmtId", statements / 2)
                    .append("txnNumber", 1L);
            assertThat(database.runCommand(session, half).getList("retriedStmtIds", Integer.class))
                    .hasSize(statements / 2);
            assertThat(database.getCollection("long").countDocuments(new Document("x", 1)))
                    .isEqualTo(statements);
            MongoDatabase config = client.getDatabase("config");
            assertThat(config.getCollection("transactionParts").countDocuments())
                    .isPositive();
            database.runCommand(
                    session,
                    new Document("insert", "long")
                            .append("documents", List.of(new Document("_id", "next")))
                            .append("txnNumber", 2L));
            assertThat(config.getCollection("transactionParts").countDocuments())
                    .as("what belongs to a lower number is forgotten")
                    .isZero();
        }
    }

    @Test
    void recordsAreNotWrittenByHandAndManyDocumentsHaveNoNumber() {
        try (OneNode node = new OneNode(folder.resolve("hand"));
                MongoClient client = MongoClients.create(
                        "mongodb://127.0.0.1:" + node.port() + "/?directConnection=true&retryWrites=false");
                ClientSession session = client.startSession()) {
            MongoDatabase database = client.getDatabase("retried");
            Document many = new Document("update", "things")
                    .append(
                            "updates",
                            List.of(update(new Document(), new Document("$set", new Document("x", 1)), false)
                                    .append("multi", true)))
                    .append("txnNumber", 1L);
            assertThatThrownBy(() -> database.runCommand(session, many))
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getCode()).isEqualTo(72));
            assertThatThrownBy(() -> client.getDatabase("config")
                            .getCollection("transactions")
                            .deleteMany(new Document()))
                    .hasMessageContaining("kept by the server");
        }
    }

    @Test
    void aCommitSentAgainAfterARestartAnswersTheSame() {
        OneNode node = new OneNode(folder.resolve("commit"));
        String address = "mongodb://127.0.0.1:" + node.port() + "/?directConnection=true&retryWrites=false";
        try (MongoClient client = MongoClients.create(address);
                ClientSession committed = client.startSession();
                ClientSession open = client.startSession()) {
            MongoDatabase database = client.getDatabase("retried");
            MongoDatabase admin = client.getDatabase("admin");
            Document commit =
                    new Document("commitTransaction", 1).append("txnNumber", 4L).append("autocommit", false);
            database.createCollection("things");
            for (ClientSession session : List.of(committed, open)) {
                database.runCommand(
                        session,
                        new Document("insert", "things")
                                .append(
                                        "documents",
                                        List.of(new Document(
                                                "by", session.getServerSession().toString())))
                                .append("txnNumber", 4L)
                                .append("startTransaction", true)
                                .append("autocommit", false));
            }
            admin.runCommand(committed, commit);
            int port = node.port();
            node.close();
            node = new OneNode(folder.resolve("commit"), port);
            assertThat(admin.runCommand(committed, commit)).containsEntry("ok", 1.0);
            assertThatThrownBy(() -> admin.runCommand(open, commit))
                    .isInstanceOfSatisfying(MongoCommandException.class, e -> {
                        assertThat(e.getCode()).isEqualTo(251);
                        assertThat(e.hasErrorLabel("TransientTransactionError")).isTrue();
                    });
            assertThat(database.getCollection("things").countDocuments()).isEqualTo(1);
        } finally {
            node.close();
        }
    }
}
