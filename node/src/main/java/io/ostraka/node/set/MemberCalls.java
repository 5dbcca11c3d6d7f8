package io.ostraka.node.set;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.time.Clock;
import io.ostraka.replication.raft.RaftTransport;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** What members of a set ask of each other, by commands over the connections our processes have. */
final class MemberCalls implements RaftTransport {
    static final String RAFT = "_ostrakaRaft";
    static final String JOIN = "_ostrakaJoin";
    static final String PROMISE = "_ostrakaPromise";
    static final String NOOP = "_ostrakaNoop";
    static final String MEMBER = "_ostrakaMember";

    private final Supplier<ClusterClient> client;
    private final Clock clock;
    private final Map<UUID, String> moved = new ConcurrentHashMap<>();

    MemberCalls(Supplier<ClusterClient> client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** From now on a member is found there, whatever the configuration says. */
    void moved(UUID member, String address) {
        moved.put(member, address);
    }

    String address(UUID member, String otherwise) {
        return moved.getOrDefault(member, otherwise);
    }

    @Override
    public byte[] call(UUID member, String address, byte[] request, long timeoutMillis) throws IOException {
        RawDocument command = new RawBuilder(request.length + 64)
                .put(RAFT, 1)
                .put("body", new BsonBinary(request))
                .build();
        Operation operation = Operation.ofProcess(RAFT, "admin", Deadline.in(clock, timeoutMillis));
        try {
            RawDocument reply = client.get().run(address(member, address), "admin", command, operation);
            if (reply.get("body") instanceof BsonBinary body) {
                return body.getData();
            }
            throw new IOException(address + " answered without a body");
        } catch (CommandException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
    }

    /** Asks a member about itself. @throws CommandException if it cannot be reached */
    BsonDocument about(String host, Operation operation) {
        return ask(host, new BsonDocument(MEMBER, new BsonInt32(1)), operation);
    }

    /** Asks who is thought to be one member about itself; another that hears it knows that a set counts on its address. */
    BsonDocument about(String host, UUID expected, Operation operation) {
        return ask(
                host,
                new BsonDocument(MEMBER, new BsonInt32(1)).append("expected", new BsonString(expected.toString())),
                operation);
    }

    /** Has the primary write a row that changes nothing. */
    void noop(String host, Operation operation) {
        BsonDocument unused = ask(host, new BsonDocument(NOOP, new BsonInt32(1)), operation);
    }

    /** Has a member wait for the leader of a group to add it. */
    void join(
            String host,
            String set,
            UUID incarnation,
            UUID leader,
            Optional<BsonDocument> listenTo,
            Operation operation) {
        BsonDocument command = new BsonDocument(JOIN, new BsonString(set))
                .append("incarnation", new BsonString(incarnation.toString()))
                .append("leader", new BsonString(leader.toString()));
        listenTo.ifPresent(members -> command.append("members", members));
        BsonDocument unused = ask(host, command, operation);
    }

    /** Has a member promise to follow one that is about to make a set, or tells it that it need not. */
    void promise(String host, UUID maker, boolean give, Operation operation) {
        BsonDocument command =
                new BsonDocument(PROMISE, new BsonString(maker.toString())).append("give", BsonBoolean.valueOf(give));
        BsonDocument unused = ask(host, command, operation);
    }

    private BsonDocument ask(String host, BsonDocument command, Operation operation) {
        return client.get()
                .run(host, "admin", RawDocument.of(command), operation)
                .toBson();
    }
}
