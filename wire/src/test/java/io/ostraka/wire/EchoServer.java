package io.ostraka.wire;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.auth.ClusterKey;
import io.ostraka.wire.auth.UserDirectory;
import io.ostraka.wire.client.ClientLimits;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Admission;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Dispatcher;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.HybridClock;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.command.SlowOperations;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.cursor.GetMoreCommand;
import io.ostraka.wire.cursor.KillCursorsCommand;
import io.ostraka.wire.cursor.OpenCursor;
import io.ostraka.wire.server.ServerLimits;
import io.ostraka.wire.server.WireServer;
import io.ostraka.wire.session.Sessions;
import io.ostraka.wire.transport.Acceptor;
import io.ostraka.wire.transport.FrameBounds;
import io.ostraka.wire.transport.InMemoryNetwork;
import io.ostraka.wire.transport.Sockets;
import io.ostraka.wire.transport.Transport;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A server with a few commands that show what the wire does, on a socket and in memory. */
final class EchoServer implements AutoCloseable {
    static final ClusterKey KEY = ClusterKey.of("the key of this test");

    final Operations operations = new Operations();
    final CursorRegistry cursors = new CursorRegistry(CursorRegistry.Limits.DEFAULT, Clock.SYSTEM, Ids.system());
    final ConcurrentHashMap<String, CompletableFuture<RawDocument>> gates = new ConcurrentHashMap<>();
    final Semaphore entered = new Semaphore(0);
    final Semaphore left = new Semaphore(0);
    final Semaphore closedCursors = new Semaphore(0);
    final InMemoryNetwork memory;
    final Sockets sockets = new Sockets(FrameBounds.DEFAULT, Clock.SYSTEM);
    final WireServer server;
    final int port;
    final HybridClock time = new HybridClock(Clock.SYSTEM);

    EchoServer() throws IOException {
        this(ServerLimits.DEFAULT);
    }

    /** What hello tells changes with each question. */
    private static RawDocument nextVersion(Optional<RawDocument> known) {
        int counter = known.map(version -> version.get("counter").asInt32().getValue() + 1)
                .orElse(0);
        return new RawBuilder().put("counter", counter).build();
    }

    EchoServer(ServerLimits limits) throws IOException {
        memory = InMemoryNetwork.alone();
        CommandTable table = CommandTable.of(
                command(
                        "echo",
                        Needs.NOTHING,
                        Fields::ignoreUnknown,
                        (_, operation) -> new RawBuilder()
                                .put("you", operation.request())
                                .put("cluster", operation.client().ofCluster())
                                .build()),
                command("wait", Needs.read("find"), Fields::ownString, (gate, operation) -> {
                    CompletableFuture<RawDocument> opens = gates.computeIfAbsent(gate, _ -> new CompletableFuture<>());
                    entered.release();
                    try {
                        return operation.await(opens);
                    } finally {
                        left.release();
                    }
                }),
                command(
                        "sum",
                        Needs.NOTHING,
                        fields -> fields.requiredDocuments("numbers"),
                        (numbers, _) -> new RawBuilder()
                                .put(
                                        "sum",
                                        numbers.stream()
                                                .mapToInt(each -> each.find("n").int32())
                                                .sum())
                                .build()),
                command(
                        "hello",
                        Needs.NOTHING,
                        fields -> {
                            fields.ignoreUnknown();
                            return fields.document("topologyVersion");
                        },
                        (known, _) -> new RawBuilder()
                                .put("isWritablePrimary", true)
                                .put("topologyVersion", nextVersion(known))
                                .build()),
                command("bug", Needs.NOTHING, Fields::own, (_, _) -> {
                    throw new IllegalStateException("a bug");
                }),
                command("secret", Needs.internal(Needs.Kind.READ), Fields::own, (_, _) -> RawDocument.EMPTY),
                command(
                        "count",
                        Needs.read("find"),
                        fields -> (int) fields.wholeNumber("to", 10),
                        (to, operation) -> cursors.open(
                                new Counting(to),
                                "db.numbers",
                                BatchReply.first("db.numbers", 3),
                                false,
                                false,
                                operation)),
                command("late", Needs.read("find"), Fields::ownString, (gate, operation) -> {
                    // Hears of no end: its answer comes when nobody waits for it any more.
                    CompletableFuture<RawDocument> opens = gates.computeIfAbsent(gate, _ -> new CompletableFuture<>());
                    entered.release();
                    RawDocument unused = opens.join();
                    return cursors.open(
                            new Counting(100),
                            "db.numbers",
                            BatchReply.first("db.numbers", 3),
                            false,
                            false,
                            Operation.ofProcess("late", "db", operation.deadline()));
                }),
                new GetMoreCommand(cursors),
                new KillCursorsCommand(cursors));
        Dispatcher dispatcher = new Dispatcher(
                table,
                UserDirectory.OPEN,
                time,
                Clock.SYSTEM,
                operations,
                new SlowOperations(100),
                Admission.standard(),
                new Sessions(10, Clock.SYSTEM));
        server = new WireServer(new WireServer.Parts(
                dispatcher::run, operations, cursors, Optional.of(KEY), Clock.SYSTEM, Ids.system(), limits));
        Acceptor socket = sockets.listen("127.0.0.1", 0);
        port = socket.port();
        server.serve(socket);
        server.serve(memory.listen(address()));
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    ClusterClient client(Transport transport, ClusterKey key) {
        return new ClusterClient(new ClusterClient.Parts(
                transport, key, new HybridClock(Clock.SYSTEM), Clock.SYSTEM, Ids.system(), ClientLimits.DEFAULT));
    }

    static Operation operation(long millis) {
        return Operation.ofProcess("test", "db", Deadline.in(Clock.SYSTEM, millis));
    }

    static RawDocument bson(String json) {
        return RawDocument.of(org.bson.BsonDocument.parse(json));
    }

    @Override
    public void close() {
        server.close();
    }

    private static <R> Command<R> command(
            String name, Needs needs, Function<Fields, R> parse, BiFunction<R, Operation, RawDocument> run) {
        return new Command<>() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Needs needs() {
                return needs;
            }

            @Override
            public R parse(Fields fields) {
                return parse.apply(fields);
            }

            @Override
            public RawDocument run(R request, Operation operation) {
                return run.apply(request, operation);
            }
        };
    }

    private final class Counting implements OpenCursor {
        private final int to;
        private int next;

        private Counting(int to) {
            this.to = to;
        }

        @Override
        public boolean fill(BatchReply batch, Operation operation) {
            while (next < to && batch.add(new RawBuilder().put("n", next).build())) {
                next++;
            }
            return next == to;
        }

        @Override
        public void close() {
            closedCursors.release();
        }
    }
}
