package io.ostraka.sharding.catalog;

import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.DATABASE_DIFFER_CASE;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_SHARDED;
import static io.ostraka.core.error.ErrorCode.SHARD_NOT_FOUND;

import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;

/**
 * Who owns what, and the only place where that changes. Shards and databases are read from the store each time;
 * collections' placements are kept in memory beside it, and read again by a new leader.
 */
public final class ClusterCatalog {
    public static final String SHARDS = "shards";
    public static final String DATABASES = "databases";
    public static final String COLLECTIONS = "collections";
    public static final String CHUNKS = "chunks";
    public static final String SETTINGS = "settings";

    private final CatalogStore store;
    private final Changelog changelog;
    private final Clock clock;
    private final Ids ids;
    private final NamespaceLocks locks = new NamespaceLocks();
    private final Map<Namespace, Placement> placements = new ConcurrentHashMap<>();

    public ClusterCatalog(CatalogStore store, Changelog changelog, Clock clock, Ids ids) {
        this.store = store;
        this.changelog = changelog;
        this.clock = clock;
        this.ids = ids;
    }

    CatalogStore store() {
        return store;
    }

    Changelog changelog() {
        return changelog;
    }

    Ids ids() {
        return ids;
    }

    /** Runs under the catalog lock of one collection: nobody else changes its placement meanwhile. */
    <T> T locked(Namespace namespace, Supplier<T> body) {
        return locks.with(namespace.toString(), body);
    }

    /** All shards, by name. */
    public List<ShardRow> shards() {
        return store.find(SHARDS, new BsonDocument()).stream()
                .map(ShardRow::of)
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .toList();
    }

    /** @throws io.ostraka.core.error.CommandException 70 ShardNotFound */
    public ShardRow shard(ShardId id) {
        return store.get(SHARDS, new BsonString(id.name()))
                .map(ShardRow::of)
                .orElseThrow(() -> SHARD_NOT_FOUND.because(
                        "Shard '%s' does not exist; sh.status() lists the shards there are", id));
    }

    public Optional<DatabaseRow> database(String name) {
        return store.get(DATABASES, new BsonString(name)).map(DatabaseRow::of);
    }

    public List<DatabaseRow> databases() {
        return store.find(DATABASES, new BsonDocument()).stream()
                .map(DatabaseRow::of)
                .toList();
    }

    /**
     * The database, made if it does not exist, on the given shard or on the one with the fewest databases.
     *
     * @throws io.ostraka.core.error.CommandException 70 without shards; 13297 if another spelling exists; 72 if it has another primary than asked for
     */
    public DatabaseRow createDatabase(String name, Optional<ShardId> primary) {
        Namespace.checkDatabase(name);
        return locks.with(name.toLowerCase(Locale.ROOT), () -> {
            Optional<DatabaseRow> existing = database(name);
            if (existing.isPresent()) {
                if (primary.isPresent() && !primary.get().equals(existing.get().primary())) {
                    throw INVALID_OPTIONS.because(
                            "Database '%s' exists with primary shard '%s'; use movePrimary to change it",
                            name, existing.get().primary());
                }
                return existing.get();
            }
            refuseOtherSpelling(name);
            ShardId shard = primary.map(id -> shard(id).id()).orElseGet(this::leastUsed);
            DatabaseRow row = new DatabaseRow(name, shard, ids.uuid(), store.tick(), 1);
            store.commit(List.of(
                    new CatalogStore.Change.Put(DATABASES, row.toBson()),
                    changelog.change(
                            "createDatabase", name, new BsonDocument("primary", new BsonString(shard.name())))));
            return row;
        });
    }

    private void refuseOtherSpelling(String name) {
        for (DatabaseRow row : databases()) {
            if (row.name().equalsIgnoreCase(name)) {
                throw DATABASE_DIFFER_CASE.because(
                        "Database '%s' cannot be made: '%s' exists, and names that differ only in case are refused",
                        name, row.name());
            }
        }
    }

