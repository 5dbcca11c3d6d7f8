package io.ostraka.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import io.ostraka.acceptance.support.SharedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is killed on a router, or is late there, ends on the shards as well. */
@ExtendWith(SharedCluster.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledOperationsTest {
    private static final int DOCUMENTS = 20_000;
    /** Much less than the query would take by itself. */
    private static final long ENDS_SECONDS = 10;

    private final SharedCluster shared;

    KilledOperationsTest(SharedCluster shared) {
        this.shared = shared;
    }

    /** A query that works for minutes, on all shards. */
    private Document work(String comment) {
        return Document.parse("{find: 'things', filter: {$expr: {$lt: [{$sum: {$range: [0, 100000]}}, 0]}}}")
                .append("comment", comment);
    }

    private List<Document> running(MongoClient client, String comment, boolean local) {
        List<Document> pipeline = List.of(
                new Document("$currentOp", new Document("localOps", local)),
                new Document("$match", new Document("command.comment", comment)));
        return client.getDatabase("admin").aggregate(pipeline).into(new ArrayList<>());
    }

    private void await(String comment, boolean runs) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ENDS_SECONDS);
        List<Document> seen = running(shared.client(), comment, false);
        while (runs ? seen.size() < 3 : !seen.isEmpty()) {
            assertThat(System.nanoTime()).as("still %s", seen).isLessThan(end);
            seen = running(shared.client(), comment, false);
        }
    }

    private void fill() {
        Document key = new Document("key", new Document("_id", "hashed"));
        shared.client()
                .getDatabase("admin")
                .runCommand(new Document("shardCollection", "killed.things").append("key", key.get("key")));
        MongoCollection<Document> things = shared.client().getDatabase("killed").getCollection("things");
        if (things.estimatedDocumentCount() == 0) {
            List<Document> batch = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                batch.add(new Document("_id", i));
            }
            assertThat(things.insertMany(batch, new InsertManyOptions().ordered(false)))
                    .isNotNull();
        }
    }

    @Test
    void byItsNumberOnTheRouterOrOnTheShards() throws Exception {
        fill();
        for (boolean onRouter : List.of(true, false)) {
            String comment = "killed " + onRouter;
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Document> query = threads.submit(
                        () -> shared.client().getDatabase("killed").runCommand(work(comment)));
                await(comment, true);
                for (Document op : running(shared.client(), comment, onRouter)) {
                    Document kill = new Document("killOp", 1).append("op", op.get("opid"));
                    assertThat(shared.client().getDatabase("admin").runCommand(kill))
                            .containsEntry("ok", 1.0);
                }
                assertThatThrownBy(() -> query.get(ENDS_SECONDS, TimeUnit.SECONDS))
                        .isInstanceOfSatisfying(
                                ExecutionException.class,
                                e -> assertThat(((MongoException) e.getCause()).getCode())
                                        .isEqualTo(11601));
                await(comment, false);
            }
        }
    }

    @Test
    void byItsTimeOrByTheEndOfItsClient() throws Exception {
        fill();
        assertThatThrownBy(() -> shared.client()
                        .getDatabase("killed")
                        .runCommand(work("late").append("maxTimeMS", 300)))
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(50));
        await("late", false);
        String comment = "left";
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // A driver that loses its patience closes the connection.
            MongoClient leaving = MongoClients.create(shared.cluster().connectionString(1) + "?socketTimeoutMS=2000");
            Future<Document> query =
                    threads.submit(() -> leaving.getDatabase("killed").runCommand(work(comment)));
            await(comment, true);
            assertThatThrownBy(() -> query.get(ENDS_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            ExecutionException.class,
                            e -> assertThat(e.getCause()).isInstanceOf(MongoSocketReadTimeoutException.class));
            await(comment, false);
            leaving.close();
        }
    }
}
