package io.ostraka.wire.server;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED;
import static io.ostraka.core.error.ErrorCode.RESOURCE_EXHAUSTED;
import static io.ostraka.core.error.ErrorCode.UNSUPPORTED_OP_QUERY_COMMAND;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.command.User;
import io.ostraka.wire.message.ClusterProtocol;
import io.ostraka.wire.message.Compressor;
import io.ostraka.wire.message.FrameDecoder;
import io.ostraka.wire.message.FrameEncoder;
import io.ostraka.wire.message.Incoming;
import io.ostraka.wire.message.Message;
import io.ostraka.wire.message.Reply;
import io.ostraka.wire.transport.FrameException;
import io.ostraka.wire.transport.Link;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One accepted connection. A client's requests run one after the other on the connection's own virtual thread; once
 * the other end has proved to be of the cluster, each request gets a thread of its own.
 */
final class ServerConnection {
    private static final Logger LOG = LoggerFactory.getLogger("NETWORK");
    /** Smaller answers do not get smaller. */
    private static final int COMPRESSED_FROM = 256;

    private final WireServer server;
    private final Link link;
    private final NetworkCounters counters;
    private final Optional<ClusterHandshake> handshake;
    private final ReentrantLock sending = new ReentrantLock();
    private final AtomicInteger requestIds = new AtomicInteger();
    private final Semaphore atOnce;
    /** The kill marks of requests of a process of the cluster, by request id. */
    private final Map<Integer, CompletableFuture<CommandException>> running = new ConcurrentHashMap<>();

    private volatile Client client;
    /** Since when a client's request is running; 0 when none is. */
    private volatile long runningSince;

    ServerConnection(
            WireServer server, Link link, long number, Optional<ClusterHandshake> handshake, int requestsAtOnce) {
        this.server = server;
        this.link = link;
        this.counters = server.counters();
        this.handshake = handshake;
        this.atOnce = new Semaphore(requestsAtOnce);
        client = new Client(number, link.remote(), Optional.empty(), User.NOBODY, false);
    }

    Client client() {
        return client;
    }

    Link link() {
        return link;
    }

    /** Whether a client's request has run for so long, and its answer would reach nobody. */
    boolean runsInVain(long nanos) {
        long since = runningSince;
        return since != 0 && server.nanos() - since > nanos && link.isAbandoned();
    }

    /** Serves until either end closes. */
    void serve() {
        try {
            for (byte[] frame = link.receive(); frame != null; frame = link.receive()) {
                counters.received(frame.length);
                if (!take(FrameDecoder.decode(frame))) {
                    return;
                }
            }
        } catch (FrameException bad) {
            LOG.warn("closing the connection from {}: {}", link.remote(), bad.getMessage());
        } catch (IOException ended) {
            LOG.debug("the connection from {} ended", link.remote(), ended);
        } finally {
            link.close();
        }
    }

    /** @return whether the connection goes on */
    private boolean take(Incoming incoming) throws IOException {
        switch (incoming) {
            case Incoming.Wrong wrong -> {
                LOG.info("bad message from {}: {}", link.remote(), wrong.error().getMessage());
                refuse(wrong);
                return !wrong.fatal();
            }
            case Incoming.LegacyCommand legacy -> {
                answerLegacy(legacy);
                return true;
            }
            case Incoming.Msg msg -> {
                if (handshake.isPresent()
                        && ClusterHandshake.concerns(msg.message().body())) {
                    return shakeHands(msg);
                }
                if (client.ofCluster()) {
                    if (ClusterProtocol.CANCEL.equals(msg.message().body().firstName())) {
                        cancel(msg.message().body());
                    } else {
                        aside(msg);
                    }
                } else {
                    answerClient(msg);
                }
                return true;
            }
        }
    }

    private void answerClient(Incoming.Msg msg) throws IOException {
        Optional<Message> next = Optional.of(msg.message());
        int answers = msg.message().requestId();
        while (next.isPresent()) {
            Message asked = next.get();
            runningSince = server.nanos() | 1; // 0 means that nothing runs
            Reply reply = run(asked, new CompletableFuture<>());
            next = StreamedHello.next(asked, reply);
            if (!asked.has(Message.MORE_TO_COME)) {
                int flags = next.isPresent() ? Message.MORE_TO_COME : 0;
                int id = nextId();
                send(FrameEncoder.encode(id, answers, flags, reply), msg.compressor());
                answers = id; // each further one answers the one before
            }
        }
        runningSince = 0;
    }

    private void refuse(Incoming.Wrong wrong) throws IOException {
        RawDocument error = RawDocument.of(wrong.error().toReply());
        send(
                wrong.legacy()
                        ? FrameEncoder.legacyReply(nextId(), wrong.requestId(), error)
                        : FrameEncoder.encode(reply(wrong.requestId(), error)));
    }

