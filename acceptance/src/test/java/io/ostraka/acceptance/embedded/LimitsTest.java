package io.ostraka.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import io.ostraka.acceptance.support.SharedCluster;
import io.ostraka.core.bson.RawDocument;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What ends a client's wish, and nobody else's: a full disk, replies that nobody reads, cursors that are killed. */
@ExtendWith(SharedCluster.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LimitsTest {
    private static final int MORE_THAN_ANY_DISK = 1 << 30;

    private final SharedCluster shared;

    LimitsTest(SharedCluster shared) {
        this.shared = shared;
    }

    private MongoCollection<Document> spread(String name) {
        shared.client()
                .getDatabase("admin")
                .runCommand(
                        new Document("shardCollection", "limits." + name).append("key", new Document("_id", "hashed")));
        return shared.client().getDatabase("limits").getCollection(name);
    }

    /** Sets the reserve of all shards. @return what that of the last was before */
    private Object reserve(Object megabytes) {
        Object before = null;
        for (int shard = 0; shard < 3; shard++) {
            try (MongoClient member = MongoClients.create(shared.cluster().shardConnectionString(shard))) {
                before = member.getDatabase("admin")
                        .runCommand(new Document("setParameter", 1).append("diskReserveMegabytes", megabytes))
                        .get("was");
            }
        }
        return before;
    }

    @Test
    void belowTheReserveOfFreeDiskOnlyReadsAndDeletesGoOn() {
        MongoCollection<Document> things = spread("disk");
        for (int i = 0; i < 30; i++) {
            assertThat(things.insertOne(new Document("_id", i))).isNotNull();
        }
        Object usual = reserve(MORE_THAN_ANY_DISK);
        try {
            for (ThrowingCallable write : List.<ThrowingCallable>of(
                    () -> things.insertOne(new Document("_id", 100)),
                    () -> things.insertMany(List.of(new Document("_id", 101), new Document("_id", 102))),
                    () -> things.updateOne(Filters.eq("_id", 1), Updates.set("x", 1)),
                    () -> things.updateMany(Filters.gt("_id", 1), Updates.set("x", 1)),
                    () -> things.findOneAndUpdate(Filters.eq("_id", 1), Updates.set("x", 1)),
                    () -> things.createIndex(Indexes.ascending("x")),
                    () -> shared.client().getDatabase("limits").createCollection("another"))) {
                assertThatThrownBy(write)
                        .isInstanceOfSatisfying(
                                MongoException.class,
                                e -> assertThat(e.getMessage()).contains("disk space", "reads go on"));
            }
            assertThatThrownBy(() -> shared.client()
                            .getDatabase("limits")
                            .runCommand(new Document("findAndModify", "disk")
                                    .append("query", new Document("_id", 1))
                                    .append("update", new Document("$set", new Document("x", 1)))))
                    .isInstanceOfSatisfying(
                            MongoException.class, e -> assertThat(e.getCode()).isEqualTo(14031));
            assertThat(things.countDocuments(Filters.exists("x"))).isZero();
            assertThat(things.find().into(new ArrayList<>())).hasSize(30);
            assertThat(things.deleteMany(Filters.lt("_id", 10)).getDeletedCount())
                    .isEqualTo(10);
        } finally {
            reserve(usual);
        }
        assertThat(things.insertOne(new Document("_id", 100))).isNotNull();
        assertThat(things.countDocuments()).isEqualTo(21);
    }

    private static byte[] message(String json) {
        byte[] body = RawDocument.of(BsonDocument.parse(json)).toByteArray();
        return ByteBuffer.allocate(21 + body.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(21 + body.length)
                .putInt(1)
                .putInt(0)
                .putInt(2013)
                .putInt(0)
                .put((byte) 0)
                .put(body)
                .array();
    }

    @Test
    void clientsThatDoNotReadHoldUpNobody() throws IOException {
        MongoCollection<Document> things = spread("unread");
        List<Document> batch = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            batch.add(new Document("_id", i).append("filler", "x".repeat(16 << 10)));
        }
        assertThat(things.insertMany(batch)).isNotNull();
        byte[] find = message("{find: 'unread', batchSize: 1000, $db: 'limits'}");
        List<Socket> lazy = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), shared.cluster().port());
                lazy.add(socket);
                // Eight megabytes a reply, several of them, and not a byte is read.
                for (int request = 0; request < 5; request++) {
                    socket.getOutputStream().write(find);
                }
            }
            for (int i = 1_000; i < 1_200; i++) {
                assertThat(things.insertOne(new Document("_id", i))).isNotNull();
                assertThat(things.find(Filters.eq("_id", i)).first()).isNotNull();
            }
            assertThat(things.countDocuments()).isEqualTo(700);
        } finally {
            for (Socket socket : lazy) {
                socket.close();
            }
        }
    }

    private long cursorsOnShards() {
        long open = 0;
        for (int shard = 0; shard < 3; shard++) {
            try (MongoClient member = MongoClients.create(shared.cluster().shardConnectionString(shard))) {
                open += member.getDatabase("admin")
                        .runCommand(new Document("serverStatus", 1))
                        .get("metrics", Document.class)
                        .get("cursor", Document.class)
                        .get("open", Document.class)
                        .get("total", Number.class)
                        .longValue();
            }
        }
        return open;
    }

    private void awaitCursors(long count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        long open = cursorsOnShards();
        while (open != count) {
            assertThat(System.nanoTime()).as("%d cursors are open", open).isLessThan(end);
            open = cursorsOnShards();
        }
    }

    @Test
    void aKilledCursorIsGoneOnTheRouterAndOnTheShards() {
        MongoCollection<Document> things = spread("cursors");
        for (int i = 0; i < 60; i++) {
            assertThat(things.insertOne(new Document("_id", i))).isNotNull();
        }
        long before = cursorsOnShards();
        var database = shared.client().getDatabase("limits");
        long id = database.runCommand(Document.parse("{find: 'cursors', sort: {_id: 1}, batchSize: 3}"))
                .get("cursor", Document.class)
                .getLong("id");
        assertThat(id).isNotZero();
        awaitCursors(before + 3);
        Document killed =
                database.runCommand(new Document("killCursors", "cursors").append("cursors", List.of(id, 12345L)));
        assertThat(killed.getList("cursorsKilled", Long.class)).containsExactly(id);
        assertThat(killed.getList("cursorsNotFound", Long.class)).containsExactly(12345L);
        assertThatThrownBy(() -> database.runCommand(new Document("getMore", id).append("collection", "cursors")))
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(43));
        awaitCursors(before);
        // A driver that stops reading kills what it leaves.
        try (var cursor = things.find().batchSize(3).cursor()) {
            assertThat(cursor.next()).isNotNull();
            awaitCursors(before + 3);
        }
        awaitCursors(before);
    }
}
