package io.ostraka.wire.client;

import static io.ostraka.core.error.ErrorCode.AUTHENTICATION_FAILED;
import static io.ostraka.core.error.ErrorCode.HOST_UNREACHABLE;
import static io.ostraka.core.error.ErrorCode.INTERRUPTED;
import static io.ostraka.core.error.ErrorCode.NETWORK_TIMEOUT;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.wire.auth.ClusterKey;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.message.ClusterProtocol;
import io.ostraka.wire.message.FrameDecoder;
import io.ostraka.wire.message.FrameEncoder;
import io.ostraka.wire.message.Incoming;
import io.ostraka.wire.message.Message;
import io.ostraka.wire.transport.FrameException;
import io.ostraka.wire.transport.Link;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonBinary;
import org.bson.BsonType;

/**
 * One connection to another process: requests go out in the order they come, one thread reads the answers and wakes
 * whoever waits for each.
 */
final class PeerConnection {
    /** How the text begins when there was no connection. */
    static final String NOT_CONNECTED = "Error connecting to";

    /** How the text ends when nobody listens: there is no process, or none yet. */
    static final String NOBODY_LISTENS = "connection refused, nobody listens there";

    /** Within which the requests before one must have been sent. */
    private static final long SENDS_SECONDS = 30;

    private final String address;
    private final Link link;
    private final Map<Integer, CompletableFuture<RawDocument>> waiting = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger();
    private final ReentrantLock sending = new ReentrantLock();
    private volatile boolean open = true;

    private PeerConnection(String address, Link link) {
        this.address = address;
        this.link = link;
    }

    /** Connects and proves on both ends that they have the cluster's key. */
    static PeerConnection connect(String address, ClusterClient.Parts parts, Deadline deadline) {
        Deadline connects = deadline.atMost(parts.limits().connects().toMillis());
        Link link;
        try {
            link = parts.transport().connect(address, Duration.ofNanos(Math.max(1_000_000, connects.nanosLeft())));
        } catch (ConnectException refused) {
            throw HOST_UNREACHABLE.because("%s %s: %s", NOT_CONNECTED, address, NOBODY_LISTENS);
        } catch (IOException failed) {
            throw HOST_UNREACHABLE.because("%s %s: %s", NOT_CONNECTED, address, failed.getMessage());
        }
        PeerConnection connection = new PeerConnection(address, link);
        Thread.ofVirtual().name("answers from " + address).start(connection::read);
        try {
            connection.shakeHands(parts, connects);
            return connection;
        } catch (RuntimeException failed) {
            connection.close();
            throw failed;
        }
    }

    private void shakeHands(ClusterClient.Parts parts, Deadline deadline) {
        byte[] mine = ClusterProtocol.nonce(parts.ids());
        RawDocument hello = new RawBuilder()
                .put(ClusterProtocol.HELLO, 1)
                .put("v", ClusterProtocol.VERSION)
                .put("nonce", new BsonBinary(mine))
                .put("$db", "admin")
                .build();
        RawDocument answer = await(hello, deadline);
        byte[] theirs = answer.get("nonce") instanceof BsonBinary nonce ? nonce.getData() : new byte[0];
        byte[] proof = answer.get("proof") instanceof BsonBinary binary ? binary.getData() : new byte[0];
        if (!ClusterKey.same(parts.key().serverProof(mine, theirs), proof)) {
            throw AUTHENTICATION_FAILED.because("the process at %s does not have this cluster's key", address);
        }
        RawDocument prove = new RawBuilder()
                .put(ClusterProtocol.PROVE, 1)
                .put("proof", new BsonBinary(parts.key().clientProof(mine, theirs)))
                .put("$db", "admin")
                .build();
        if (await(prove, deadline).find("ok") == null) {
            throw AUTHENTICATION_FAILED.because("the process at %s did not accept this one", address);
        }
    }

