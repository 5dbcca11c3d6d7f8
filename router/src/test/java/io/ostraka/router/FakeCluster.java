package io.ostraka.router;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.ChunkCodec;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.auth.ClusterKey;
import io.ostraka.wire.auth.UserDirectory;
import io.ostraka.wire.client.ClientLimits;
import io.ostraka.wire.command.Admission;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.command.Dispatcher;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.HybridClock;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.command.SlowOperations;
import io.ostraka.wire.common.ProcessHooks;
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.common.RecentLog;
import io.ostraka.wire.common.Small;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.server.ServerLimits;
import io.ostraka.wire.server.WireServer;
import io.ostraka.wire.session.Sessions;
import io.ostraka.wire.transport.InMemoryNetwork;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/** Config servers and shards that keep documents in lists: what a router speaks to, small enough to see through. */
final class FakeCluster implements AutoCloseable {
    static final Namespace THINGS = new Namespace("db", "things");
    static final ClusterKey KEY = ClusterKey.of("a test");
    private static final Generation GENERATION =
            new Generation(new ObjectId("0123456789abcdef01234567"), new BsonTimestamp(7, 1));

    final InMemoryNetwork network = InMemoryNetwork.alone();
    final Map<ShardId, FakeShard> shards = new LinkedHashMap<>();
    final Router router;
    final int routerPort;
    private final List<WireServer> servers = new ArrayList<>();
    private final ShardKey key;
    private volatile RoutingTable table;
    private final java.util.Set<String> databases = java.util.concurrent.ConcurrentHashMap.newKeySet();

    /** Three shards; a, b and c own the keys below 100, below 200, and the rest. */
    FakeCluster(String pattern) throws IOException {
        key = ShardKey.parse(BsonDocument.parse(pattern));
        table = RoutingTable.of(
                new RoutingTable.Head(THINGS, new java.util.UUID(1, 2), key, false, true, GENERATION),
                List.of(
                        chunk(key.lowest(), bound(100), "a", 1, 0),
                        chunk(bound(100), bound(200), "b", 1, 1),
                        chunk(bound(200), key.highest(), "c", 1, 2)));
        databases.add("db");
        int port = 1001;
        for (String name : List.of("a", "b", "c")) {
            FakeShard shard = new FakeShard(this, new ShardId(name), port++);
            shards.put(shard.id(), shard);
            serve(shard.address(), shard.commands(), shard.cursors());
        }
        serve("config:1000", config(), registry());
        router = router();
        var acceptor = new io.ostraka.wire.transport.Sockets(
                        io.ostraka.wire.transport.FrameBounds.DEFAULT, Clock.SYSTEM)
                .listen("127.0.0.1", 0);
        routerPort = acceptor.port();
        router.serve(acceptor);
        router.serve(network.listen("router:27017"));
    }

    private Router router() {
        return new Router(new Router.Parts(
                new ProcessInfo("router:27017", "mongos", "test", "none", 1, 0, List.of(), new BsonDocument()),
                "config/config:1000",
                network,
                KEY,
                UserDirectory.OPEN,
                Clock.SYSTEM,
                Ids.system(),
                new Random(1),
                RecentLog.NONE,
                new ProcessHooks() {
                    @Override
                    public void rotateLog() {}

                    @Override
                    public void shutdown(boolean force) {}
                },
                Sessions.TIMEOUT,
                List.of(),
                false,
                new SlowOperations(10_000),
                ServerLimits.DEFAULT,
                ClientLimits.DEFAULT));
    }

    static CursorRegistry registry() {
        return new CursorRegistry(CursorRegistry.Limits.DEFAULT, Clock.SYSTEM, Ids.system());
    }

    private void serve(String address, List<Command<?>> commands, CursorRegistry cursors) throws IOException {
        Operations operations = new Operations();
        Dispatcher dispatcher = new Dispatcher(
                CommandTable.of(commands),
                UserDirectory.OPEN,
                new HybridClock(Clock.SYSTEM),
                Clock.SYSTEM,
                operations,
                new SlowOperations(10_000),
                Admission.standard(),
                new Sessions(100, Clock.SYSTEM));
        WireServer server = new WireServer(new WireServer.Parts(
                dispatcher::run,
                operations,
                cursors,
                Optional.of(KEY),
                Clock.SYSTEM,
                Ids.system(),
                ServerLimits.DEFAULT));
        server.serve(network.listen(address));
        servers.add(server);
    }

