package io.ostraka.wire.common;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.server.WireServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** What runs now as documents, for {@code currentOp} and {@code $currentOp}. */
public final class CurrentOperations {
    private static final int SHOWN_BYTES = 8192;

    private final ProcessInfo process;
    private final Operations operations;
    private final Supplier<Optional<WireServer>> server;
    private final Clock clock;

    /** @param server the server, once there is one: it knows the idle connections */
    public CurrentOperations(
            ProcessInfo process, Operations operations, Supplier<Optional<WireServer>> server, Clock clock) {
        this.process = process;
        this.operations = operations;
        this.server = server;
        this.clock = clock;
    }

    /**
     * All of them.
     *
     * @param idleConnections whether connections without an operation are listed too
     */
    public List<RawDocument> documents(boolean idleConnections) {
        List<RawDocument> all = new ArrayList<>();
        Set<Long> busy = new HashSet<>();
        for (Operation operation : operations.all()) {
            busy.add(operation.client().connectionId());
            all.add(active(operation));
        }
        if (idleConnections && server.get().isPresent()) {
            for (Client client : server.get().get().clients()) {
                if (!busy.contains(client.connectionId())) {
                    all.add(begin(client).put("active", false).build());
                }
            }
        }
        return all;
    }

    private RawDocument active(Operation operation) {
        long micros = Math.max(0, (clock.nanos() - operation.startedNanos()) / 1000);
        RawBuilder row = begin(operation.client())
                .put("active", true)
                .put("opid", (int) operation.id())
                .put("secs_running", micros / 1_000_000)
                .put("microsecs_running", micros)
                .put("op", kind(operation.command()))
                .put("ns", namespace(operation));
        operation.options().lsid().ifPresent(lsid -> row.put("lsid", lsid));
        if (operation.request().size() <= SHOWN_BYTES) {
            row.put("command", operation.request());
        } else {
            row.put(
                    "command",
                    RawDocument.of(new BsonDocument(
                            "$truncated",
                            new BsonString(operation.command() + " of "
                                    + operation.request().size() + " bytes"))));
        }
        return row.put("waitingForLock", false).put("numYields", 0).build();
    }

    private RawBuilder begin(Client client) {
        RawBuilder row = new RawBuilder()
                .put("type", "op")
                .put("host", process.host())
                .put("desc", client.connectionId() == 0 ? client.remote() : "conn" + client.connectionId())
                .put("connectionId", (int) client.connectionId())
                .put("client", client.remote());
        client.metadata().ifPresent(metadata -> {
            RawCursor application = metadata.find("application");
            if (application != null
                    && application.isDocument()
                    && application.document().find("name") != null) {
                row.value("appName", application.document().find("name"));
            }
            row.put("clientMetadata", metadata);
        });
        return row.put("currentOpTime", new BsonDateTime(clock.wallMillis()));
    }

    private static String kind(String command) {
        return switch (command) {
            case "getMore" -> "getmore";
            case "insert", "update" -> command;
            case "delete" -> "remove";
            case "find" -> "query";
            default -> "command";
        };
    }

    private static String namespace(Operation operation) {
        RawCursor own = operation.request().cursor();
        boolean named = own.next() && own.typeByte() == 0x02;
        return operation.database() + "." + (named ? own.string() : "$cmd");
    }
}
