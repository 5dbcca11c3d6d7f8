package io.ostraka.router;

import io.ostraka.core.placement.ShardId;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import io.ostraka.router.cluster.ClusterCommands;
import io.ostraka.router.command.DataCommands;
import io.ostraka.router.command.RoutedStatement;
import io.ostraka.router.command.SessionKills;
import io.ostraka.router.command.TransactionsOnCluster;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.ScatterGather;
import io.ostraka.router.gather.StaleRetry;
import io.ostraka.router.gather.Threads;
import io.ostraka.router.remote.ConfigServers;
import io.ostraka.router.remote.Shards;
import io.ostraka.router.routing.RoutingCache;
import io.ostraka.wire.auth.ClusterKey;
import io.ostraka.wire.auth.UserDirectory;
import io.ostraka.wire.client.ClientLimits;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Admission;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.command.Dispatcher;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.command.SlowOperations;
import io.ostraka.wire.common.CommonCommands;
import io.ostraka.wire.common.FailPoints;
import io.ostraka.wire.common.Parameters;
import io.ostraka.wire.common.ProcessHooks;
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.common.RecentLog;
import io.ostraka.wire.common.Role;
import io.ostraka.wire.common.Topology;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.server.ServerLimits;
import io.ostraka.wire.server.WireServer;
import io.ostraka.wire.session.SessionEnds;
import io.ostraka.wire.session.Sessions;
import io.ostraka.wire.transport.Acceptor;
import io.ostraka.wire.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A router: serves clients on the acceptors it is given until it is closed. */
public final class Router implements AutoCloseable {
    /**
     * What a router is made of.
     *
     * @param config the config servers' connection string, {@code set/host:port,…}
     * @param transport how other processes are reached
     * @param key the cluster's key
     * @param sessionTimeout how long a session may be left unused
     * @param testCommands whether there are commands for tests of drivers
     * @param parameters shown by {@code getParameter} beside those every process has
     */
    public record Parts(
            ProcessInfo process,
            String config,
            Transport transport,
            ClusterKey key,
            UserDirectory users,
            Clock clock,
            Ids ids,
            RandomGenerator random,
            RecentLog log,
            ProcessHooks hooks,
            Duration sessionTimeout,
            List<Parameters.Parameter> parameters,
            boolean testCommands,
            SlowOperations slow,
            ServerLimits serverLimits,
            ClientLimits clientLimits) {}

    private static final Role ROLE = new Role() {
        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public BsonDocument helloFields() {
            return new BsonDocument("msg", new BsonString("isdbgrid"));
        }
    };

    private final ClusterClient client;
    private final ClusterServices services;
    private final Dispatcher dispatcher;
    private final WireServer server;
    private final RouterPing ping;

    /** What people ask of a router that is a matter of a replica set's members. */
    private static final Map<String, String> OF_MEMBERS = Stream.of(
                    "replSetGetStatus",
                    "replSetGetConfig",
                    "replSetInitiate",
                    "replSetReconfig",
                    "replSetStepDown",
                    "replSetFreeze",
                    "replSetSyncFrom")
            .collect(Collectors.toMap(
                    name -> name,
                    _ -> "This is a router: connect to a member of the replica set, as sh.status() and getShardMap name"
                            + " them, and ask it"));

