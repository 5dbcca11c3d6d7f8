package io.ostraka.server.embedded;

import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.server.process.MemberProcess;
import io.ostraka.server.process.ProcessSettings;
import io.ostraka.server.process.RouterProcess;
import io.ostraka.server.process.StartParameters;
import io.ostraka.server.process.StartRefused;
import io.ostraka.sharding.config.Balancer;
import io.ostraka.storage.StorageLimits;
import io.ostraka.storage.StorageResources;
import io.ostraka.wire.auth.ClusterKey;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.common.ProcessHooks;
import io.ostraka.wire.common.RecentLog;
import io.ostraka.wire.transport.FrameBounds;
import io.ostraka.wire.transport.InMemoryNetwork;
import io.ostraka.wire.transport.Sockets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * A sharded cluster inside this JVM: a config set, shards, routers, each as it would run apart.
 *
 * <pre>{@code
 * try (var cluster = EmbeddedCluster.start();
 *         var client = MongoClients.create(cluster.connectionString())) {
 *     client.getDatabase("test").getCollection("things").insertOne(new Document("x", 1));
 * }
 * }</pre>
 *
 * Several may run in one JVM. Needs Java 25; logs through SLF4J to whatever back end there is.
 */
public final class EmbeddedCluster implements AutoCloseable {
    /** Within which a start must have succeeded. */
    private static final long START_MILLIS = 60_000;

    private final ClusterSettings settings;
    private final ClusterFolder folder;
    private final Clock clock = Clock.SYSTEM;
    private final Ids ids = Ids.system();
    private final StorageResources resources;
    private final Optional<InMemoryNetwork> network;
    private final ClusterKey key;
    private final RecentLog log;
    private final ProcessHooks hooks;
    private MemberProcess config;
    private final List<MemberProcess> shards = new ArrayList<>();
    private final List<RouterProcess> routers = new ArrayList<>();
    private boolean closed;

    private EmbeddedCluster(ClusterSettings settings, RecentLog log, ProcessHooks hooks) {
        this.settings = settings;
        this.log = log;
        this.hooks = hooks;
        folder = settings.folder().isPresent()
                ? ClusterFolder.open(settings.folder().get(), settings.shards(), ids)
                : ClusterFolder.temporary(settings.shards(), ids);
        key = ClusterKey.of(folder.key());
        network = settings.inMemory()
                ? Optional.of(new InMemoryNetwork(new Sockets(FrameBounds.DEFAULT, clock)))
                : Optional.empty();
        StorageLimits standard = StorageLimits.DEFAULT;
        resources = StorageResources.open(new StorageLimits(
                settings.memoryBytes(),
                settings.memoryBytes() / 2,
                Math.min(standard.memtableBytes(), settings.memoryBytes() / 4),
                standard.journalBytes(),
                standard.backgroundJobs(),
                standard.diskReserveBytes()));
    }

    /** Starts the smallest cluster that spreads data: {@link ClusterSettings#DEFAULT}. */
    public static EmbeddedCluster start() {
        return start(ClusterSettings.DEFAULT);
    }

    /**
     * Starts a cluster; a write through a router has succeeded when this returns.
     *
     * @throws StartRefused if a port or the folder cannot be used
     * @throws io.ostraka.storage.FolderRefused if a member's folder cannot be used
     */
    public static EmbeddedCluster start(ClusterSettings settings) {
        return start(settings, RecentLog.NONE, new ProcessHooks() {
            @Override
            public void rotateLog() {
                // The log belongs to whoever embeds.
            }

            @Override
            public void shutdown(boolean force) {
                throw ILLEGAL_OPERATION.because("This cluster is embedded in another program; close it there");
            }
        });
    }

    /** The same, for a program that owns the log and the process. */
    public static EmbeddedCluster start(ClusterSettings settings, RecentLog log, ProcessHooks hooks) {
        EmbeddedCluster cluster = new EmbeddedCluster(settings, log, hooks);
        try {
            cluster.open();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void open() {
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("ostraka-start-", 0).factory())) {
            int first = settings.routers();
            CompletableFuture<MemberProcess> opening = CompletableFuture.supplyAsync(
                    () -> member(MemberProcess.Kind.CONFIG, "config", port(first)), threads);
            List<CompletableFuture<MemberProcess>> others = new ArrayList<>();
            for (int i = 0; i < settings.shards(); i++) {
                int number = i;
                others.add(CompletableFuture.supplyAsync(
                        () -> member(MemberProcess.Kind.SHARD, "shard" + number, port(first + 1 + number)), threads));
            }
            Optional<RuntimeException> failure = Optional.empty();
            try {
                config = opening.join();
            } catch (CompletionException e) {
                failure = Optional.of(cause(e));
            }
            for (CompletableFuture<MemberProcess> other : others) {
                try {
                    shards.add(other.join());
                } catch (CompletionException e) {
                    failure = Optional.of(cause(e));
                }
            }
            if (failure.isPresent()) {
                throw failure.get();
            }
            List<CompletableFuture<Void>> joining = new ArrayList<>();
            for (MemberProcess shard : shards) {
                joining.add(CompletableFuture.runAsync(() -> join(shard), threads));
            }
            for (int i = 0; i < settings.routers(); i++) {
                routers.add(RouterProcess.start(process(port(i)), config.connectionString()));
            }
            await(joining);
        }
        settings.chunkMegabytes().ifPresent(this::setChunkSize);
        writeOnce();
    }

