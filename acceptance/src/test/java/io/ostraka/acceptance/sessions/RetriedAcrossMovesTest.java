package io.ostraka.acceptance.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import io.ostraka.acceptance.support.SharedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The records of retryable writes go where the documents go, and no router is needed to remember them. */
@ExtendWith(SharedCluster.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RetriedAcrossMovesTest {
    private static final int DOCUMENTS = 40;

    private record Sent(ClientSession session, Document command, Document reply) {}

    /** A client that goes now to one router, now to the other. */
    private static MongoClient client(SharedCluster shared) {
        return MongoClients.create(shared.cluster().connectionString() + "?retryWrites=false");
    }

    private static Document increment(Document query, long number) {
        return new Document("update", "things")
                .append(
                        "updates",
                        List.of(new Document("q", query).append("u", new Document("$inc", new Document("n", 1)))))
                .append("txnNumber", number);
    }

    private static String owner(MongoClient client) {
        MongoDatabase config = client.getDatabase("config");
        Object uuid = config.getCollection("collections")
                .find(Filters.eq("_id", "retriedMoves.things"))
                .first()
                .get("uuid");
        return config.getCollection("chunks")
                .find(Filters.and(Filters.eq("uuid", uuid), Filters.eq("max.k", 0)))
                .first()
                .getString("shard");
    }

    private static void move(MongoClient client) {
        String from = owner(client);
        client.getDatabase("admin")
                .runCommand(new Document("moveChunk", "retriedMoves.things")
                        .append("find", new Document("k", -1))
                        .append("to", from.equals("shard0") ? "shard1" : "shard0"));
        assertThat(owner(client)).isNotEqualTo(from);
    }

    @Test
    void aRetryAfterTheMoveGetsTheFirstResult(SharedCluster shared) {
        try (MongoClient client = client(shared)) {
            client.getDatabase("admin")
                    .runCommand(
                            new Document("shardCollection", "retriedMoves.things").append("key", new Document("k", 1)));
            client.getDatabase("admin")
                    .runCommand(new Document("split", "retriedMoves.things").append("middle", new Document("k", 0)));
            MongoDatabase database = client.getDatabase("retriedMoves");
            MongoCollection<Document> things = database.getCollection("things");
            for (int i = 1; i <= DOCUMENTS; i++) {
                things.insertOne(new Document("_id", i).append("k", -i).append("n", 0));
                things.insertOne(new Document("_id", -i).append("k", i).append("n", 0));
            }
            List<Sent> sent = new ArrayList<>();
            for (int i = 1; i <= DOCUMENTS / 2; i++) {
                sent.add(send(client, database, increment(new Document("k", -i), 5)));
            }
            // Without the key: one of two documents is picked, and after the move a retry might pick the other.
            Document either = increment(new Document("_id", new Document("$in", List.of(DOCUMENTS, -DOCUMENTS))), 5);
            for (int i = 0; i < 10; i++) {
                sent.add(send(client, database, either));
            }
            Document modify = new Document("findAndModify", "things")
                    .append("query", new Document("_id", new Document("$in", List.of(1, -1))))
                    .append("update", new Document("$inc", new Document("n", 1)))
                    .append("new", true)
                    .append("txnNumber", 5L);
            sent.add(send(client, database, modify));

            // More while it moves.
            AtomicBoolean moved = new AtomicBoolean();
            CompletableFuture<Void> moving = CompletableFuture.runAsync(() -> {
                move(client);
                moved.set(true);
            });
            int next = DOCUMENTS / 2 + 1;
            while (!moved.get() && !moving.isCompletedExceptionally()) {
                sent.add(send(client, database, increment(new Document("k", -next), 5)));
                next = next == DOCUMENTS - 1 ? DOCUMENTS / 2 + 1 : next + 1;
            }
            moving.join();

            List<Document> after = things.find().sort(new Document("_id", 1)).into(new ArrayList<>());
            for (int round = 0; round < 2; round++) {
                for (Sent each : sent) {
                    for (int router = 0; router < 4; router++) {
                        Document again = database.runCommand(each.session, each.command);
                        assertThat(again.get("n")).isEqualTo(each.reply.get("n"));
                        assertThat(again.get("nModified")).isEqualTo(each.reply.get("nModified"));
                        assertThat(again.get("value")).isEqualTo(each.reply.get("value"));
                    }
                }
                assertThat(things.find().sort(new Document("_id", 1)).into(new ArrayList<>()))
                        .as("nothing was done twice, round %d", round)
                        .isEqualTo(after);
                move(client);
            }
            sent.forEach(each -> each.session.close());
        }
    }

    private static Sent send(MongoClient client, MongoDatabase database, Document command) {
        ClientSession session = client.startSession();
        return new Sent(session, command, database.runCommand(session, command));
    }
}
