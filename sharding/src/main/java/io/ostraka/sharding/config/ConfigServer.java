package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_AT_SHUTDOWN;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.Changelog;
import io.ostraka.sharding.catalog.ChunkSplits;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.CollectionChanges;
import io.ostraka.sharding.catalog.MovePlans;
import io.ostraka.sharding.catalog.ShardRow;
import io.ostraka.sharding.ddl.CoordinatorDriver;
import io.ostraka.sharding.remote.Peers;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader of the config servers, put together: the catalog, running changes and moves, the balancer, and the
 * commands over them.
 */
public final class ConfigServer implements AutoCloseable {
    /**
     * What it is made of.
     *
     * @param store the config database of this member
     * @param client speaks to the shards; owned by the caller
     * @param address this process, {@code host:port}
     * @param connectionString the config set, {@code set/host:port}, as it is at the moment
     */
    public record Parts(
            CatalogStore store,
            ClusterClient client,
            Clock clock,
            Ids ids,
            String address,
            Supplier<String> connectionString,
            Balancer.Limits balancer) {}

    private static final Logger LOG = LoggerFactory.getLogger(ConfigServer.class);
    private static final long LOOKS_NANOS = 2_000_000_000;
    private static final long TELLS_MILLIS = 10_000;

    private final Operation untilClosed;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Parts parts;
    private final ConfigServices services;
    private final Zones zones;
    private final ChunkMoves moves;
    private final Balancer balancer;
    private volatile ObjectId clusterId;

    private ConfigServer(Parts parts) {
        this.parts = parts;
        untilClosed = Operation.ofProcess("config server", "admin", Deadline.never(parts.clock()));
        Changelog changelog = new Changelog(parts.address(), parts.clock(), parts.ids());
        ClusterCatalog catalog = new ClusterCatalog(parts.store(), changelog, parts.clock(), parts.ids());
        Peers shards = new Peers(parts.client(), id -> catalog.shard(id).hosts());
        CollectionChanges changes = new CollectionChanges(catalog);
        MovePlans plans = new MovePlans(catalog);
        CoordinatorDriver driver = new CoordinatorDriver(
                parts.store(), changes, plans, shards, parts.clock(), CoordinatorDriver.Limits.DEFAULT, threads);
        MoveRunner runner = new MoveRunner(catalog, plans, shards, parts.clock(), MoveRunner.Limits.DEFAULT, threads);
        services = new ConfigServices(
                parts.store(),
                catalog,
                changes,
                new ChunkSplits(catalog),
                plans,
                changelog,
                new ClusterSettings(parts.store()),
                driver,
                runner,
                shards,
                (address, database, command, deadline) -> parts.client()
                        .run(
                                address,
                                database,
                                RawDocument.of(command),
                                Operation.ofProcess(command.getFirstKey(), database, deadline))
                        .toBson(),
                parts.clock(),
                parts.ids());
        zones = new Zones(parts.store(), services.splits());
        moves = new ChunkMoves(services, zones);
        balancer = new Balancer(services, moves, parts.balancer());
    }

    /** Takes over: goes on with what another leader left, and starts the balancer. */
    public static ConfigServer start(Parts parts) {
        ConfigServer server = new ConfigServer(parts);
        server.clusterId = clusterId(parts);
        server.services.driver().resume();
        server.services.moves().resume();
        server.balancer.start();
        server.threads.execute(server::tellShards);
        return server;
    }

    private static ObjectId clusterId(Parts parts) {
        BsonInt32 one = new BsonInt32(1);
        return parts.store()
                .get("version", one)
                .map(row -> row.getObjectId("clusterId").getValue())
                .orElseGet(() -> {
                    ObjectId made = parts.ids().objectId();
                    parts.store()
                            .commit(List.of(new CatalogStore.Change.Put(
                                    "version",
                                    new BsonDocument("_id", one).append("clusterId", new BsonObjectId(made)))));
                    return made;
                });
    }

    /** The cluster's own id. */
    public ObjectId clusterId() {
        return clusterId;
    }

    /** Ends the balancer's pause: something may be out of balance. */
    public void wakeBalancer() {
        balancer.wake();
    }

    /** Tells every shard where the config servers are, whenever that has changed. */
    private void tellShards() {
        String told = "";
        try {
            while (true) {
                String now = parts.connectionString().get();
                if (!now.equals(told) && tell()) {
                    told = now;
                }
                boolean unused = untilClosed.waitFor(new CompletableFuture<>(), LOOKS_NANOS);
            }
        } catch (CommandException over) {
            LOG.debug("the next primary tells the shards: {}", over.getMessage());
        }
    }

    private boolean tell() {
        boolean all = true;
        for (ShardRow shard : services.catalog().shards()) {
            BsonDocument join =
                    new BsonDocument("_shardsvrJoin", new BsonString(shard.id().name()));
            join.putAll(identity());
            try {
                BsonDocument unused =
                        services.shards().call(shard.id(), join, Deadline.in(parts.clock(), TELLS_MILLIS));
            } catch (CommandException notNow) {
                untilClosed.checkAlive();
                LOG.info("shard {} was not told where the config servers are: {}", shard.id(), notNow.getMessage());
                all = false;
            }
        }
        return all;
    }

    /** One that never starts, for the names and the grammar of its commands. */
    public static ConfigServer unstarted(Parts parts) {
        return new ConfigServer(parts);
    }

    /** The commands of a config server, for its command table. */
    public List<Command<?>> commands() {
        List<Command<?>> all = new ArrayList<>();
        all.addAll(new RoutingCommands(services).all());
        all.addAll(new MoveCommands(services, moves).all());
        all.addAll(new ChunkCommands(services, moves).all());
        all.addAll(new CollectionCommands(services).all());
        all.addAll(new BalancerCommands(services, balancer, moves).all());
        all.addAll(new ZoneCommands(services, zones, balancer).all());
        all.addAll(new ShardCommands(services, parts.connectionString()).all());
        all.add(new ShardCollectionCommand(services));
        all.addAll(new TuningCommands(services, zones).all());
        all.add(new RefineCommand(services, zones));
        all.add(new RemoveShardCommand(services, balancer));
        all.add(new MovePrimaryCommand(services, moves));
        all.addAll(new MoveCollectionCommands(services, moves).all());
        all.add(new AddShardCommand(services, this::identity));
        return all;
    }

    private BsonDocument identity() {
        return new BsonDocument("clusterId", new BsonObjectId(clusterId))
                .append(
                        "configsvrConnectionString",
                        new BsonString(parts.connectionString().get()));
    }

    /** Stops; what runs stays stored for the next leader. */
    @Override
    public void close() {
        untilClosed.kill(INTERRUPTED_AT_SHUTDOWN.because("this config server leads no more"));
        balancer.close();
        services.moves().close();
        services.driver().close();
        threads.shutdownNow();
    }
}
