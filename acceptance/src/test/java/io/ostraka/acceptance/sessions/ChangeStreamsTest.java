package io.ostraka.acceptance.sessions;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.FullDocument;
import com.mongodb.client.model.changestream.OperationType;
import io.ostraka.acceptance.node.OneNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Change streams of the Java driver on one member. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChangeStreamsTest {
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
        things.insertOne(new Document("_id", 0)
                .append("a", new Document("b", 1).append("c", 2))
                .append("d", List.of(1)));
    }

    private static List<ChangeStreamDocument<Document>> take(ChangeStreamIterable<Document> stream, int events) {
        List<ChangeStreamDocument<Document>> taken = new ArrayList<>();
        try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> cursor = stream.cursor()) {
            while (taken.size() < events) {
                taken.add(cursor.next());
            }
        }
        return taken;
    }

    private static List<OperationType> types(List<ChangeStreamDocument<Document>> events) {
        return events.stream().map(ChangeStreamDocument::getOperationType).toList();
    }

    @Test
    void everyChangeIsToldInOrderAndCanBeResumedFrom() {
        List<ChangeStreamDocument<Document>> events = new ArrayList<>();
        BsonDocument before;
        try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> cursor =
                things.watch().batchSize(2).cursor()) {
            assertThat(cursor.tryNext()).isNull();
            before = cursor.getResumeToken();
            things.insertOne(new Document("_id", 1).append("x", 1));
            things.updateOne(
                    eq("_id", 0), combine(set("a.b", 5), unset("a.c"), set("e", "new"), set("d", List.of(1, 2))));
            things.replaceOne(eq("_id", 1), new Document("y", 2));
            things.updateOne(eq("_id", 1), set("y", 2)); // changes nothing
            things.deleteOne(eq("_id", 1));
            things.drop();
            while (events.size() < 6) {
                events.add(cursor.next());
            }
            assertThat(cursor.tryNext()).isNull();
        }
        assertThat(types(events))
                .containsExactly(
                        OperationType.INSERT,
                        OperationType.UPDATE,
                        OperationType.REPLACE,
                        OperationType.DELETE,
                        OperationType.DROP,
                        OperationType.INVALIDATE);
        ChangeStreamDocument<Document> update = events.get(1);
        assertThat(update.getFullDocument()).isNull();
        assertThat(update.getUpdateDescription().getUpdatedFields())
                .isEqualTo(BsonDocument.parse("{'a.b': 5, d: [1, 2], e: 'new'}"));
        assertThat(update.getUpdateDescription().getRemovedFields()).containsExactly("a.c");
        assertThat(events.getFirst().getFullDocument()).isEqualTo(new Document("_id", 1).append("x", 1));
        assertThat(events.get(2).getFullDocument()).isEqualTo(new Document("_id", 1).append("y", 2));
        assertThat(events.get(3).getDocumentKey()).isEqualTo(BsonDocument.parse("{_id: 1}"));
        for (int i = 1; i < events.size(); i++) {
            assertThat(events.get(i).getResumeToken().getString("_data").getValue())
                    .isGreaterThan(events.get(i - 1)
                            .getResumeToken()
                            .getString("_data")
                            .getValue());
        }

        assertThat(types(take(things.watch().resumeAfter(before), 6))).isEqualTo(types(events));
        for (int i = 0; i < 5; i++) {
            assertThat(take(things.watch().resumeAfter(events.get(i).getResumeToken()), 5 - i))
                    .isEqualTo(events.subList(i + 1, 6));
        }
        assertThat(types(take(things.watch().startAtOperationTime(update.getClusterTime()), 5)))
                .isEqualTo(types(events.subList(1, 6)));
        BsonDocument last = events.get(5).getResumeToken();
        assertThatThrownBy(() -> take(things.watch().resumeAfter(last), 1))
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(260));
        try (var again = things.watch().startAfter(last).cursor()) {
            assertThat(again.tryNext()).isNull();
            things.insertOne(new Document("_id", 9));
            assertThat(again.next().getOperationType()).isEqualTo(OperationType.INSERT);
        }
    }

    @Test
    void documentsAfterAnUpdateAreLookedUpOrTold() {
        try (var lookup =
                        things.watch().fullDocument(FullDocument.UPDATE_LOOKUP).cursor();
                var image =
                        things.watch().fullDocument(FullDocument.WHEN_AVAILABLE).cursor()) {
            things.updateOne(eq("_id", 0), set("x", 1));
            things.updateOne(eq("_id", 0), set("x", 2));
            assertThat(lookup.next().getFullDocument()).containsEntry("x", 2);
            assertThat(image.next().getFullDocument()).containsEntry("x", 1);
            things.deleteOne(eq("_id", 0));
            assertThat(lookup.next().getFullDocument())
                    .satisfiesAnyOf(
                            gone -> assertThat(gone).isNull(),
                            still -> assertThat(still).containsEntry("x", 2));
            assertThat(image.next().getFullDocument()).containsEntry("x", 2);
        }
    }

    @Test
    void databasesAndTheWholeSetAreWatchedToo() {
        MongoCollection<Document> others = database.getCollection("others");
        MongoCollection<Document> elsewhere =
                client.getDatabase(database.getName() + "2").getCollection("things");
        try (var ofDatabase = database.watch().cursor();
                var ofSet = client.watch().cursor()) {
            elsewhere.insertOne(new Document("_id", 1));
            things.insertOne(new Document("_id", 2));
            others.insertOne(new Document("_id", 3));
            others.renameCollection(new com.mongodb.MongoNamespace(database.getName(), "renamed"));
            List<Object> seen = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                seen.add(ofDatabase.next().getNamespace().getCollectionName());
            }
            assertThat(seen).containsExactly("things", "others");
            ChangeStreamDocument<Document> rename = ofDatabase.next();
            assertThat(rename.getOperationType()).isEqualTo(OperationType.RENAME);
            assertThat(rename.getDestinationNamespace().getCollectionName()).isEqualTo("renamed");
            assertThat(ofSet.next().getNamespace()).isEqualTo(elsewhere.getNamespace());
            assertThat(ofSet.next().getNamespace()).isEqualTo(things.getNamespace());
        }
    }

    @Test
    void stagesBehindLookAtEachEvent() {
        try (var cursor = things.watch(List.of(
                        Aggregates.match(Filters.eq("fullDocument.wanted", true)),
                        Aggregates.project(Projections.include("operationType", "ns", "fullDocument"))))
                .cursor()) {
            for (int i = 1; i < 300; i++) {
                things.insertOne(new Document("_id", i).append("wanted", i % 100 == 0));
            }
            assertThat(cursor.next().getFullDocument()).containsEntry("_id", 100);
            assertThat(cursor.next().getFullDocument()).containsEntry("_id", 200);
        }
        assertThatThrownBy(() -> things.watch(List.of(Aggregates.group("$x"))).cursor())
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(20));
        assertThatThrownBy(() -> {
                    try (var cursor = things.watch(List.of(Aggregates.project(Projections.excludeId())))
                            .cursor()) {
                        things.insertOne(new Document("_id", "x"));
                        cursor.next();
                    }
                })
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(280));
    }

    @Test
    void theTokenGoesOnWhereNothingHappens() {
        MongoCollection<Document> others = database.getCollection("others");
        try (var cursor = things.watch().maxAwaitTime(50, TimeUnit.MILLISECONDS).cursor()) {
            assertThat(cursor.tryNext()).isNull();
            String first = cursor.getResumeToken().getString("_data").getValue();
            others.insertOne(new Document());
            assertThat(cursor.tryNext()).isNull();
            assertThat(cursor.getResumeToken().getString("_data").getValue()).isGreaterThan(first);
        }
    }

    @Test
    void whoWaitsIsWokenByTheChange() {
        try (var cursor = things.watch().maxAwaitTime(50, TimeUnit.SECONDS).cursor()) {
            CompletableFuture<ChangeStreamDocument<Document>> waiting = CompletableFuture.supplyAsync(cursor::next);
            things.insertOne(new Document("_id", "awaited"));
            // Long before the wait would be over by itself.
            assertThat(waiting.orTimeout(20, TimeUnit.SECONDS).join().getFullDocument())
                    .containsEntry("_id", "awaited");
        }
    }

    @Test
    void aTransactionIsOneMoment() {
        try (var cursor = things.watch().cursor();
                ClientSession session = client.startSession()) {
            session.startTransaction();
            things.insertOne(session, new Document("_id", 1));
            things.updateOne(session, eq("_id", 0), set("x", 1));
            assertThat(cursor.tryNext()).isNull();
            session.commitTransaction();
            ChangeStreamDocument<Document> insert = cursor.next();
            ChangeStreamDocument<Document> update = cursor.next();
            assertThat(insert.getClusterTime()).isEqualTo(update.getClusterTime());
            assertThat(insert.getTxnNumber()).isEqualTo(update.getTxnNumber()).isNotNull();
            assertThat(insert.getLsid()).isEqualTo(session.getServerSession().getIdentifier());
        }
    }
}
