package io.ostraka.acceptance.node;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mongodb.ClientBulkWriteException;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.bulk.ClientBulkWriteOptions;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import com.mongodb.client.result.UpdateResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Java driver against one member. */
@Timeout(60)
class DriverTest {
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
    void database(TestInfo info) {
        database = client.getDatabase(info.getTestMethod().orElseThrow().getName());
        things = database.getCollection("things");
    }

    private void insert(int count) {
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            documents.add(new Document("_id", i).append("n", i % 10).append("name", "user" + i));
        }
        things.insertMany(documents);
    }

    @Test
    void documentsComeInBatchesAndInOrder() {
        insert(1000);
        assertThat(things.countDocuments()).isEqualTo(1000);
        assertThat(things.estimatedDocumentCount()).isEqualTo(1000);
        List<Integer> ids = things.find()
                .sort(Sorts.descending("_id"))
                .batchSize(7)
                .map(d -> d.getInteger("_id"))
                .into(new ArrayList<>());
        assertThat(ids).hasSize(1000).startsWith(999, 998).endsWith(1, 0);
        assertThat(things.find(eq("n", 3)).skip(5).limit(4).into(new ArrayList<>()))
                .hasSize(4);
        assertThat(things.find(eq("_id", 77)).first()).containsEntry("name", "user77");
        assertThat(things.distinct("n", Integer.class).into(new ArrayList<>())).hasSize(10);
    }

    @Test
    void updatesAndDeletesSayWhatTheyDid() {
        insert(20);
        UpdateResult one = things.updateOne(eq("_id", 3), set("x", 1));
        assertThat(one.getMatchedCount()).isEqualTo(1);
        assertThat(one.getModifiedCount()).isEqualTo(1);
        assertThat(things.updateOne(eq("_id", 3), set("x", 1)).getModifiedCount())
                .isZero();
        assertThat(things.updateMany(gte("_id", 10), inc("x", 5)).getModifiedCount())
                .isEqualTo(10);
        UpdateResult upserted = things.updateOne(eq("_id", 100), inc("x", 1), new UpdateOptions().upsert(true));
        assertThat(upserted.getUpsertedId().asInt32().getValue()).isEqualTo(100);
        assertThat(things.replaceOne(eq("_id", 100), new Document("y", 2)).getModifiedCount())
                .isEqualTo(1);
        assertThat(things.find(eq("_id", 100)).first()).isEqualTo(new Document("_id", 100).append("y", 2));
        assertThat(things.deleteOne(eq("n", 1)).getDeletedCount()).isEqualTo(1);
        assertThat(things.deleteMany(gte("_id", 15)).getDeletedCount()).isEqualTo(6);
        assertThat(things.countDocuments()).isEqualTo(14);
        Document after = things.findOneAndUpdate(
                eq("_id", 10), inc("x", 1), new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));
        assertThat(after).containsEntry("x", 6);
        assertThat(things.findOneAndDelete(eq("_id", 10))).containsEntry("x", 6);
        assertThat(things.findOneAndDelete(eq("_id", 10))).isNull();
    }

    @Test
    void duplicatesAreNamed() {
        insert(3);
        assertThatThrownBy(() -> things.insertOne(new Document("_id", 1)))
                .isInstanceOfSatisfying(MongoWriteException.class, e -> {
                    assertThat(e.getError().getCode()).isEqualTo(11000);
                    assertThat(e.getError().getMessage()).contains("index: _id_ dup key: { _id: 1 }");
                });
        assertThatThrownBy(() -> things.insertMany(
                        List.of(new Document("_id", 1), new Document("_id", 8), new Document("_id", 2)),
                        new InsertManyOptions().ordered(false)))
                .isInstanceOfSatisfying(MongoBulkWriteException.class, e -> {
                    assertThat(e.getWriteErrors())
                            .extracting(error -> error.getIndex())
                            .containsExactly(0, 2);
                    assertThat(e.getWriteResult().getInsertedCount()).isEqualTo(1);
                });
        things.createIndex(Indexes.ascending("name"), new IndexOptions().unique(true));
        assertThatThrownBy(() -> things.updateOne(eq("_id", 0), set("name", "user1")))
                .isInstanceOf(MongoWriteException.class)
                .hasMessageContaining("name_1 dup key: { name: \"user1\" }");
    }

    @Test
    void explainShowsWhatAllPlansDoInTheirTrial() {
        for (int i = 0; i < 100; i++) {
            things.insertOne(new Document("_id", i).append("few", i / 5).append("many", i % 2));
        }
        things.createIndex(Indexes.ascending("many"));
        things.createIndex(Indexes.ascending("few"));
        Document explained = database.runCommand(new Document(
                        "explain",
                        new Document("find", "things").append("filter", new Document("few", 3).append("many", 1)))
                .append("verbosity", "allPlansExecution"));
        Document winning = explained.get("queryPlanner", Document.class).get("winningPlan", Document.class);
        assertThat(winning.get("inputStage", Document.class)).containsEntry("indexName", "few_1");
        assertThat(explained.get("queryPlanner", Document.class).getList("rejectedPlans", Document.class))
                .hasSize(1);
        List<Document> all =
                explained.get("executionStats", Document.class).getList("allPlansExecution", Document.class);
        assertThat(all).hasSize(2);
        assertThat(all.getFirst()).containsEntry("totalKeysExamined", 5).containsEntry("totalDocsExamined", 5);
        assertThat(all.get(1).getInteger("totalKeysExamined")).isGreaterThan(5);
    }

    @Test
    void indexesAreListedUsedAndDropped() {
        insert(500);
        things.createIndex(Indexes.compoundIndex(Indexes.ascending("n"), Indexes.descending("_id")));
        things.createIndex(Indexes.hashed("name"));
        assertThat(things.listIndexes().map(i -> i.getString("name")).into(new ArrayList<>()))
                .containsExactly("_id_", "n_1__id_-1", "name_hashed");
        Document explained = things.find(eq("n", 3)).explain();
        assertThat(explained.toJson()).contains("IXSCAN").contains("n_1__id_-1");
        assertThat(explained.get("executionStats", Document.class)).containsEntry("nReturned", 50);
        assertThat(things.find(eq("name", "user44")).explain().toJson()).contains("name_hashed");
        assertThat(things.find(eq("name", "user44")).first()).containsEntry("_id", 44);
        Document hide = new Document("collMod", "things")
                .append("index", new Document("name", "name_hashed").append("hidden", true));
        assertThat(database.runCommand(hide)).containsEntry("hidden_old", false).containsEntry("hidden_new", true);
        assertThat(things.find(eq("name", "user44")).explain().toJson()).contains("COLLSCAN");
        things.dropIndex("name_hashed");
        assertThatThrownBy(() -> things.dropIndex("name_hashed"))
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getCode()).isEqualTo(27));
        Document valid = database.runCommand(new Document("validate", "things"));
        assertThat(valid).containsEntry("valid", true).containsEntry("nrecords", 500L);
    }

    @Test
    void aggregationGroupsAndSorts() {
        insert(100);
        List<Document> groups = things.aggregate(List.of(
                        Aggregates.match(gte("_id", 50)),
                        Aggregates.group("$n", Accumulators.sum("count", 1), Accumulators.max("top", "$_id")),
                        Aggregates.sort(Sorts.ascending("_id"))))
                .into(new ArrayList<>());
        assertThat(groups).hasSize(10);
        assertThat(groups.getFirst())
                .isEqualTo(new Document("_id", 0).append("count", 5).append("top", 90));
        Document stats = things.aggregate(
                        List.of(new Document("$collStats", new Document("storageStats", new Document()))))
                .first();
        assertThat(stats.get("storageStats", Document.class))
                .containsEntry("count", 100L)
                .containsEntry("capped", false);
    }

    @Test
    void collectionsAreMadeListedRenamedAndDropped() {
        database.createCollection(
                "capped", new CreateCollectionOptions().capped(true).sizeInBytes(4096));
        insert(1);
        assertThat(database.listCollectionNames().into(new ArrayList<>())).containsExactly("capped", "things");
        things.renameCollection(new com.mongodb.MongoNamespace(database.getName(), "others"));
        assertThat(database.getCollection("others").countDocuments()).isEqualTo(1);
        MongoCollection<Document> capped = database.getCollection("capped");
        for (int i = 0; i < 100; i++) {
            capped.insertOne(new Document("_id", i).append("pad", "x".repeat(200)));
        }
        Document stats = database.runCommand(new Document("collStats", "capped"));
        assertThat(stats.getLong("size")).isLessThanOrEqualTo(4096);
        assertThat(capped.find().first().getInteger("_id")).isGreaterThan(50);
        assertThat(client.listDatabaseNames().into(new ArrayList<>())).contains(database.getName());
        assertThat(database.runCommand(new Document("dbStats", 1))).containsEntry("collections", 2L);
        database.drop();
        assertThat(client.listDatabaseNames().into(new ArrayList<>())).doesNotContain(database.getName());
    }

    @Test
    void splitVectorAndDataSizeWalkTheKey() {
        insert(1000);
        Document split = database.runCommand(
                new Document("splitVector", things.getNamespace().getFullName())
                        .append("keyPattern", new Document("_id", 1))
                        .append("force", true));
        assertThat(split.getList("splitKeys", Document.class)).containsExactly(new Document("_id", 500));
        Document size = database.runCommand(
                new Document("dataSize", things.getNamespace().getFullName())
                        .append("keyPattern", new Document("_id", 1))
                        .append("min", new Document("_id", 100))
                        .append("max", new Document("_id", 300)));
        assertThat(size).containsEntry("numObjects", 200L);
    }

    @Test
    void theSetOfOneIntroducesItself() {
        Document hello = database.runCommand(new Document("hello", 1));
        assertThat(hello)
                .containsEntry("setName", "rs0")
                .containsEntry("isWritablePrimary", true)
                .containsEntry("primary", "127.0.0.1:" + node.port());
        assertThat(client.getDatabase("admin").runCommand(new Document("replSetGetStatus", 1)))
                .containsEntry("myState", 1);
        assertThatThrownBy(() -> client.getDatabase("admin").runCommand(new Document("noSuchThing", 1)))
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getCode()).isEqualTo(59));
        try (MongoClient asSet = MongoClients.create("mongodb://127.0.0.1:" + node.port() + "/?replicaSet=rs0")) {
            assertThat(asSet.getDatabase("admin").runCommand(new Document("ping", 1)))
                    .containsEntry("ok", 1.0);
        }
    }

    @Test
    void aRepeatedNumberGetsTheFirstResult() {
        insert(1);
        Document increment = new Document("update", "things")
                .append(
                        "updates",
                        List.of(new Document("q", new Document("_id", 0))
                                .append("u", new Document("$inc", new Document("x", 1)))))
                .append("txnNumber", 1001L);
        Document insert = new Document("insert", "things")
                .append("documents", List.of(new Document("_id", 5), new Document("_id", 6)))
                .append("txnNumber", 1002L);
        // A client of its own, which numbers no writes itself: sessions are pooled, and so their numbers shared.
        String address = "mongodb://127.0.0.1:" + node.port() + "/?directConnection=true&retryWrites=false";
        try (MongoClient own = MongoClients.create(address);
                ClientSession session = own.startSession()) {
            MongoDatabase database = own.getDatabase(this.database.getName());
            for (int i = 0; i < 3; i++) {
                assertThat(database.runCommand(session, increment))
                        .containsEntry("n", 1)
                        .containsEntry("nModified", 1);
            }
            assertThat(things.find().first()).containsEntry("x", 1);
            for (int i = 0; i < 2; i++) {
                assertThat(database.runCommand(session, insert))
                        .containsEntry("n", 2)
                        .doesNotContainKey("writeErrors");
            }
            assertThatThrownBy(() -> database.runCommand(session, increment))
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getCode()).isEqualTo(225));
        }
    }

    @Test
    void statusHasTheMembersSections() {
        Document status = database.runCommand(new Document("serverStatus", 1));
        assertThat(status.get("repl", Document.class)).containsEntry("setName", "rs0");
        assertThat(status.get("storageEngine", Document.class)).containsEntry("name", "rocksdb");
        assertThat(status.get("opcounters", Document.class)).containsKey("insert");
    }

    @Test
    void oneBulkOfSeveralCollections() {
        MongoNamespace here = things.getNamespace();
        MongoNamespace there = new MongoNamespace(database.getName(), "others");
        ClientBulkWriteResult result = client.bulkWrite(
                List.of(
                        ClientNamespacedWriteModel.insertOne(here, new Document("_id", 1)),
                        ClientNamespacedWriteModel.insertOne(there, new Document("_id", 2)),
                        ClientNamespacedWriteModel.updateOne(here, new Document("_id", 1), Updates.set("x", 1)),
                        ClientNamespacedWriteModel.deleteOne(there, new Document("_id", 2))),
                ClientBulkWriteOptions.clientBulkWriteOptions().verboseResults(true));
        assertThat(result.getInsertedCount()).isEqualTo(2);
        assertThat(result.getModifiedCount()).isEqualTo(1);
        assertThat(result.getDeletedCount()).isEqualTo(1);
        assertThat(result.getVerboseResults().orElseThrow().getInsertResults()).containsOnlyKeys(0, 1);
        assertThat(things.find().first()).isEqualTo(new Document("_id", 1).append("x", 1));
        ClientBulkWriteException twice = assertThrows(
                ClientBulkWriteException.class,
                () -> client.bulkWrite(List.of(ClientNamespacedWriteModel.insertOne(here, new Document("_id", 1)))));
        assertThat(twice.getWriteErrors().get(0).getCode()).isEqualTo(11000);
    }
}
