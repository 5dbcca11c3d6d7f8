package io.ostraka.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoWriteException;
import io.ostraka.acceptance.support.SharedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.bson.Document;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What no client of good will sends: the server answers or closes, and goes on. */
@ExtendWith(SharedCluster.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BadInputTest {
    private static final int FRAMES = 3_000;

    /** Sends bytes and reads what comes until the server has answered once or closed. */
    private static int send(int port, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            int read = in.readNBytes(16).length;
            return read;
        } catch (java.net.SocketException closed) {
            // A server that closes while bytes are still on their way resets the connection.
            return 0;
        }
    }

    private static byte[] frame(int length, int opCode, byte[] rest) {
        ByteBuffer frame = ByteBuffer.allocate(16 + rest.length).order(ByteOrder.LITTLE_ENDIAN);
        return frame.putInt(length).putInt(1).putInt(0).putInt(opCode).put(rest).array();
    }

    @Test
    void brokenFramesEndTheirConnectionOnly(SharedCluster shared) throws IOException {
        int port = shared.cluster().port();
        assertThat(send(port, frame(Integer.MAX_VALUE, 2013, new byte[0]))).isZero();
        assertThat(send(port, frame(48_000_001, 2013, new byte[64]))).isZero();
        assertThat(send(port, frame(-5, 2013, new byte[4]))).isZero();
        assertThat(send(port, frame(15, 2013, new byte[0]))).isZero();
        assertThat(send(port, frame(20, 4711, new byte[4]))).isZero();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < FRAMES; i++) {
            byte[] rest = new byte[random.nextInt(200)];
            random.nextBytes(rest);
            int unused = send(port, frame(16 + rest.length, random.nextBoolean() ? 2013 : 2012, rest));
        }
        assertThat(shared.client()
                        .getDatabase("admin")
                        .runCommand(new Document("ping", 1))
                        .getDouble("ok"))
                .as("seed %d", seed)
                .isEqualTo(1);
    }

    @Test
    void limitsAreErrorsWithNames(SharedCluster shared) {
        var things = shared.client().getDatabase("bad_input").getCollection("things");
        Document deep = new Document();
        for (int i = 0; i < 200; i++) {
            deep = new Document("a", deep);
        }
        Document tooDeep = deep;
        Exception refused = Assertions.assertThrows(Exception.class, () -> things.insertOne(tooDeep));
        assertThat(refused.getMessage()).containsAnyOf("180", "nest");
        Document large = new Document("x", "y".repeat(16 * 1024 * 1024));
        assertThat(Assertions.assertThrows(Exception.class, () -> things.insertOne(large))
                        .getMessage())
                .containsAnyOf("larger", "maximum", "exceeds", "size");
        MongoCommandException unknown = Assertions.assertThrows(
                MongoCommandException.class,
                () -> shared.client().getDatabase("bad_input").runCommand(new Document("frobnicate", 1)));
        assertThat(unknown.getErrorCode()).isEqualTo(59);
        assertThat(unknown.getErrorCodeName()).isEqualTo("CommandNotFound");
        things.insertOne(new Document("_id", 1));
        assertThat(Assertions.assertThrows(MongoWriteException.class, () -> things.insertOne(new Document("_id", 1)))
                        .getCode())
                .isEqualTo(11000);
        MongoCommandException internal = Assertions.assertThrows(
                MongoCommandException.class,
                () -> com.mongodb.client.MongoClients.create(shared.cluster().shardConnectionString(0))
                        .getDatabase("admin")
                        .runCommand(new Document("_shardsvrDropDatabase", "bad_input")));
        assertThat(internal.getErrorCode()).isEqualTo(13);
        assertThat(things.countDocuments()).isEqualTo(1);
    }

    /** A document of so many levels, itself among them; every second one an array. */
    private static Document nested(Object id, int levels) {
        Object inner = 1;
        for (int i = 1; i < levels; i++) {
            inner = i % 2 == 0 ? java.util.List.of(inner) : new Document("a", inner);
        }
        return new Document("_id", id).append("a", inner);
    }

    @Test
    void documentsMayBeNestedToTheLimit(SharedCluster shared) {
        shared.client()
                .getDatabase("admin")
                .runCommand(new Document("shardCollection", "bad_input.deep").append("key", new Document("_id", 1)));
        for (String name : java.util.List.of("deep", "deep_untracked")) {
            var things = shared.client().getDatabase("bad_input").getCollection(name);
            things.insertOne(nested(1, 180));
            assertThat(things.find().first()).isEqualTo(nested(1, 180));
            assertThat(things.replaceOne(new Document("_id", 1), nested(1, 180).append("again", true))
                            .getModifiedCount())
                    .isEqualTo(1);
            assertThat(things.aggregate(java.util.List.of(new Document("$addFields", new Document("b.c", "$$ROOT"))))
                            .first())
                    .containsKey("b");
            assertThat(things.findOneAndUpdate(
                            new Document("_id", 1),
                            new Document(
                                    "$set", new Document("b", nested(2, 179).get("a")))))
                    .isNotNull();
            for (org.junit.jupiter.api.function.Executable refused :
                    java.util.List.<org.junit.jupiter.api.function.Executable>of(
                            () -> things.insertOne(nested(3, 181)),
                            () -> things.updateOne(
                                    new Document("_id", 1),
                                    new Document("$set", new Document("e.c.d", nested(2, 179)))),
                            () -> things.updateOne(
                                    new Document("_id", 9),
                                    new Document("$set", new Document("b", nested(2, 180))),
                                    new com.mongodb.client.model.UpdateOptions().upsert(true)))) {
                assertThat(Assertions.assertThrows(MongoWriteException.class, refused)
                                .getCode())
                        .isEqualTo(15);
            }
            assertThat(things.countDocuments()).isEqualTo(1);
        }
        // What cannot be a command either is answered, and the connection goes on.
        assertThat(Assertions.assertThrows(
                                MongoCommandException.class,
                                () -> shared.client()
                                        .getDatabase("bad_input")
                                        .runCommand(new Document("find", "deep").append("filter", nested(1, 201))))
                        .getErrorCode())
                .isEqualTo(15);
        // A result deeper than any client must take is an error of its query, and of no other one.
        Document deeper = new Document("$addFields", new Document("z.z.z.z.z.z.z.z.z.z", "$$ROOT"));
        assertThat(Assertions.assertThrows(
                                MongoCommandException.class,
                                () -> shared.client()
                                        .getDatabase("bad_input")
                                        .getCollection("deep")
                                        .aggregate(java.util.List.of(deeper, deeper))
                                        .first())
                        .getErrorCode())
                .isEqualTo(15);
    }

    @Test
    void maxTimeIsObeyed(SharedCluster shared) {
        var things = shared.client().getDatabase("bad_input").getCollection("many");
        java.util.List<Document> batch = new java.util.ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            batch.add(new Document("s", "abcdefghij".repeat(10) + i));
        }
        things.insertMany(batch);
        MongoExecutionTimeoutException late = Assertions.assertThrows(
                MongoExecutionTimeoutException.class,
                () -> shared.client()
                        .getDatabase("bad_input")
                        .runCommand(new Document("count", "many")
                                .append("query", new Document("s", new Document("$regex", "(a|b|c|d|e|f|g|h|i|j)*z$")))
                                .append("maxTimeMS", 1)));
        assertThat(late.getCode()).isEqualTo(50);
    }
}
