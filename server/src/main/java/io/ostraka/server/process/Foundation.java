package io.ostraka.server.process;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.command.OutsideStage;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import io.ostraka.wire.auth.UserDirectory;
import io.ostraka.wire.client.ClientLimits;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Admission;
import io.ostraka.wire.command.ClusterTimeSource;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.command.Dispatcher;
import io.ostraka.wire.command.OpCounters;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.command.SlowOperations;
import io.ostraka.wire.common.CommonCommands;
import io.ostraka.wire.common.FailPoints;
import io.ostraka.wire.common.Parameters;
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.common.Role;
import io.ostraka.wire.common.Topology;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.server.ServerLimits;
import io.ostraka.wire.server.WireServer;
import io.ostraka.wire.session.SessionEnds;
import io.ostraka.wire.session.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/** What members and routers are built on: ports, the client to the rest of the cluster, cursors, sessions, the server. */
final class Foundation implements AutoCloseable {
    private final ProcessSettings settings;
    private final ProcessInfo info;
    private final Ports ports;
    private final Topology topology;
    private final Operations operations = new Operations();
    private final CursorRegistry cursors;
    private final Sessions sessions;
    private volatile Consumer<RawDocument> sessionEnded = _ -> {};
    private final SessionEnds sessionEnds;
    private final SlowOperations slow;
    private volatile Dispatcher dispatcher;
    private volatile WireServer server;
    private volatile ClusterClient client;

    /**
     * Binds the ports; nobody is served yet.
     *
     * @param name {@code mongod} or {@code mongos}
     * @throws StartRefused if an address cannot be listened on
     */
    Foundation(ProcessSettings settings, String name) {
        this.settings = settings;
        ports = new Ports(settings);
        info = ports.info(name);
        topology = new Topology(settings.ids().objectId());
        cursors = new CursorRegistry(CursorRegistry.Limits.DEFAULT, settings.clock(), settings.ids());
        sessions = new Sessions(
                Sessions.DEFAULT_MAX, settings.clock(), settings.parameters().sessionTimeout());
        sessionEnds = new SessionEnds(sessions, cursors, operations, lsid -> sessionEnded.accept(lsid));
        slow = new SlowOperations(settings.slowMillis());
    }

    int port() {
        return ports.port();
    }

    /** {@code host:port}, as others reach this process. */
    String address() {
        return info.host();
    }

    /** What {@code hello} tells has changed. */
    void roleChanged() {
        topology.changed();
    }

    ProcessInfo info() {
        return info;
    }

    Operations operations() {
        return operations;
    }

    CursorRegistry cursors() {
        return cursors;
    }

    /** First stages of pipelines whose documents are the process's own. */
    Map<String, OutsideStage> stages() {
        OutsideStage shown = (_, _, _, _) -> sessions.shown();
        return Map.of("$listLocalSessions", shown, "$listSessions", shown);
    }

    /** From now on runs something once a second, which must not wait, nor fail. */
    void everySecond(Runnable work) {
        server.everySecond(work);
    }

    /** From now on told of each session that has ended. */
    void whenSessionEnds(Consumer<RawDocument> ended) {
        sessionEnded = ended;
    }

    /** The client to other processes; made once. */
    ClusterClient client(ClusterTimeSource time) {
        if (client == null) {
            client = new ClusterClient(new ClusterClient.Parts(
                    ports.transport(), settings.key(), time, settings.clock(), settings.ids(), ClientLimits.DEFAULT));
        }
        return client;
    }

    /** The parts of the commands every process has. */
    CommonCommands.Parts common(
            Role role, List<Parameters.Parameter> parameters, Map<String, Supplier<? extends BsonValue>> sections) {
        List<Parameters.Parameter> all = new ArrayList<>(Parameters.common());
        all.addAll(settings.parameters().fixed());
        all.addAll(parameters);
        return new CommonCommands.Parts(
                info,
                role,
                topology,
                settings.clock(),
                settings.ids(),
                operations,
                cursors,
                sessionEnds,
                _ -> {},
                slow,
                settings.log(),
                settings.hooks(),
                new Parameters(all),
                this::filter,
                () -> dispatcher.table(),
                () -> dispatcher == null ? new OpCounters() : dispatcher.counters(),
                () -> Optional.ofNullable(server),
                sections);
    }

    private Predicate<RawDocument> filter(RawDocument query) {
        RunContext context = new RunContext(
                settings.clock().wallMillis(),
                new BsonTimestamp(0),
                () -> {},
                settings.ids()::random,
                QueryLimits.DEFAULT);
        return FilterCompiler.compile(FilterParser.parse(query), context)::test;
    }

    /** Begins to answer. */
    void serve(CommandTable own, ClusterTimeSource time) {
        FailPoints failPoints = new FailPoints();
        boolean tests = settings.parameters().testCommands();
        CommandTable table = tests ? own.and(List.of(failPoints.command())) : own;
        dispatcher = new Dispatcher(
                table, UserDirectory.OPEN, time, settings.clock(), operations, slow, Admission.standard(), sessions);
        server = new WireServer(new WireServer.Parts(
                tests ? failPoints.before(dispatcher::run, table) : dispatcher::run,
                operations,
                cursors,
                Optional.of(settings.key()),
                settings.clock(),
                settings.ids(),
                ServerLimits.DEFAULT.withMaxConnections(settings.maxConnections())));
        server.everySecond(sessionEnds::expire);
        ports.serve(server::serve);
    }

    /** Stops answering. */
    void stopServing() {
        if (server != null) {
            server.close();
        } else {
            ports.close();
        }
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
        stopServing();
        cursors.close();
    }
}