    private void answerLegacy(Incoming.LegacyCommand legacy) throws IOException {
        String name = legacy.message().body().firstName();
        RawDocument reply;
        if (name != null && StreamedHello.NAMES.contains(name)) {
            reply = run(legacy.message(), new CompletableFuture<>()).whole();
        } else {
            reply = RawDocument.of(UNSUPPORTED_OP_QUERY_COMMAND
                    .because(
                            "Unsupported OP_QUERY command: %s. The client driver may require an upgrade.",
                            name == null ? "query" : name)
                    .toReply());
        }
        send(FrameEncoder.legacyReply(nextId(), legacy.requestId(), reply));
    }

    private boolean shakeHands(Incoming.Msg msg) throws IOException {
        ClusterHandshake hands = handshake.orElseThrow();
        try {
            RawDocument answer = hands.answer(msg.message().body());
            if (hands.proven()) {
                client = new Client(client.connectionId(), client.remote(), Optional.empty(), User.CLUSTER, true);
            }
            send(FrameEncoder.encode(reply(msg.requestId(), answer)));
            return true;
        } catch (CommandException refused) {
            LOG.warn("a process at {} is not of this cluster: {}", link.remote(), refused.getMessage());
            send(FrameEncoder.encode(reply(msg.requestId(), RawDocument.of(refused.toReply()))));
            return false;
        }
    }

    /** Runs a request beside the others of this connection. */
    private void aside(Incoming.Msg msg) throws IOException {
        if (!atOnce.tryAcquire()) {
            send(FrameEncoder.encode(reply(
                    msg.requestId(),
                    RawDocument.of(RESOURCE_EXHAUSTED
                            .because("too many requests are running on this connection")
                            .toReply()))));
            return;
        }
        CompletableFuture<CommandException> killed = new CompletableFuture<>();
        // Before the thread begins: what cancels a request may be the next frame.
        running.put(msg.requestId(), killed);
        server.start("req" + client.connectionId(), () -> {
            try {
                answer(msg, killed);
            } catch (IOException ended) {
                link.close(); // the other requests' answers cannot be sent either
            } catch (RuntimeException | Error bug) {
                link.close(); // whoever asked would wait for an answer that never comes
                throw bug;
            } finally {
                running.remove(msg.requestId(), killed);
                atOnce.release();
            }
        });
    }

    private void cancel(RawDocument body) {
        RawCursor id = body.find(ClusterProtocol.CANCEL);
        CompletableFuture<CommandException> killed = id.type() == BsonType.INT32 ? running.get(id.int32()) : null;
        if (killed != null) {
            boolean unused = killed.complete(
                    INTERRUPTED.because("operation was interrupted: the process that asked does not wait any more"));
        }
    }

    private void answer(Incoming.Msg msg, CompletableFuture<CommandException> killed) throws IOException {
        Message message = msg.message();
        Reply reply = run(message, killed);
        if (message.has(Message.MORE_TO_COME)) {
            return; // the client expects no answer, not even an error
        }
        send(FrameEncoder.encode(nextId(), message.requestId(), 0, reply), msg.compressor());
    }

    private void send(byte[] frame, Optional<Compressor> wanted) throws IOException {
        Optional<Compressor> compressor = wanted.filter(_ -> frame.length >= COMPRESSED_FROM);
        send(compressor.isPresent() ? FrameEncoder.compress(frame, compressor.get()) : frame);
    }

    private Reply run(Message message, CompletableFuture<CommandException> killed) throws IOException {
        counters.begin();
        try {
            Reply reply = server.handler().run(message, client, killed);
            String name = message.body().firstName();
            if (name != null && StreamedHello.NAMES.contains(name)) {
                introduce(message.body());
            }
            return reply;
        } finally {
            counters.end();
        }
    }

    /** Remembers who a client says it is. Only the first time counts. */
    private void introduce(RawDocument hello) {
        if (client.metadata().isEmpty() && hello.get("client") instanceof org.bson.BsonDocument metadata) {
            client = new Client(
                    client.connectionId(),
                    client.remote(),
                    Optional.of(RawDocument.of(metadata)),
                    client.user(),
                    client.ofCluster());
            LOG.atInfo()
                    .addKeyValue("id", 51800)
                    .addKeyValue("remote", client.remote())
                    .addKeyValue("client", "conn" + client.connectionId())
                    .addKeyValue("doc", metadata.toJson())
                    .log("client metadata");
        }
    }

    private Message reply(int responseTo, RawDocument body) {
        return new Message(nextId(), responseTo, 0, body, Map.of());
    }

    private int nextId() {
        return requestIds.incrementAndGet();
    }

    private void send(byte[] frame) throws IOException {
        sending.lock();
        try {
            link.send(frame);
        } finally {
            sending.unlock();
        }
        counters.sent(frame.length);
    }
}
