package io.ostraka.acceptance.sessions;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import io.ostraka.acceptance.node.OneNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Multi-document transactions of the Java driver on one member. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransactionsTest {
    private static final String TRANSIENT = "TransientTransactionError";

    @TempDir
    static Path folder;

    private static OneNode node;
    private static MongoClient client;

    private MongoDatabase database;
    private MongoCollection<Document> things;

    @BeforeAll
    static void start() {
        node = new OneNode(folder.resolve("data"));
        client = node.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        node.close();
    }

    @BeforeEach
    void fill(TestInfo test) {
        database = client.getDatabase(test.getTestMethod().orElseThrow().getName());
        things = database.getCollection("things");
        things.createIndex(Indexes.ascending("x"));
        things.insertMany(IntStream.range(0, 10)
                .mapToObj(i -> new Document("_id", i).append("x", i))
                .toList());
    }

    private static void in(Consumer<ClientSession> body) {
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            body.accept(session);
        }
    }

    private static void fails(int code, boolean passing, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(MongoException.class, e -> {
            assertThat(e.getCode()).as(e.getMessage()).isEqualTo(code);
            assertThat(e.hasErrorLabel(TRANSIENT)).as(e.getMessage()).isEqualTo(passing);
        });
    }

    private List<Integer> found(ClientSession session, int from) {
        return things.find(session, gte("x", from))
                .sort(Sorts.ascending("x"))
                .map(each -> each.getInteger("x"))
                .into(new ArrayList<>());
    }

    @Test
    void itSeesItsOwnWritesAndNobodyElseDoesUntilTheCommit() {
        in(session -> {
            things.insertOne(session, new Document("_id", 100).append("x", 100));
            things.updateOne(session, eq("x", 9), set("x", 50));
            things.deleteOne(session, eq("_id", 8));
            assertThat(things.updateMany(session, gte("x", 50), inc("x", 1)).getModifiedCount())
                    .isEqualTo(2);
            assertThat(things.findOneAndUpdate(
                            session,
                            eq("x", 101),
                            inc("x", 1),
                            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)))
                    .containsEntry("x", 102);
            assertThat(things.updateOne(session, eq("x", 200), set("y", 1), new UpdateOptions().upsert(true))
                            .getUpsertedId())
                    .isNotNull();
            assertThat(found(session, 7)).containsExactly(7, 51, 102, 200);
            assertThat(things.countDocuments(session)).isEqualTo(11);
            assertThat(things.aggregate(session, List.of(Aggregates.group(null, Accumulators.sum("sum", "$x"))))
                            .first())
                    .containsEntry("sum", 28 + 51 + 102 + 200);
            assertThat(things.distinct(session, "x", Integer.class).into(new ArrayList<>()))
                    .hasSize(11);
            assertThat(things.find(gte("x", 7)).into(new ArrayList<>())).hasSize(3);
            assertThat(things.countDocuments()).isEqualTo(10);
            session.commitTransaction();
        });
        assertThat(things.find(gte("x", 7))
                        .sort(Sorts.ascending("x"))
                        .map(each -> each.getInteger("x"))
                        .into(new ArrayList<>()))
                .containsExactly(7, 51, 102, 200);
        assertThat(things.estimatedDocumentCount()).isEqualTo(11);
        assertThat(database.runCommand(new Document("validate", "things"))).containsEntry("valid", true);
    }

    @Test
    void anAbortedOneLeavesNothing() {
        in(session -> {
            things.insertOne(session, new Document("_id", 100));
            things.deleteMany(session, new Document());
            session.abortTransaction();
        });
        assertThat(things.countDocuments()).isEqualTo(10);
        // What it had locked is free again.
        assertThat(things.deleteMany(new Document()).getDeletedCount()).isEqualTo(10);
    }

    @Test
    void itReadsOneMoment() {
        in(session -> {
            assertThat(found(session, 9)).containsExactly(9);
            things.insertOne(new Document("_id", 11).append("x", 11));
            things.deleteOne(eq("_id", 9));
            assertThat(found(session, 9)).containsExactly(9);
            session.commitTransaction();
        });
        assertThat(things.countDocuments(gte("x", 9))).isEqualTo(1);
    }

    @Test
    void whatAnotherHasChangedIsAConflict() {
        in(session -> {
            assertThat(found(session, 9)).hasSize(1);
            things.updateOne(eq("_id", 1), inc("x", 100));
            fails(112, true, () -> things.updateOne(session, eq("_id", 1), inc("x", 1)));
            fails(251, true, () -> things.find(session).first());
        });
        in(first -> in(second -> {
            things.updateOne(first, eq("_id", 2), inc("x", 1));
            fails(112, true, () -> things.deleteOne(second, eq("_id", 2)));
            first.commitTransaction();
        }));
        in(session -> {
            assertThat(found(session, 9)).hasSize(2);
            things.insertOne(new Document("_id", "taken"));
            fails(112, true, () -> things.insertOne(session, new Document("_id", "taken")));
        });
        in(first -> in(second -> {
            things.insertOne(first, new Document("_id", "both"));
            fails(112, true, () -> things.insertOne(second, new Document("_id", "both")));
            first.commitTransaction();
        }));
        assertThat(things.find(eq("_id", 2)).first()).containsEntry("x", 3);
    }

    @Test
    void aKeyThatWasTakenBeforeIsADuplicateAndAbortsIt() {
        things.createIndex(
                Indexes.ascending("u"), new IndexOptions().unique(true).sparse(true));
        things.updateOne(eq("_id", 1), set("u", 1));
        in(session -> {
            // Its own key moves from one document to another.
            things.updateOne(session, eq("_id", 1), set("u", 2));
            things.updateOne(session, eq("_id", 2), set("u", 1));
            fails(11000, false, () -> things.updateOne(session, eq("_id", 3), set("u", 2)));
            fails(251, true, () -> things.find(session).first());
        });
        in(session -> {
            things.updateOne(session, eq("_id", 1), set("u", 2));
            things.updateOne(session, eq("_id", 2), set("u", 1));
            session.commitTransaction();
        });
        assertThat(things.find(eq("u", 1)).first()).containsEntry("_id", 2);
        assertThat(database.runCommand(new Document("validate", "things"))).containsEntry("valid", true);
    }

    @Test
    void aPlainWriterWaitsForTheCommit() {
        CompletableFuture<Void> waiting;
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            things.updateOne(session, eq("_id", 1), inc("x", 1));
            waiting = CompletableFuture.runAsync(() -> things.updateOne(eq("_id", 1), inc("x", 10)));
            session.commitTransaction();
        }
        waiting.join();
        assertThat(things.find(eq("_id", 1)).first()).containsEntry("x", 12);
    }

    private static Document end(String name, long number) {
        return new Document(name, 1).append("txnNumber", number).append("autocommit", false);
    }

    @Test
    void endsMayBeSentAgainAndAnswerTheSame() {
        MongoDatabase admin = client.getDatabase("admin");
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            things.insertOne(session, new Document("_id", 100));
            session.commitTransaction();
            session.commitTransaction();
            long number = session.getServerSession().getTransactionNumber();
            fails(
                    256,
                    false,
                    () -> database.runCommand(
                            session,
                            new Document("find", "things")
                                    .append("txnNumber", number)
                                    .append("autocommit", false)));
            fails(256, false, () -> admin.runCommand(session, end("abortTransaction", number)));
            fails(251, true, () -> admin.runCommand(session, end("commitTransaction", number + 1)));
            fails(225, false, () -> admin.runCommand(session, end("commitTransaction", number - 1)));
        }
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            things.insertOne(session, new Document("_id", 101));
            long number = session.getServerSession().getTransactionNumber();
            session.abortTransaction();
            admin.runCommand(session, end("abortTransaction", number));
            fails(251, true, () -> admin.runCommand(session, end("commitTransaction", number)));
        }
        assertThat(things.countDocuments(gte("_id", 100))).isEqualTo(1);
    }

    @Test
    void collectionsAndIndexesAreMadeInsideAndSeenAfterwards() {
        MongoCollection<Document> made = database.getCollection("made");
        in(session -> {
            database.createCollection(session, "made");
            made.createIndex(session, Indexes.ascending("k"), new IndexOptions().unique(true));
            made.insertOne(session, new Document("_id", 1).append("k", 1));
            database.getCollection("implicit").insertOne(session, new Document("_id", 1));
            assertThat(made.find(session, eq("k", 1)).first()).containsEntry("_id", 1);
            assertThat(database.listCollectionNames().into(new ArrayList<>())).containsExactly("things");
            session.commitTransaction();
        });
        assertThat(database.listCollectionNames().into(new ArrayList<>()))
                .containsExactlyInAnyOrder("things", "made", "implicit");
        fails(11000, false, () -> made.insertOne(new Document("_id", 2).append("k", 1)));
        in(session -> fails(263, false, () -> things.createIndex(session, Indexes.ascending("y"))));
        in(session -> {
            database.getCollection("raced").insertOne(session, new Document("_id", 1));
            session.abortTransaction();
        });
        assertThat(database.listCollectionNames().into(new ArrayList<>())).doesNotContain("raced");
    }

    @Test
    void changesOfTheCollectionItselfAreConflictsOrWait() {
        in(session -> {
            assertThat(found(session, 9)).hasSize(1);
            things.createIndex(Indexes.ascending("y"));
            fails(112, true, () -> things.updateOne(session, eq("_id", 1), set("y", 1)));
        });
        CompletableFuture<Void> dropping;
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            things.updateOne(session, eq("_id", 1), set("y", 1));
            dropping = CompletableFuture.runAsync(() -> things.drop());
            session.commitTransaction();
        }
        dropping.join();
        assertThat(database.listCollectionNames().into(new ArrayList<>())).isEmpty();
    }

    @Test
    void cursorsLiveAsLongAsTheTransaction() {
        in(session -> {
            things.insertOne(session, new Document("_id", 100).append("x", 100));
            MongoCursor<Document> cursor =
                    things.find(session).sort(Sorts.ascending("x")).batchSize(2).iterator();
            assertThat(cursor.next()).containsEntry("_id", 0);
            things.deleteOne(eq("_id", 5));
            List<Integer> rest = new ArrayList<>();
            while (rest.size() < 5) {
                rest.add(cursor.next().getInteger("_id"));
            }
            assertThat(rest).containsExactly(1, 2, 3, 4, 5);
            session.commitTransaction();
            assertThatThrownBy(() -> {
                        while (cursor.hasNext()) {
                            cursor.next();
                        }
                    })
                    .isInstanceOf(RuntimeException.class);
        });
        assertThat(node.member().engine().openViews()).isZero();
    }

    @Test
    void moreThanSixteenMegabytesAreCommittedAtOnceAndTooManyAreRefused() {
        String text = "x".repeat(1 << 20);
        in(session -> {
            for (int i = 0; i < 24; i++) {
                things.insertOne(session, new Document("_id", 1_000 + i).append("text", text));
            }
            session.commitTransaction();
        });
        assertThat(things.countDocuments(gte("_id", 1_000))).isEqualTo(24);
        in(session -> fails(257, false, () -> {
            for (int i = 0; i < 60; i++) {
                things.insertOne(session, new Document("_id", 2_000 + i).append("text", text));
            }
        }));
        assertThat(things.countDocuments(gte("_id", 2_000))).isZero();
    }

    @Test
    void whatIsNotAllowedSaysSoAndOldOnesEnd() {
        in(session -> {
            things.insertOne(session, new Document("_id", 100));
            fails(263, false, () -> database.runCommand(session, new Document("count", "things")));
            fails(263, false, () -> database.runCommand(session, new Document("listCollections", 1)));
            node.member()
                    .transactions()
                    .expire(System.nanoTime() + Duration.ofSeconds(61).toNanos());
            fails(251, true, session::commitTransaction);
        });
        in(session -> {
            assertThat(things.find(session).first()).isNotNull();
            client.getDatabase("admin").runCommand(new Document("killAllSessionsByPattern", List.of()));
            fails(251, true, () -> things.find(session).first());
        });
        assertThat(things.countDocuments(eq("_id", 100))).isZero();
        database.createCollection(
                "capped",
                new com.mongodb.client.model.CreateCollectionOptions()
                        .capped(true)
                        .sizeInBytes(4096));
        in(session ->
                fails(263, false, () -> database.getCollection("capped").insertOne(session, new Document("_id", 1))));
    }

    @Test
    void theSumOfABankStays() {
        int accounts = 10;
        int transfers = 60;
        MongoCollection<Document> bank = database.getCollection("bank");
        for (int i = 0; i < accounts; i++) {
            bank.insertOne(new Document("_id", i).append("balance", 100));
        }
        AtomicBoolean done = new AtomicBoolean();
        TransactionOptions snapshot =
                TransactionOptions.builder().readConcern(ReadConcern.SNAPSHOT).build();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int writer = 0; writer < 4; writer++) {
                Random random = new Random(writer);
                running.add(CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < transfers; i++) {
                                int from = random.nextInt(accounts);
                                int to = (from + 1 + random.nextInt(accounts - 1)) % accounts;
                                transfer(bank, from, to, random.nextInt(50), snapshot);
                            }
                        },
                        threads));
            }
            CompletableFuture<Void> reader = CompletableFuture.runAsync(
                    () -> {
                        while (!done.get()) {
                            try (ClientSession session = client.startSession()) {
                                session.startTransaction(snapshot);
                                int sum = 0;
                                for (Document each : bank.find(session).batchSize(3)) {
                                    assertThat(each.getInteger("balance")).isNotNegative();
                                    sum += each.getInteger("balance");
                                }
                                session.commitTransaction();
                                assertThat(sum).isEqualTo(accounts * 100);
                            }
                        }
                    },
                    threads);
            running.forEach(CompletableFuture::join);
            done.set(true);
            reader.join();
        }
        int sum = 0;
        for (Document each : bank.find()) {
            sum += each.getInteger("balance");
        }
        assertThat(sum).isEqualTo(accounts * 100);
    }

    private static void transfer(
            MongoCollection<Document> bank, int from, int to, int amount, TransactionOptions options) {
        try (ClientSession session = client.startSession()) {
            session.withTransaction(
                    () -> {
                        int balance =
                                bank.find(session, eq("_id", from)).first().getInteger("balance");
                        if (balance >= amount) {
                            bank.updateOne(session, eq("_id", from), inc("balance", -amount));
                            bank.updateOne(session, eq("_id", to), inc("balance", amount));
                        }
                        return null;
                    },
                    options);
        }
    }
}
