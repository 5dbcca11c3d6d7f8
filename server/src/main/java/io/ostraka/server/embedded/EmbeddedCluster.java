package io.ostraka.server.embedded;

import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.router.remote.ReplicaSet;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * A sharded cluster inside this JVM: config servers, shards, routers, each as it would run apart.
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
    private final List<MemberProcess> processes = new CopyOnWriteArrayList<>();
    private EmbeddedSet config;
    private final List<EmbeddedSet> shards = new ArrayList<>();
    private final List<RouterProcess> routers = new ArrayList<>();
    private boolean closed;

    private EmbeddedCluster(ClusterSettings settings, RecentLog log, ProcessHooks hooks) {
        this.settings = settings;
        this.log = log;
        this.hooks = hooks;
        folder = settings.folder().isPresent()
                ? ClusterFolder.open(settings.folder().get(), settings.shards(), settings.members(), ids)
                : ClusterFolder.temporary(settings.shards(), settings.members(), ids);
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
            int each = settings.members();
            CompletableFuture<EmbeddedSet> opening = CompletableFuture.supplyAsync(
                    () -> set(MemberProcess.Kind.CONFIG, "config", first, threads), threads);
            List<CompletableFuture<EmbeddedSet>> others = new ArrayList<>();
            for (int i = 0; i < settings.shards(); i++) {
                int number = i;
                others.add(CompletableFuture.supplyAsync(
                        () -> set(MemberProcess.Kind.SHARD, "shard" + number, first + (1 + number) * each, threads),
                        threads));
            }
            Optional<RuntimeException> failure = Optional.empty();
            try {
                config = opening.join();
            } catch (CompletionException e) {
                failure = Optional.of(cause(e));
            }
            for (CompletableFuture<EmbeddedSet> other : others) {
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
            for (EmbeddedSet shard : shards) {
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

    private EmbeddedSet set(MemberProcess.Kind kind, String name, int place, ExecutorService threads) {
        List<CompletableFuture<MemberProcess>> opening = new ArrayList<>();
        for (int i = 0; i < settings.members(); i++) {
            int number = i;
            opening.add(CompletableFuture.supplyAsync(() -> member(kind, name, number, port(place + number)), threads));
        }
        Optional<RuntimeException> failure = Optional.empty();
        List<MemberProcess> members = new ArrayList<>();
        for (CompletableFuture<MemberProcess> each : opening) {
            try {
                members.add(each.join());
            } catch (CompletionException e) {
                failure = Optional.of(cause(e));
            }
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        return EmbeddedSet.of(name, members, clock, START_MILLIS);
    }

    private MemberProcess member(MemberProcess.Kind kind, String set, int number, int port) {
        String name = number == 0 ? set : set + "-" + number;
        MemberProcess process = MemberProcess.start(
                process(port),
                new MemberProcess.Settings(
                        kind,
                        folder.path().resolve(name),
                        set,
                        settings.members() > 1,
                        resources,
                        settings.orphanDelay().toMillis(),
                        new Balancer.Limits(Duration.ofMillis(100), settings.balancerIdle())));
        processes.add(process);
        return process;
    }

    /** Tells the cluster of a shard, or where a shard it knows is now. */
    private void join(EmbeddedSet shard) {
        BsonDocument command = new BsonDocument("addShard", new BsonString(shard.connectionString()));
        ReplicaSet there = new ReplicaSet(client(), config.connectionString());
        RawDocument unused = there.run("admin", RawDocument.of(command), Map.of(), true, operation(command, "admin"));
    }

    private ClusterClient client() {
        return config.members().getFirst().client();
    }

    private Operation operation(BsonDocument command, String database) {
        return Operation.ofProcess(command.getFirstKey(), database, Deadline.in(clock, START_MILLIS));
    }

    private void callRouter(String database, BsonDocument command) {
        RawDocument unused = client().run(
                        routers.getFirst().address(), database, RawDocument.of(command), operation(command, database));
    }

    private void setChunkSize(int megabytes) {
        BsonDocument update = new BsonDocument("q", new BsonDocument("_id", new BsonString("chunksize")))
                .append("u", new BsonDocument("$set", new BsonDocument("value", new BsonInt32(megabytes))))
                .append("upsert", BsonBoolean.TRUE);
        callRouter(
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
        callRouter(
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

    /** The address of a shard's first member, for looking at what it holds. */
    public String shardConnectionString(int shard) {
        return shardConnectionString(shard, 0);
    }

    /** The address of one member of a shard, primary or not. */
    public String shardConnectionString(int shard, int member) {
        return "mongodb://" + shards.get(shard).members().get(member).address() + "/?directConnection=true";
    }

    /** The address of the first config server. */
    public String configConnectionString() {
        return "mongodb://" + config.members().getFirst().address() + "/?directConnection=true";
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
            processes.forEach(process -> threads.execute(process::close));
        }
        resources.close();
        folder.close();
    }
}