    private RawDocument await(RawDocument body, Deadline deadline) {
        try {
            return ClusterClient.checked(send(body, Map.of()).answer().get(deadline.nanosLeft(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof CommandException known) {
                throw known;
            }
            throw new IllegalStateException(failed);
        } catch (TimeoutException late) {
            throw NETWORK_TIMEOUT.because("%s did not answer in time", address);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw INTERRUPTED.because("operation was interrupted");
        }
    }

    boolean isOpen() {
        return open;
    }

    /** A request on its way. */
    final class Sent {
        private final int id;
        private final CompletableFuture<RawDocument> answer = new CompletableFuture<>();

        private Sent(int id) {
            this.id = id;
        }

        /** Ends with the reply, or with 6 when the connection breaks. */
        CompletableFuture<RawDocument> answer() {
            return answer;
        }

        /** Tells the other end that nobody waits for the reply any more. It may be on its way; it is then ignored. */
        void cancel() {
            if (waiting.remove(id, answer) && open) {
                RawDocument cancel = new RawBuilder()
                        .put(ClusterProtocol.CANCEL, id)
                        .put("$db", "admin")
                        .build();
                transmit(FrameEncoder.encode(
                        new Message(ids.incrementAndGet(), 0, Message.MORE_TO_COME, cancel, Map.of())));
            }
        }
    }

    /** Sends a request. */
    Sent send(RawDocument body, Map<String, List<RawDocument>> sequences) {
        Sent sent = new Sent(ids.incrementAndGet());
        byte[] frame = FrameEncoder.encode(new Message(sent.id, 0, 0, body, sequences));
        waiting.put(sent.id, sent.answer);
        if (!transmit(frame)) {
            waiting.remove(sent.id);
            sent.answer.completeExceptionally(INTERRUPTED.because("operation was interrupted"));
        }
        if (!open) {
            fail("the connection is closed");
        }
        return sent;
    }

    /** @return false if the thread was interrupted while it waited for its turn: nothing was sent */
    private boolean transmit(byte[] frame) {
        try {
            if (sending.tryLock(SENDS_SECONDS, TimeUnit.SECONDS)) {
                try {
                    if (open) {
                        link.send(frame);
                    }
                } finally {
                    sending.unlock();
                }
            } else {
                fail("the other end does not take requests");
            }
        } catch (IOException failed) {
            fail(failed.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
        return true;
    }

    private void read() {
        String why = "the other end closed the connection";
        try {
            for (byte[] frame = link.receive(); frame != null; frame = link.receive()) {
                take(FrameDecoder.decode(frame));
            }
        } catch (IOException failed) {
            why = String.valueOf(failed.getMessage());
        } finally {
            fail(why);
        }
    }

    private void take(Incoming incoming) throws FrameException {
        if (!(incoming instanceof Incoming.Msg msg)) {
            throw new FrameException("an answer that cannot be read");
        }
        CompletableFuture<RawDocument> answer = waiting.remove(msg.message().responseTo());
        if (answer != null) {
            answer.complete(msg.message().body());
        } else {
            closeCursor(msg.message().body());
        }
    }

    /** An answer that nobody waits for any more, because its request was cancelled too late, may have opened a cursor. */
    private void closeCursor(RawDocument answer) {
        RawCursor cursor = answer.find("cursor");
        RawCursor id = cursor != null && cursor.isDocument() ? cursor.document().find("id") : null;
        if (id == null || id.type() != BsonType.INT64 || id.int64() == 0) {
            return;
        }
        String namespace = cursor.document().find("ns").string();
        int dot = namespace.indexOf('.');
        RawDocument kill = new RawBuilder()
                .put("killCursors", namespace.substring(dot + 1))
                .openArray("cursors")
                .put("0", id.int64())
                .close()
                .put("$db", namespace.substring(0, dot))
                .build();
        // Not on the thread that reads: it must not wait for a turn to send.
        Thread.ofVirtual()
                .name("late answers from " + address)
                .start(() -> transmit(FrameEncoder.encode(
                        new Message(ids.incrementAndGet(), 0, Message.MORE_TO_COME, kill, Map.of()))));
    }

    private void fail(String why) {
        open = false;
        link.close();
        for (Integer id : List.copyOf(waiting.keySet())) {
            CompletableFuture<RawDocument> answer = waiting.remove(id);
            if (answer != null) {
                answer.completeExceptionally(HOST_UNREACHABLE.because("the connection to %s broke: %s", address, why));
            }
        }
    }

    /** Ends what waits: the other end is there no more, though nobody told. */
    void giveUp(String why) {
        fail(why);
    }

    void close() {
        fail("this process closed it");
    }
}