    private ShardId leastUsed() {
        List<DatabaseRow> databases = databases();
        return shards().stream()
                .filter(shard -> !shard.draining())
                .map(ShardRow::id)
                .min(Comparator.comparingLong((ShardId id) -> databases.stream()
                                .filter(row -> row.primary().equals(id))
                                .count())
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow(() -> SHARD_NOT_FOUND.because(
                        "There is no shard to put the database on; add one with sh.addShard(\"set/host:port\")"));
    }

    /** The tracked collections of a database, or of all databases if none is named. */
    public List<CollectionRow> collections(Optional<String> database) {
        return store.find(COLLECTIONS, new BsonDocument()).stream()
                .map(CollectionRow::of)
                .filter(row -> database.isEmpty() || row.namespace().database().equals(database.get()))
                .toList();
    }

    /** The row of a tracked collection, as stored now: clients may have changed switches in it. */
    public Optional<CollectionRow> collection(Namespace namespace) {
        return store.get(COLLECTIONS, new BsonString(namespace.toString())).map(CollectionRow::of);
    }

    /** The placement of a tracked collection. */
    public Optional<RoutingTable> table(Namespace namespace) {
        return placement(namespace).map(Placement::table);
    }

    /** The rows of a collection's chunks in order of keys; none if it is not tracked. */
    public List<ChunkRow> chunks(Namespace namespace) {
        return placement(namespace).map(p -> List.copyOf(p.rows())).orElse(List.of());
    }

    Optional<Placement> placement(Namespace namespace) {
        Placement known = placements.get(namespace);
        return known != null ? Optional.of(known) : locked(namespace, () -> load(namespace));
    }

    /** The same under the collection's lock. */
    Optional<Placement> load(Namespace namespace) {
        Placement known = placements.get(namespace);
        if (known != null) {
            return Optional.of(known);
        }
        return collection(namespace).map(row -> {
            List<ChunkRow> chunks = store.find(CHUNKS, new BsonDocument("uuid", new BsonBinary(row.uuid()))).stream()
                    .map(chunk -> ChunkRow.of(chunk, row.key()))
                    .toList();
            Placement placement = Placement.of(row, chunks);
            placements.put(namespace, placement);
            return placement;
        });
    }

    /** @throws io.ostraka.core.error.CommandException 118 NamespaceNotSharded */
    Placement require(Namespace namespace) {
        return placement(namespace)
                .orElseThrow(() -> NAMESPACE_NOT_SHARDED.because(
                        "Collection '%s' is not sharded; shard it with sh.shardCollection(\"%s\", key)",
                        namespace, namespace));
    }

    /** Stores rows that replace others, and what belongs to the same change. Only under the collection's lock. */
    Placement replace(Placement old, List<ChunkRow> gone, List<ChunkRow> come, List<CatalogStore.Change> also) {
        List<CatalogStore.Change> changes = new ArrayList<>();
        for (ChunkRow chunk : gone) {
            if (come.stream().noneMatch(other -> other.id().equals(chunk.id()))) {
                changes.add(new CatalogStore.Change.Delete(CHUNKS, new BsonObjectId(chunk.id())));
            }
        }
        for (ChunkRow chunk : come) {
            changes.add(new CatalogStore.Change.Put(CHUNKS, chunk.toBson()));
        }
        changes.addAll(also);
        store.commit(changes);
        Placement now = old.with(gone, come);
        placements.put(old.row().namespace(), now);
        return now;
    }

    /**
     * The chunks that changed after a version.
     *
     * @param known what the caller has; of another generation, or empty, and it gets all chunks
     */
    public List<Chunk> changedSince(RoutingTable table, Optional<PlacementVersion> known) {
        if (known.isEmpty() || !known.get().generation().equals(table.generation())) {
            return table.chunks();
        }
        long since = known.get().asLong();
        return table.chunks().stream().filter(chunk -> chunk.version() > since).toList();
    }

    /** Fails if a plan that is not decided concerns the collection. */
    void refuseWhileMoving(Namespace namespace, List<MovePlan> open) {
        for (MovePlan plan : open) {
            if (plan.namespace().equals(namespace)) {
                throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                        "Collection '%s' has a chunk on the move from '%s' to '%s'; try again when it has arrived",
                        namespace, plan.from(), plan.to());
            }
        }
    }

    /** Keeps what was stored for a collection. Only under its lock. */
    void remember(Placement placement) {
        placements.put(placement.row().namespace(), placement);
    }

    /** Forgets a collection: it is read again when it is asked for. Only under its lock. */
    void forget(Namespace namespace) {
        placements.remove(namespace);
    }

    /** Runs under the lock of a database. */
    <T> T lockedDatabase(String name, Supplier<T> body) {
        return locks.with(name.toLowerCase(Locale.ROOT), body);
    }

    Clock clock() {
        return clock;
    }

    /** Forgets what is in memory: the store may have been changed by another leader. */
    public void forget() {
        placements.clear();
    }
}
