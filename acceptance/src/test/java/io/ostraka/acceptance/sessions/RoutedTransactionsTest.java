package io.ostraka.acceptance.sessions;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.ostraka.acceptance.support.SharedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions through routers, on one shard of three. */
@ExtendWith(SharedCluster.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoutedTransactionsTest {
    private static final String TRANSIENT = "TransientTransactionError";

    private MongoClient client;
    private MongoDatabase database;
    private MongoCollection<Document> things;

    @BeforeEach
    void split(SharedCluster shared, TestInfo test) {
        client = shared.client();
        database = client.getDatabase("tx_" + test.getTestMethod().orElseThrow().getName());
        things = database.getCollection("things");
        String name = things.getNamespace().getFullName();
        admin(new Document("shardCollection", name).append("key", new Document("k", 1)));
        admin(new Document("split", name).append("middle", new Document("k", 0)));
        move(owner(-1).equals("shard0") ? "shard1" : "shard0");
        things.insertMany(IntStream.range(-10, 10)
                .mapToObj(i -> new Document("_id", i).append("k", i).append("n", 0))
                .toList());
    }

    private void admin(Document command) {
        client.getDatabase("admin").runCommand(command);
    }

    /** Moves the part below 0. */
    private void move(String to) {
        admin(new Document("moveChunk", things.getNamespace().getFullName())
                .append("find", new Document("k", -1))
                .append("to", to));
    }

    private String owner(int k) {
        MongoDatabase config = client.getDatabase("config");
        Object uuid = config.getCollection("collections")
                .find(eq("_id", things.getNamespace().getFullName()))
                .first()
                .get("uuid");
        return config.getCollection("chunks")
                .find(Filters.and(eq("uuid", uuid), k < 0 ? eq("max.k", 0) : eq("min.k", 0)))
                .first()
                .getString("shard");
    }

    private static void fails(int code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(MongoException.class, e -> {
            assertThat(e.getCode()).as(e.getMessage()).isEqualTo(code);
            assertThat(e.hasErrorLabel(TRANSIENT)).as(e.getMessage()).isTrue();
        });
    }

    @Test
    void whatIsOnOneShardIsDoneAtOnce() {
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                things.insertOne(
                        session, new Document("_id", 100).append("k", 100).append("n", 0));
                assertThat(things.updateMany(session, gte("k", 5), inc("n", 1)).getModifiedCount())
                        .isEqualTo(6);
                assertThat(things.findOneAndUpdate(session, eq("k", 7), inc("n", 1)))
                        .containsEntry("n", 1);
                assertThat(things.deleteOne(session, eq("k", 6)).getDeletedCount())
                        .isEqualTo(1);
                List<Integer> seen = new ArrayList<>();
                try (MongoCursor<Document> cursor = things.find(session, gte("k", 4))
                        .sort(Sorts.ascending("k"))
                        .batchSize(2)
                        .iterator()) {
                    cursor.forEachRemaining(each -> seen.add(each.getInteger("k")));
                }
                assertThat(seen).containsExactly(4, 5, 7, 8, 9, 100);
                assertThat(things.countDocuments(gte("k", 4))).isEqualTo(6);
                assertThat(things.find(eq("k", 100)).first()).isNull();
                return null;
            });
        }
        assertThat(things.find(eq("k", 7)).first()).containsEntry("n", 2);
        assertThat(things.countDocuments(gte("k", 4))).isEqualTo(6);
        assertThat(things.find(eq("k", 100)).first()).containsEntry("n", 1);
    }

    @Test
    void aSecondShardIsRefusedAndNothingStands() {
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            things.updateOne(session, eq("k", 5), inc("n", 1));
            fails(263, () -> things.updateOne(session, eq("k", -5), inc("n", 1)));
            session.abortTransaction();
            session.startTransaction();
            fails(263, () -> things.find(session).first());
            session.abortTransaction();
        }
        assertThat(things.countDocuments(eq("n", 1))).isZero();
        // The lock is gone: a plain write does not wait.
        assertThat(things.updateOne(eq("k", 5), inc("n", 1)).getModifiedCount()).isEqualTo(1);
    }

    @Test
    void conflictsHaveTheLabelAndEndsMayBeSentAgain() {
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            assertThat(things.find(session, eq("k", 5)).first()).isNotNull();
            things.updateOne(eq("k", 5), inc("n", 1));
            fails(112, () -> things.updateOne(session, eq("k", 5), inc("n", 1)));
            session.abortTransaction();
            session.startTransaction();
            things.updateOne(session, eq("k", 6), inc("n", 1));
            session.commitTransaction();
            session.commitTransaction();
            session.startTransaction();
            session.commitTransaction();
        }
        assertThat(things.countDocuments(eq("n", 1))).isEqualTo(2);
    }

    @Test
    void anotherRouterMayCommit(SharedCluster shared) {
        // By hand, since the driver keeps a transaction on its router: this client goes to now one, now the other.
        String address = shared.cluster().connectionString() + "?retryWrites=false";
        try (MongoClient both = MongoClients.create(address);
                ClientSession session = both.startSession()) {
            Document insert = new Document("insert", "things")
                    .append("documents", List.of(new Document("_id", 50).append("k", 50)))
                    .append("txnNumber", 1L)
                    .append("startTransaction", true)
                    .append("autocommit", false);
            Document token = both.getDatabase(database.getName())
                    .runCommand(session, insert)
                    .get("recoveryToken", Document.class);
            assertThat(token).containsEntry("recoveryShardId", owner(1));
            for (int i = 0; i < 6; i++) {
                Document commit = new Document("commitTransaction", 1)
                        .append("txnNumber", 1L)
                        .append("autocommit", false)
                        .append("recoveryToken", token);
                assertThat(both.getDatabase("admin").runCommand(session, commit))
                        .containsEntry("ok", 1.0);
            }
        }
        assertThat(things.find(eq("k", 50)).first()).isNotNull();
    }

    @Test
    void aTransactionThatBeginsOnAnOldPlacementFindsTheNewOne(SharedCluster shared) {
        try (MongoClient stale = MongoClients.create(shared.cluster().connectionString(1))) {
            MongoCollection<Document> old =
                    stale.getDatabase(database.getName()).getCollection("things");
            assertThat(old.countDocuments(lt("k", 0))).isEqualTo(10);
            move(owner(-1).equals("shard0") ? "shard1" : "shard0");
            try (ClientSession session = stale.startSession()) {
                session.startTransaction();
                assertThat(old.updateMany(session, lt("k", 0), inc("n", 1)).getModifiedCount())
                        .isEqualTo(10);
                session.commitTransaction();
            }
        }
        assertThat(things.countDocuments(eq("n", 1))).isEqualTo(10);
    }

    @Test
    void aMoveWaitsForAnOpenTransactionOrStepsBack() {
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            things.updateOne(session, eq("k", -5), inc("n", 1));
            String from = owner(-1);
            Thread moving = Thread.startVirtualThread(() -> move(from.equals("shard0") ? "shard1" : "shard0"));
            things.updateOne(session, eq("k", -6), inc("n", 1));
            session.commitTransaction();
            moving.join();
            assertThat(owner(-1)).isNotEqualTo(from);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(things.countDocuments(eq("n", 1))).isEqualTo(2);
    }
}
