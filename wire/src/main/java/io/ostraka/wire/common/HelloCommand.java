package io.ostraka.wire.common;

import static io.ostraka.core.error.ErrorCode.HELLO_AWAIT_NEGATIVE;
import static io.ostraka.core.error.ErrorCode.HELLO_AWAIT_WITHOUT_TOPOLOGY_VERSION;
import static io.ostraka.core.error.ErrorCode.HELLO_TOPOLOGY_VERSION_WITHOUT_AWAIT;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.message.Compressor;
import io.ostraka.wire.request.RequestLimits;
import io.ostraka.wire.session.Sessions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * {@code hello} and the older {@code isMaster}: what this process is and speaks.
 *
 * <pre>{ hello: 1, helloOk: b?, client: {…}?, compression: [name]?, topologyVersion: {…}?, maxAwaitTimeMS: n? }</pre>
 *
 * With a topology version that is still true, the answer waits until it is not, or so many milliseconds. Clients that
 * allow several answers to one question get them; the connection sees to that.
 */
final class HelloCommand implements Command<HelloCommand.Request> {
    private static final long LONGEST_WAIT_MILLIS = 600_000;

    /** @param await what to wait for, and how long */
    record Request(boolean helloOk, List<BsonValue> compression, Optional<Await> await) {}

    record Await(ObjectId processId, long counter, long millis) {}

    private final boolean legacy;
    private final Role role;
    private final Topology topology;
    private final Sessions sessions;
    private final Clock clock;

    HelloCommand(boolean legacy, Role role, Topology topology, Sessions sessions, Clock clock) {
        this.legacy = legacy;
        this.role = role;
        this.topology = topology;
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public String name() {
        return legacy ? "isMaster" : "hello";
    }

    @Override
    public List<String> aliases() {
        return legacy ? List.of("ismaster") : List.of();
    }

    @Override
    public Needs needs() {
        return Needs.NOTHING;
    }

    @Override
    public Request parse(Fields fields) {
        fields.ignoreUnknown(); // newer clients introduce themselves with fields not known here
        return new Request(fields.bool("helloOk", false), fields.array("compression"), await(fields));
    }

    private static Optional<Await> await(Fields fields) {
        Optional<RawDocument> version = fields.document("topologyVersion");
        OptionalLong millis = fields.wholeNumber("maxAwaitTimeMS");
        if (version.isEmpty() && millis.isEmpty()) {
            return Optional.empty();
        }
        if (version.isEmpty()) {
            throw HELLO_AWAIT_WITHOUT_TOPOLOGY_VERSION.because(
                    "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'");
        }
        if (millis.isEmpty()) {
            throw HELLO_TOPOLOGY_VERSION_WITHOUT_AWAIT.because(
                    "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'");
        }
        if (millis.getAsLong() < 0) {
            throw HELLO_AWAIT_NEGATIVE.because("'maxAwaitTimeMS' must be a non-negative integer");
        }
        if (!(version.get().get("processId") instanceof BsonObjectId process)
                || !(version.get().get("counter") instanceof BsonInt64 counter)) {
            throw IDL_FAILED_TO_PARSE.because("'topologyVersion' needs a 'processId' and a 'counter'");
        }
        return Optional.of(
                new Await(process.getValue(), counter.getValue(), Math.min(millis.getAsLong(), LONGEST_WAIT_MILLIS)));
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        request.await()
                .filter(await -> topology.isOf(await.processId()))
                .ifPresent(await -> topology.awaitOther(await.counter(), await.millis(), operation));
        BsonDocument version = topology.version(); // before the role: a change between the two is told once more
        BsonDocument reply = new BsonDocument();
        if (request.helloOk()) {
            reply.append("helloOk", BsonBoolean.TRUE);
        }
        reply.append(legacy ? "ismaster" : "isWritablePrimary", BsonBoolean.valueOf(role.isWritable()));
        reply.append("topologyVersion", version);
        reply.putAll(role.helloFields());
        reply.append("maxBsonObjectSize", new BsonInt32(RequestLimits.DOCUMENT_BYTES))
                .append("maxMessageSizeBytes", new BsonInt32(RequestLimits.MESSAGE_BYTES))
                .append("maxWriteBatchSize", new BsonInt32(RequestLimits.WRITE_BATCH))
                .append("localTime", new BsonDateTime(clock.wallMillis()))
                .append("logicalSessionTimeoutMinutes", new BsonInt32((int)
                        sessions.timeout().toMinutes()))
                .append("connectionId", new BsonInt32((int) operation.client().connectionId()))
                .append("minWireVersion", new BsonInt32(0))
                .append("maxWireVersion", new BsonInt32(ProcessInfo.MAX_WIRE_VERSION))
                .append("readOnly", BsonBoolean.FALSE);
        BsonArray agreed = agreed(request.compression());
        if (!agreed.isEmpty()) {
            reply.append("compression", agreed);
        }
        return RawDocument.of(reply);
    }

    private static BsonArray agreed(List<BsonValue> wanted) {
        BsonArray agreed = new BsonArray();
        for (BsonValue word : wanted) {
            if (word instanceof BsonString known
                    && Compressor.named(known.getValue()).isPresent()) {
                agreed.add(known);
            }
        }
        return agreed;
    }
}
