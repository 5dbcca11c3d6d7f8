package io.ostraka.router.routing;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.ChunkCodec;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.router.remote.ConfigServers;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * The placement of collections, asked of the config servers on demand and kept until somebody says it is stale. A
 * refresh costs what changed. Safe for many threads.
 */
public final class RoutingCache {
    /** Collections remembered; past it all are forgotten and asked for again. */
    private static final int MAX_ENTRIES = 50_000;

    /** How long an operation waits while another one asks for the same collection. */
    private static final long LONGEST_WAIT_NANOS = 60_000_000_000L;

    private final ConfigServers config;
    private final Map<Namespace, Entry> entries = new ConcurrentHashMap<>();
    private final LongAdder full = new LongAdder();
    private final LongAdder incremental = new LongAdder();
    private final LongAdder stale = new LongAdder();

    public RoutingCache(ConfigServers config) {
        this.config = config;
    }

    /** One collection's place in the cache, with the lock of whoever asks for it. */
    private static final class Entry {
        private final ReentrantLock asking = new ReentrantLock();
        private volatile Routing routing;
    }

    /** What is known, or what the config servers say if nothing is. */
    public Routing get(Namespace namespace, Operation operation) {
        Entry entry = entry(namespace);
        Routing known = entry.routing;
        return known != null ? known : refresh(entry, namespace, Optional.empty(), operation);
    }

    /**
     * What is newer than a routing somebody found stale. Where another has refreshed it already, that answer is taken.
     */
    public Routing newerThan(Routing old, Operation operation) {
        stale.increment();
        return refresh(entry(old.namespace()), old.namespace(), Optional.of(old), operation);
    }

    /** Where a database lives, asked afresh. */
    public Optional<DatabasePlacement> database(String database, Operation operation) {
        BsonDocument reply = config.ask(new BsonDocument("_configsvrGetDatabase", new BsonString(database)), operation);
        return placement(reply);
    }

    /** Where a database lives; it is made if there is none. */
    public DatabasePlacement createDatabase(String database, Operation operation) {
        BsonDocument reply = config.ask( // asked twice, it is made once
                new BsonDocument("_configsvrCreateDatabase", new BsonString(database)), operation);
        forgetDatabase(database);
        return placement(reply).orElseThrow();
    }

    /** A routing as it is, or after its database was made where there is none. For what makes collections. */
    public Routing orCreated(Routing routing, Operation operation) {
        if (!routing.isNowhere()) {
            return routing;
        }
        createDatabase(routing.namespace().database(), operation);
        return get(routing.namespace(), operation);
    }

    private static Optional<DatabasePlacement> placement(BsonDocument reply) {
        return Optional.ofNullable(reply.get("database")).map(brief -> DatabasePlacement.of(brief.asDocument()));
    }

    private Entry entry(Namespace namespace) {
        if (entries.size() > MAX_ENTRIES) {
            entries.clear();
        }
        return entries.computeIfAbsent(namespace, _ -> new Entry());
    }

    private Routing refresh(Entry entry, Namespace namespace, Optional<Routing> old, Operation operation) {
        operation.awaitLock(entry.asking, LONGEST_WAIT_NANOS);
        try {
            Routing now = entry.routing;
            boolean isNewer = now != null && (old.isEmpty() || !sameObject(old.get(), now));
            if (isNewer) {
                return now;
            }
            Routing fresh = ask(namespace, old.flatMap(Routing::table), operation);
            // What is nowhere is not remembered: the next who asks may have made it.
            entry.routing = fresh.isNowhere() ? null : fresh;
            return fresh;
        } finally {
            entry.asking.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // another answer with the same content is another answer
    private static boolean sameObject(Routing one, Routing other) {
        return one == other;
    }

    private Routing ask(Namespace namespace, Optional<RoutingTable> old, Operation operation) {
        BsonDocument question = new BsonDocument("_configsvrGetRouting", new BsonString(namespace.toString()));
        old.ifPresent(table -> question.append("since", table.highest().toRaw().toBson()));
        BsonDocument reply = config.ask(question, operation);
        Optional<DatabasePlacement> database = placement(reply);
        if (!reply.getBoolean("tracked", BsonBoolean.FALSE).getValue()) {
            return new Routing(namespace, database, Optional.empty());
        }
        Optional<RawDocument> collation =
                Optional.ofNullable(reply.get("defaultCollation")).map(rules -> RawDocument.of(rules.asDocument()));
        List<Chunk> chunks = ChunkCodec.decode(reply.getBinary("chunks").getData());
        if (reply.getBoolean("full").getValue()) {
            full.increment();
            return new Routing(
                    namespace, database, Optional.of(RoutingTable.of(head(namespace, reply), chunks)), collation);
        }
        incremental.increment();
        return new Routing(namespace, database, Optional.of(old.orElseThrow().with(chunks)), collation);
    }

    private static RoutingTable.Head head(Namespace namespace, BsonDocument reply) {
        return new RoutingTable.Head(
                namespace,
                reply.getBinary("uuid").asUuid(),
                ShardKey.parse(reply.getDocument("key")),
                reply.getBoolean("unique", BsonBoolean.FALSE).getValue(),
                !reply.getBoolean("unsplittable", BsonBoolean.FALSE).getValue(),
                new Generation(reply.getObjectId("epoch").getValue(), reply.getTimestamp("timestamp")));
    }

    /** Forgets everything. */
    public void flush() {
        entries.clear();
    }

    /** Forgets one collection. */
    public void forget(Namespace namespace) {
        entries.remove(namespace);
    }

    /** Forgets all collections of a database. */
    public void forgetDatabase(String database) {
        entries.keySet().removeIf(namespace -> namespace.database().equals(database));
    }

    /** The section {@code shardingStatistics.catalogCache} of {@code serverStatus}. */
    public BsonDocument statistics() {
        return new BsonDocument("numCollectionEntries", new BsonInt64(entries.size()))
                .append("countStaleConfigErrors", new BsonInt64(stale.sum()))
                .append("countIncrementalRefreshesStarted", new BsonInt64(incremental.sum()))
                .append("countFullRefreshesStarted", new BsonInt64(full.sum()));
    }
}
