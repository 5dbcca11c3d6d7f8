package io.ostraka.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.Bytes;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.message.Compressor;
import io.ostraka.wire.message.FrameDecoder;
import io.ostraka.wire.message.FrameEncoder;
import io.ostraka.wire.message.Incoming;
import io.ostraka.wire.message.Message;
import io.ostraka.wire.server.ServerLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServerTest {
    @Test
    void answersWhatWasAskedAndAddsOk() throws IOException {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            BsonDocument answer = client.run("{echo: 1, x: 'y', $db: 'db'}").toBson();
            assertThat(answer.getDocument("you").getString("x").getValue()).isEqualTo("y");
            assertThat(answer.getDouble("ok").getValue()).isEqualTo(1.0);
            assertThat(answer.getBoolean("cluster").getValue()).isFalse();
        }
    }

    @Test
    void takesDocumentSequencesChecksumsAndEveryCompressor() throws IOException {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            Map<String, List<RawDocument>> numbers =
                    Map.of("numbers", List.of(EchoServer.bson("{n: 40}"), EchoServer.bson("{n: 2}")));
            RawDocument sum = client.run("{sum: 1, $db: 'db'}", Message.CHECKSUM_PRESENT, numbers);
            assertThat(sum.get("sum").asInt32().getValue()).isEqualTo(42);
            String text = "abc".repeat(5000);
            for (Compressor compressor : Compressor.values()) {
                byte[] frame = FrameEncoder.encode(
                        Message.of(9, EchoServer.bson("{echo: 1, text: '" + text + "', $db: 'db'}")));
                client.send(FrameEncoder.compress(frame, compressor));
                Incoming.Msg answer = (Incoming.Msg) FrameDecoder.decode(client.frame());
                assertThat(answer.compressor()).contains(compressor);
                assertThat(answer.message().responseTo()).isEqualTo(9);
                assertThat(answer.message().body().toString()).contains(text);
            }
        }
    }

    @Test
    void refusesAWrongChecksumAndGoesOn() throws IOException {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            byte[] frame = FrameEncoder.encode(
                    new Message(1, 0, Message.CHECKSUM_PRESENT, EchoServer.bson("{echo: 1, $db: 'db'}"), Map.of()));
            frame[frame.length - 1] ^= 1;
            client.send(frame);
            assertThat(client.answer().toBson().getInt32("code").getValue()).isEqualTo(17);
            assertThat(client.run("{echo: 1, $db: 'db'}").find("you")).isNotNull();
        }
    }

    @Test
    void answersNothingToMoreToCome() throws IOException {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            client.send(FrameEncoder.encode(
                    new Message(1, 0, Message.MORE_TO_COME, EchoServer.bson("{echo: 1, no: 1, $db: 'db'}"), Map.of())));
            assertThat(client.run("{echo: 2, $db: 'db'}").toString()).doesNotContain("no");
        }
    }

    /** Drivers take a server whose stream ends for one that has failed, and drop their connections to it. */
    @Test
    void goesOnSayingHelloToWhoAllowsIt() throws IOException {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            String awaiting = "{hello: 1, topologyVersion: {counter: 0}, maxAwaitTimeMS: 5, $db: 'admin'}";
            client.send(FrameEncoder.encode(
                    new Message(7, 0, Message.EXHAUST_ALLOWED, EchoServer.bson(awaiting), Map.of())));
            int before = 7;
            for (int i = 0; i < 5; i++) {
                Message answer = ((Incoming.Msg) FrameDecoder.decode(client.frame())).message();
                assertThat(answer.has(Message.MORE_TO_COME)).isTrue();
                assertThat(answer.responseTo()).isEqualTo(before);
                assertThat(answer.body().toBson().getDocument("topologyVersion"))
                        .isEqualTo(new BsonDocument("counter", new BsonInt32(i + 1)));
                before = answer.requestId();
            }
        }
    }

    @Test
    void saysHelloOnceWhereThereIsNothingToWaitForOrItFails() throws IOException {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            for (String once : List.of(
                    "{hello: 1, $db: 'admin'}",
                    "{hello: 1, maxAwaitTimeMS: 5, $db: 'admin'}",
                    "{hello: 1, topologyVersion: 'bad', maxAwaitTimeMS: 5, $db: 'admin'}",
                    "{echo: 1, $db: 'db'}")) {
                client.send(FrameEncoder.encode(
                        new Message(7, 0, Message.EXHAUST_ALLOWED, EchoServer.bson(once), Map.of())));
                Message answer = ((Incoming.Msg) FrameDecoder.decode(client.frame())).message();
                assertThat(answer.has(Message.MORE_TO_COME)).isFalse();
                assertThat(answer.responseTo()).isEqualTo(7);
            }
            assertThat(client.run("{echo: 2, $db: 'db'}").find("you")).isNotNull();
        }
    }

    @Test
    void saysHelloTheOldWayAndNothingElse() throws IOException {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            client.send(query("admin.$cmd", "{hello: 1}"));
            assertThat(legacyAnswer(client.frame())
                            .getBoolean("isWritablePrimary")
                            .getValue())
                    .isTrue();
            client.send(query("admin.$cmd", "{echo: 1}"));
            assertThat(legacyAnswer(client.frame()).getInt32("code").getValue()).isEqualTo(352);
            client.send(query("db.things", "{}"));
            assertThat(legacyAnswer(client.frame()).getInt32("code").getValue()).isEqualTo(352);
        }
    }

    private static byte[] query(String namespace, String json) {
        byte[] name = namespace.getBytes(StandardCharsets.UTF_8);
        byte[] body = EchoServer.bson(json).toByteArray();
        byte[] frame = new byte[16 + 4 + name.length + 1 + 8 + body.length];
        Bytes.putInt(frame, 0, frame.length);
        Bytes.putInt(frame, 4, 3);
        Bytes.putInt(frame, 12, 2004);
        System.arraycopy(name, 0, frame, 20, name.length);
        System.arraycopy(body, 0, frame, 20 + name.length + 9, body.length);
        return frame;
    }

    private static BsonDocument legacyAnswer(byte[] frame) {
        assertThat(Bytes.getInt(frame, 12)).isEqualTo(1);
        assertThat(Bytes.getInt(frame, 8)).isEqualTo(3);
        return RawDocument.at(frame, 36).toBson();
    }

    @Test
    void turnsEveryFailureIntoAReply() throws IOException {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            assertThat(code(client, "{nothing: 1, $db: 'db'}")).isEqualTo(59);
            assertThat(code(client, "{echo: 1}")).isEqualTo(40414);
            assertThat(code(client, "{echo: 1, $db: 'a b'}")).isEqualTo(73);
            assertThat(code(client, "{bug: 1, $db: 'db'}")).isEqualTo(1);
            assertThat(code(client, "{secret: 1, $db: 'db'}")).isEqualTo(13);
            assertThat(code(client, "{wait: 'gate', x: 1, $db: 'db'}")).isEqualTo(40415);
            assertThat(code(client, "{wait: 'gate', maxTimeMS: 20, $db: 'db'}")).isEqualTo(50);
            assertThat(code(client, "{wait: 'g', maxTimeMS: -1, $db: 'db'}")).isEqualTo(2);
            String number =
                    "lsid: {id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '04'}}}, txnNumber: {$numberLong: '1'}, $db: 'db'}";
            assertThat(code(client, "{echo: 1, startTransaction: true, autocommit: false, " + number))
                    .isEqualTo(263);
            assertThat(code(client, "{echo: 1, startTransaction: true, autocommit: false, $db: 'db'}"))
                    .isEqualTo(72);
            assertThat(code(client, "{echo: 1, startTransaction: true, " + number))
                    .isEqualTo(72);
            assertThat(code(client, "{echo: 1, autocommit: true, " + number)).isEqualTo(72);
        }
    }

    static int code(RawClient client, String json) throws IOException {
        return client.run(json).toBson().getInt32("code").getValue();
    }

    @Test
    void cursorsGoOnAreOfOneNamespaceAndEnd() throws IOException {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            BsonDocument first =
                    client.run("{count: 'numbers', to: 7, $db: 'db'}").toBson().getDocument("cursor");
            long id = first.getInt64("id").getValue();
            assertThat(first.getArray("firstBatch")).hasSize(3);
            String more = "{getMore: NumberLong('" + id + "'), collection: 'numbers', batchSize: 2, $db: 'db'}";
            assertThat(code(client, more.replace("'numbers'", "'others'"))).isEqualTo(13);
            assertThat(client.run(more).toBson().getDocument("cursor").getArray("nextBatch"))
                    .hasSize(2);
            assertThat(client.run(more)
                            .toBson()
                            .getDocument("cursor")
                            .getInt64("id")
                            .getValue())
                    .isZero();
            assertThat(code(client, more)).isEqualTo(43);
            assertThat(echo.closedCursors.availablePermits()).isEqualTo(1);
            long other = client.run("{count: 'numbers', $db: 'db'}")
                    .toBson()
                    .getDocument("cursor")
                    .getInt64("id")
                    .getValue();
            BsonDocument killed = client.run("{killCursors: 'numbers', cursors: [NumberLong('" + other
                            + "'), NumberLong(5)], $db: 'db'}")
                    .toBson();
            assertThat(killed.getArray("cursorsKilled")).hasSize(1);
            assertThat(killed.getArray("cursorsNotFound")).hasSize(1);
            assertThat(echo.closedCursors.availablePermits()).isEqualTo(2);
        }
    }

    @Test
    void killedOperationsEnd() throws Exception {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            client.send(FrameEncoder.encode(Message.of(1, EchoServer.bson("{wait: 'never', $db: 'db'}"))));
            echo.entered.acquire();
            long id = echo.operations.all().iterator().next().id();
            assertThat(echo.operations.kill(id)).isTrue();
            assertThat(client.answer().toBson().getInt32("code").getValue()).isEqualTo(11601);
            assertThat(echo.operations.kill(id)).isFalse();
        }
    }

    @Test
    void closesConnectionsBeyondTheBound() throws IOException {
        try (EchoServer echo = new EchoServer(ServerLimits.DEFAULT.withMaxConnections(2));
                RawClient one = new RawClient(echo.port);
                RawClient two = new RawClient(echo.port)) {
            one.run("{echo: 1, $db: 'db'}");
            two.run("{echo: 1, $db: 'db'}");
            try (RawClient three = new RawClient(echo.port)) {
                assertThat(three.frame()).isNull();
            }
            assertThat(one.run("{echo: 1, $db: 'db'}").find("ok")).isNotNull();
        }
    }

    @Test
    void aClientThatDoesNotTakeItsAnswerIsDisconnectedAndHoldsNobodyUp() throws Exception {
        ServerLimits impatient =
                new ServerLimits(10, 10, Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(5));
        try (EchoServer echo = new EchoServer(impatient);
                RawClient slow = new RawClient(echo.port);
                RawClient other = new RawClient(echo.port)) {
            String large = "x".repeat(15_000_000);
            byte[] frame =
                    FrameEncoder.encode(Message.of(1, EchoServer.bson("{echo: 1, x: '" + large + "', $db: 'db'}")));
            Thread sender = Thread.startVirtualThread(() -> {
                try {
                    for (int i = 0; i < 5; i++) {
                        slow.send(frame);
                    }
                } catch (IOException disconnected) {
                    echo.entered.release();
                }
            });
            assertThat(other.run("{echo: 1, $db: 'db'}").find("ok")).isNotNull();
            echo.entered.acquire(); // the server gave up on the slow one
            sender.join();
            assertThat(other.run("{echo: 2, $db: 'db'}").find("ok")).isNotNull();
        }
    }

    @Test
    void closingEndsWhatRunsAndLeavesNoThread() throws Exception {
        EchoServer echo = new EchoServer();
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            RawClient client = new RawClient(echo.port);
            clients.add(client);
            client.send(FrameEncoder.encode(Message.of(1, EchoServer.bson("{wait: 'never', $db: 'db'}"))));
        }
        echo.entered.acquire(5);
        echo.close();
        assertThat(echo.operations.count()).isZero();
        assertThat(echo.server.counters().current()).isZero();
        for (RawClient client : clients) {
            client.close();
        }
    }
}