    private static RuntimeException cause(CompletionException e) {
        return e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
    }

    private static void await(List<CompletableFuture<Void>> joining) {
        for (CompletableFuture<Void> each : joining) {
            try {
                each.join();
            } catch (CompletionException e) {
                throw cause(e);
            }
        }
    }

    private int port(int place) {
        return settings.port() == 0 ? 0 : settings.port() + place;
    }

    private ProcessSettings process(int port) {
        return new ProcessSettings(
                settings.bindIps(),
                port,
                key,
                network,
                65_536,
                settings.slowMillis(),
                log,
                hooks,
                List.of(),
                new BsonDocument(),
                StartParameters.DEFAULT,
                clock,
                ids);
    }

    private MemberProcess member(MemberProcess.Kind kind, String name, int port) {
        return MemberProcess.start(
                process(port),
                new MemberProcess.Settings(
                        kind,
                        folder.path().resolve(name),
                        name,
                        resources,
                        settings.orphanDelay().toMillis(),
                        new Balancer.Limits(Duration.ofMillis(100), settings.balancerIdle())));
    }

    /** Tells the cluster of a shard, or where a shard it knows is now. */
    private void join(MemberProcess shard) {
        BsonDocument command = new BsonDocument("addShard", new BsonString(shard.connectionString()));
        RawDocument unused = call(config.client(), config.address(), "admin", command);
    }

    private RawDocument call(ClusterClient client, String address, String database, BsonDocument command) {
        Operation operation = Operation.ofProcess(command.getFirstKey(), database, Deadline.in(clock, START_MILLIS));
        return client.run(address, database, RawDocument.of(command), operation);
    }

    private void setChunkSize(int megabytes) {
        BsonDocument update = new BsonDocument("q", new BsonDocument("_id", new BsonString("chunksize")))
                .append("u", new BsonDocument("$set", new BsonDocument("value", new BsonInt32(megabytes))))
                .append("upsert", BsonBoolean.TRUE);
        RawDocument unused = call(
                config.client(),
                routers.getFirst().address(),
                "config",
                new BsonDocument("update", new BsonString("settings"))
                        .append("updates", new BsonArray(List.of(update))));
    }

    /** One write through a router: then every layer works. */
    private void writeOnce() {
        BsonDocument update = new BsonDocument("q", new BsonDocument("_id", new BsonString("started")))
                .append(
                        "u",
                        new BsonDocument(
                                "$set",
                                new BsonDocument(
                                        "ports",
                                        new BsonInt32(routers.getFirst().port()))))
                .append("upsert", BsonBoolean.TRUE);
        RawDocument unused = call(
                config.client(),
                routers.getFirst().address(),
                "admin",
                new BsonDocument("update", new BsonString("ostraka"))
                        .append("updates", new BsonArray(List.of(update))));
    }

    /** Where clients connect: all routers. */
    public String connectionString() {
        List<String> hosts = routers.stream().map(RouterProcess::address).toList();
        return "mongodb://" + String.join(",", hosts) + "/";
    }

    /** One router alone. */
    public String connectionString(int router) {
        return "mongodb://" + routers.get(router).address() + "/";
    }

    /** A shard's own address, for looking at what it holds. */
    public String shardConnectionString(int shard) {
        return "mongodb://" + shards.get(shard).address() + "/?directConnection=true";
    }

    /** The config server's own address. */
    public String configConnectionString() {
        return "mongodb://" + config.address() + "/?directConnection=true";
    }

    /** The port of the first router. */
    public int port() {
        return routers.getFirst().port();
    }

    /** How many shards there are. */
    public int shards() {
        return shards.size();
    }

    /** Where the data lies. */
    public Path folder() {
        return folder.path();
    }

    /** Stops everything, routers first; a temporary folder is deleted. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        routers.forEach(RouterProcess::close);
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("ostraka-stop-", 0).factory())) {
            if (config != null) {
                threads.execute(config::close);
            }
            shards.forEach(shard -> threads.execute(shard::close));
        }
        resources.close();
        folder.close();
    }
}