    /** Makes it; nothing is asked of the cluster before a client does. */
    public Router(Parts parts) {
        RouterTime time = new RouterTime(parts.clock());
        client = new ClusterClient(new ClusterClient.Parts(
                parts.transport(), parts.key(), time, parts.clock(), parts.ids(), parts.clientLimits()));
        services = services(parts, time);
        Operations operations = new Operations();
        Sessions sessions = new Sessions(Sessions.DEFAULT_MAX, parts.clock(), parts.sessionTimeout());
        SessionEnds ends = new SessionEnds(
                sessions, services.cursors(), operations, services.gather().transactions()::forget);
        CommonCommands.Parts common = common(parts, operations, ends);
        List<Command<?>> commands = new ArrayList<>(CommonCommands.of(common));
        commands.addAll(DataCommands.of(
                services, parts.process(), CommonCommands.currentOperations(common), operations, sessions));
        commands.addAll(ClusterCommands.of(services, client, parts.process()));
        commands.addAll(new TransactionsOnCluster(services).all());
        FailPoints failPoints = new FailPoints();
        if (parts.testCommands()) {
            commands.add(failPoints.command());
        }
        dispatcher = new Dispatcher(
                CommandTable.of(RoutedStatement.wrap(services.gather().transactions(), commands))
                        .elsewhere(OF_MEMBERS),
                parts.users(),
                time,
                parts.clock(),
                operations,
                parts.slow(),
                Admission.standard(),
                sessions);
        server = new WireServer(new WireServer.Parts(
                parts.testCommands() ? failPoints.before(dispatcher::run, dispatcher.table()) : dispatcher::run,
                operations,
                services.cursors(),
                Optional.of(parts.key()),
                parts.clock(),
                parts.ids(),
                parts.serverLimits()));
        server.everySecond(ends::expire);
        ping = new RouterPing(services.config(), parts.process(), parts.clock());
    }

    private ClusterServices services(Parts parts, RouterTime time) {
        ConfigServers config = new ConfigServers(client, parts.config());
        Shards shards = new Shards(client, config);
        RoutingCache cache = new RoutingCache(config);
        Threads threads = new Threads();
        return new ClusterServices(
                config,
                shards,
                cache,
                new StaleRetry(cache),
                new ScatterGather(shards, threads),
                threads,
                new CursorRegistry(CursorRegistry.Limits.DEFAULT, parts.clock(), parts.ids()),
                time,
                parts.clock(),
                parts.ids(),
                parts.random());
    }

    private CommonCommands.Parts common(Parts parts, Operations operations, SessionEnds sessions) {
        List<Parameters.Parameter> parameters = new ArrayList<>(Parameters.common());
        parameters.addAll(parts.parameters());
        RunContext context =
                new RunContext(0, services.time().clusterTime(), () -> {}, parts.random(), QueryLimits.DEFAULT);
        return new CommonCommands.Parts(
                parts.process(),
                ROLE,
                new Topology(parts.ids().objectId()),
                parts.clock(),
                parts.ids(),
                operations,
                services.cursors(),
                sessions,
                operation -> SessionKills.passOn(services, operation),
                parts.slow(),
                parts.log(),
                parts.hooks(),
                new Parameters(parameters),
                filter -> FilterCompiler.compile(FilterParser.parse(filter), context)::test,
                () -> dispatcher().table(),
                () -> dispatcher().counters(),
                () -> Optional.ofNullable(server()),
                sections(parts));
    }

    private Dispatcher dispatcher() {
        return dispatcher;
    }

    private WireServer server() {
        return server;
    }

    private Map<String, Supplier<? extends BsonValue>> sections(Parts parts) {
        Map<String, Supplier<? extends BsonValue>> sections = new LinkedHashMap<>();
        sections.put("sharding", () -> new BsonDocument("configsvrConnectionString", new BsonString(parts.config())));
        sections.put(
                "shardingStatistics",
                () -> new BsonDocument("catalogCache", services.cache().statistics()));
        return sections;
    }

    /** Serves the clients that arrive there. The router closes it. */
    public void serve(Acceptor acceptor) {
        server.serve(acceptor);
    }

    /** The commands a client may send, for the compatibility page. */
    public CommandTable commands() {
        return dispatcher.table();
    }

    /** The placement cache, for tests and tools. */
    public RoutingCache cache() {
        return services.cache();
    }

    /** The shards known here. */
    public List<ShardId> shards(io.ostraka.wire.command.Operation operation) {
        return services.shards().known(operation);
    }

    /** Ends all requests, then lets go of the cluster. */
    @Override
    public void close() {
        ping.close();
        server.close();
        services.threads().close();
        client.close();
    }
}
