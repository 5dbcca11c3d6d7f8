package io.ostraka.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.Bytes;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.message.Compressor;
import io.ostraka.wire.message.FrameDecoder;
import io.ostraka.wire.message.FrameEncoder;
import io.ostraka.wire.message.Incoming;
import io.ostraka.wire.message.Message;
import io.ostraka.wire.transport.FrameException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever arrives, the server lives. Rerun a failure with its seed: {@code -Dostraka.seed=…}. */
@Timeout(120)
class BadBytesTest {
    private static final long SEED = Long.getLong("ostraka.seed", 20_261_130L);

    @Test
    void twentyThousandBrokenFramesAreRefusedInOrder() {
        for (int round = 0; round < 20_000; round++) {
            Random random = new Random(SEED + round);
            byte[] frame = broken(random);
            try {
                Incoming incoming = FrameDecoder.decode(frame);
                if (incoming instanceof Incoming.Msg msg) {
                    // What passed the check can be walked.
                    assertThat(msg.message().body().toBson()).isNotNull();
                    msg.message().sequences().values().forEach(all -> all.forEach(RawDocument::toBson));
                }
            } catch (FrameException refused) {
                assertThat(refused).hasMessageMatching("(?s).+");
            } catch (RuntimeException | Error bug) {
                throw new AssertionError("seed " + (SEED + round), bug);
            }
        }
    }

    @Test
    void aServerThatGetsGarbageServesTheNextClient() throws IOException {
        try (EchoServer echo = new EchoServer()) {
            for (int round = 0; round < 300; round++) {
                Random random = new Random(SEED + round);
                byte[] bytes = broken(random);
                if (random.nextInt(4) == 0) {
                    Bytes.putInt(bytes, 0, random.nextInt());
                } else {
                    Bytes.putInt(bytes, 0, bytes.length);
                }
                try (RawClient client = new RawClient(echo.port)) {
                    client.send(bytes);
                    client.socket.shutdownOutput();
                    while (client.frame() != null) {
                        continue; // an error, or an answer where the break did not matter
                    }
                } catch (IOException reset) {
                    assertThat(reset).as("seed " + (SEED + round)).isNotNull();
                }
            }
            try (RawClient client = new RawClient(echo.port)) {
                assertThat(client.run("{echo: 1, $db: 'db'}").find("ok")).isNotNull();
            }
        }
    }

    @Test
    void lengthsOutOfBoundsCloseTheConnection() throws IOException {
        try (EchoServer echo = new EchoServer()) {
            for (int length : new int[] {0, 15, -1, Integer.MIN_VALUE, 48_000_001, Integer.MAX_VALUE}) {
                try (RawClient client = new RawClient(echo.port)) {
                    byte[] header = new byte[16];
                    Bytes.putInt(header, 0, length);
                    Bytes.putInt(header, 12, 2013);
                    client.send(header);
                    assertThat(client.frame()).as("length " + length).isNull();
                }
            }
        }
    }

    @Test
    void deepNestingIsAnErrorReply() throws IOException {
        try (EchoServer echo = new EchoServer();
                RawClient client = new RawClient(echo.port)) {
            String deep = "{a: ".repeat(200) + "1" + "}".repeat(200);
            assertThat(ServerTest.code(client, "{echo: 1, deep: " + deep + ", $db: 'db'}"))
                    .isEqualTo(15);
        }
    }

    private static byte[] broken(Random random) {
        Message message = new Message(
                random.nextInt(),
                0,
                random.nextInt(3) == 0 ? Message.CHECKSUM_PRESENT : 0,
                EchoServer.bson("{echo: 1, a: [1, 2.5, 'x', {b: null}], r: /x/i, $db: 'db'}"),
                Map.of("numbers", List.of(EchoServer.bson("{n: 1}"), EchoServer.bson("{n: 2, s: 'abc'}"))));
        byte[] frame = FrameEncoder.encode(message);
        if (random.nextInt(3) == 0) {
            frame = FrameEncoder.compress(frame, Compressor.values()[random.nextInt(4)]);
        }
        int breaks = 1 + random.nextInt(4);
        for (int i = 0; i < breaks; i++) {
            switch (random.nextInt(3)) {
                case 0 -> frame[4 + random.nextInt(frame.length - 4)] = (byte) random.nextInt();
                case 1 -> frame[4 + random.nextInt(frame.length - 4)] ^= (byte) (1 << random.nextInt(8));
                default -> {
                    frame = java.util.Arrays.copyOf(frame, Math.max(16, frame.length - random.nextInt(8)));
                    Bytes.putInt(frame, 0, frame.length);
                }
            }
        }
        return frame;
    }
}