    byte[] bound(int k) {
        BsonDocument bound = key.lowestBound();
        bound.put(key.fields().getFirst(), new BsonInt32(k));
        return key.encodeBound(bound);
    }

    private static Chunk chunk(byte[] min, byte[] max, String owner, int major, int minor) {
        return new Chunk(
                new KeyRange(min, max), new ShardId(owner), new PlacementVersion(GENERATION, major, minor).asLong());
    }

    ShardKey key() {
        return key;
    }

    RoutingTable table() {
        return table;
    }

    /** Moves a range of keys with its documents; the router is not told. */
    void move(int from, int to, String shard) {
        int major = table.highest().major() + 1;
        Chunk moved = chunk(bound(from), bound(to), shard, major, 0);
        ShardId donor = table.ownerOf(bound(from));
        Optional<Chunk> stays = table.chunks().stream()
                .filter(chunk -> chunk.owner().equals(donor) && !chunk.range().overlaps(moved.range()))
                .findFirst();
        List<Chunk> changed = new ArrayList<>(List.of(moved));
        stays.ifPresent(chunk ->
                changed.add(new Chunk(chunk.range(), donor, new PlacementVersion(GENERATION, major, 1).asLong())));
        FakeShard giver = shards.get(donor);
        FakeShard taker = shards.get(new ShardId(shard));
        for (RawDocument document : giver.all()) {
            if (moved.range().contains(key.keyOf(document))) {
                giver.remove(document);
                taker.put(document);
            }
        }
        table = table.with(changed);
    }

    private List<Command<?>> config() {
        Needs read = Needs.internal(Needs.Kind.READ);
        return List.of(
                new Small("_configsvrGetRouting", read, (fields, _) -> routing(fields)),
                new Small("_configsvrGetDatabase", read, (fields, _) -> database(fields.ownString())),
                new Small("_configsvrCreateDatabase", read, (fields, _) -> {
                    databases.add(fields.ownString());
                    return database(fields.ownString());
                }),
                new Small("_configsvrGetShards", read, (_, _) -> {
                    BsonArray rows = new BsonArray();
                    shards.values().forEach(shard -> rows.add(shard.row()));
                    return new BsonDocument("shards", rows);
                }),
                new Small("_configsvrRouterPing", read, (_, _) -> new BsonDocument()),
                new Small("split", read, (fields, _) -> new BsonDocument("seen", fields.own())));
    }

    private BsonDocument database(String name) {
        return databases.contains(name)
                ? new BsonDocument(
                        "database",
                        new BsonDocument("primary", new BsonString("a"))
                                .append("version", new BsonDocument("lastMod", new BsonInt32(1))))
                : new BsonDocument();
    }

    private BsonDocument routing(Fields fields) {
        BsonDocument reply =
                database(fields.ownString().substring(0, fields.ownString().indexOf('.')));
        if (!fields.ownString().equals(THINGS.toString())) {
            return reply.append("tracked", BsonBoolean.FALSE);
        }
        RoutingTable now = table;
        Optional<PlacementVersion> since =
                fields.document("since").map(version -> PlacementVersion.of(version.toBson()));
        List<Chunk> chunks = now.chunks().stream()
                .filter(chunk ->
                        since.isEmpty() || chunk.version() >= since.get().asLong())
                .toList();
        return reply.append("tracked", BsonBoolean.TRUE)
                .append("uuid", new BsonBinary(now.head().uuid()))
                .append("key", key.pattern())
                .append("unique", BsonBoolean.FALSE)
                .append("epoch", new BsonObjectId(GENERATION.epoch()))
                .append("timestamp", GENERATION.timestamp())
                .append("full", BsonBoolean.valueOf(since.isEmpty()))
                .append("chunks", new BsonBinary(ChunkCodec.encode(chunks)));
    }

    static RawDocument document(int k) {
        return new RawBuilder().put("_id", k).put("k", k).put("x", k % 10).build();
    }

    @Override
    public void close() {
        router.close();
        servers.forEach(WireServer::close);
    }
}
