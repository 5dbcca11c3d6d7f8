package io.ostraka.sharding.shard;

import static io.ostraka.core.error.ErrorCode.STALE_CONFIG;
import static io.ostraka.core.error.ErrorCode.STALE_DB_VERSION;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.placement.PlacementGuard;
import io.ostraka.node.view.CatalogWatch;
import io.ostraka.wire.command.Operation;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Lets an operation run only under the placement it was sent with. A request that knows less than this shard is
 * refused; one that knows more makes this shard look at the config servers first. Requests without versions come from
 * clients that speak to the shard itself: they see what the shard owns.
 */
public final class ShardGuard implements PlacementGuard {
    /** What the guard works with, known only after the member is open. */
    public record Parts(
            Member member,
            PlacementRefresher refresher,
            ConfigLink config,
            Supplier<Optional<ShardIdentity>> identity,
            Splitter splitter) {}

    private final CompletableFuture<Parts> first = new CompletableFuture<>();
    private volatile Parts parts;
    private final Map<String, BsonDocument> databases = new ConcurrentHashMap<>();
    private final Map<String, BsonDocument> leaving = new ConcurrentHashMap<>();

    /**
     * Called when the member is open and before anybody may send it requests, and again whenever this member begins or ends
     * to lead: what it remembers is of the time before.
     */
    public void open(Parts opened) {
        parts = opened;
        databases.clear();
        leaving.clear();
        first.complete(opened);
    }

    private Parts parts() {
        Parts now = parts;
        return now != null ? now : first.join();
    }

    /** Forgets a database: it was dropped. */
    public void forget(String database) {
        databases.remove(database);
    }

    /** A database is about to get another primary: its present version is asked for each time from now on. */
    public void leave(String database) {
        BsonDocument version = databases.remove(database);
        if (version != null) {
            leaving.put(database, version);
        }
    }

    @Override
    public void arrive(Operation operation, Namespace namespace) {
        Optional<RawDocument> version = operation.options().shardVersion();
        if (version.isPresent()) {
            checkVersion(operation, namespace, PlacementVersion.of(version.get().toBson()));
        }
        Optional<RawDocument> database = operation.options().databaseVersion();
        if (database.isPresent()) {
            checkDatabase(operation, namespace.database(), database.get().toBson());
        }
    }

    @Override
    public void check(Operation operation, Namespace namespace, Optional<CollectionEntry> collection) {
        Optional<RawDocument> version = operation.options().shardVersion();
        if (version.isEmpty()) {
            return;
        }
        PlacementVersion received = PlacementVersion.of(version.get().toBson());
        Optional<Ownership> ownership = collection.flatMap(CollectionEntry::ownership);
        PlacementVersion mine = ownership
                .map(Ownership::version)
                .orElseGet(() -> collection.isPresent() ? PlacementVersion.UNTRACKED : elsewhere(namespace));
        boolean decided = ownership.map(owned -> owned.committing().isEmpty()).orElse(true);
        if (!decided || !received.agreesWith(mine)) {
            throw stale(namespace, received, mine);
        }
    }

    @Override
    public void checkChange(Operation operation, Namespace namespace, Optional<CollectionEntry> collection) {
        check(operation, namespace, collection);
        Optional<RawDocument> version = operation.options().shardVersion();
        Optional<Ownership> ownership = collection.flatMap(CollectionEntry::ownership);
        if (version.isPresent() && ownership.isPresent() && ownership.get().isPrepared()) {
            throw stale(
                    namespace,
                    PlacementVersion.of(version.get().toBson()),
                    ownership.get().version());
        }
    }

    @Override
    public void wrote(CollectionEntry collection, byte[] shardKey, int bytes) {
        parts().splitter().wrote(collection.namespace(), shardKey, bytes);
    }

    private void checkVersion(Operation operation, Namespace namespace, PlacementVersion received) {
        PlacementVersion mine = awaitDecided(operation, namespace);
        if (!received.agreesWith(mine) && mayBeNewer(received, mine)) {
            parts().refresher().refresh(namespace, operation);
            mine = awaitDecided(operation, namespace);
        }
        if (!received.agreesWith(mine)) {
            throw stale(namespace, received, mine);
        }
    }

    /** Whether the sender may know more than this shard. */
    private static boolean mayBeNewer(PlacementVersion received, PlacementVersion mine) {
        if (received.generation().equals(mine.generation())) {
            return received.major() > mine.major();
        }
        return received.generation().isUntracked()
                || mine.generation().isUntracked()
                || received.generation().timestamp().compareTo(mine.generation().timestamp()) > 0;
    }

    /** This shard's version, once no range of the collection is between two owners. */
    private PlacementVersion awaitDecided(Operation operation, Namespace namespace) {
        CatalogWatch watch = parts().member().views().watch(operation);
        while (true) {
            watch.note();
            Optional<CollectionEntry> entry = parts().member().views().catalog().find(namespace);
            Optional<Ownership> ownership = entry.flatMap(CollectionEntry::ownership);
            if (ownership.isEmpty()) {
                return entry.isPresent() ? PlacementVersion.UNTRACKED : elsewhere(namespace);
            }
            if (ownership.get().committing().isEmpty()) {
                return ownership.get().version();
            }
            watch.await();
        }
    }

    /** The version of a collection that is not here: what is known of it, if it is tracked. */
    private PlacementVersion elsewhere(Namespace namespace) {
        Optional<RoutingTable> table = parts().refresher().known(namespace).flatMap(KnownPlacement::table);
        Optional<ShardId> shard = parts().identity().get().map(ShardIdentity::shard);
        return table.isPresent() && shard.isPresent() ? table.get().versionOf(shard.get()) : PlacementVersion.UNTRACKED;
    }

    private CommandException stale(Namespace namespace, PlacementVersion received, PlacementVersion mine) {
        BsonDocument fields = new BsonDocument("ns", new BsonString(namespace.toString()))
                .append("vReceived", received.toRaw().toBson())
                .append("vWanted", mine.toRaw().toBson());
        parts().identity()
                .get()
                .ifPresent(identity ->
                        fields.append("shardId", new BsonString(identity.shard().name())));
        return STALE_CONFIG
                .because("the placement of %s is %s here, the request was sent under %s", namespace, mine, received)
                .with(fields);
    }

    private void checkDatabase(Operation operation, String database, BsonDocument received) {
        if (received.equals(databases.get(database))) {
            return;
        }
        BsonDocument reply =
                parts().config().ask(new BsonDocument("_configsvrGetDatabase", new BsonString(database)), operation);
        BsonDocument row = reply.getDocument("database", new BsonDocument());
        String primary = row.getString("primary", new BsonString("")).getValue();
        boolean mine = parts().identity()
                .get()
                .map(identity -> identity.shard().name().equals(primary))
                .orElse(false);
        if (mine && !row.getDocument("version").equals(leaving.get(database))) {
            databases.put(database, row.getDocument("version"));
        } else {
            databases.remove(database);
        }
        if (!mine || !received.equals(row.getDocument("version"))) {
            BsonDocument fields = new BsonDocument("db", new BsonString(database)).append("vReceived", received);
            if (row.containsKey("version")) {
                fields.append("vWanted", row.getDocument("version"));
            }
            throw STALE_DB_VERSION
                    .because("database %s is not the one the request was sent for, or not here", database)
                    .with(fields);
        }
    }

    @Override
    public void checkImplicitCreate(Operation operation, Namespace namespace) {
        Optional<PlacementVersion> received =
                operation.options().shardVersion().map(version -> PlacementVersion.of(version.toBson()));
        if (received.isPresent() && !received.get().generation().isUntracked()) {
            // Whoever owns chunks has the collection: it was dropped since, and one made here would have another UUID.
            throw stale(namespace, received.get(), PlacementVersion.UNTRACKED);
        }
        if (received.isPresent() && parts().refresher().known(namespace).isEmpty()) {
            // It may be tracked and lie on other shards alone: what were made here would be seen by nobody.
            KnownPlacement unused = parts().refresher().refresh(namespace, operation);
        }
        arrive(operation, namespace);
    }

    @Override
    public CommandException unowned(Operation operation, CollectionEntry collection) {
        PlacementVersion mine = collection.ownership().map(Ownership::version).orElse(PlacementVersion.UNTRACKED);
        PlacementVersion received = operation
                .options()
                .shardVersion()
                .map(version -> PlacementVersion.of(version.toBson()))
                .orElse(PlacementVersion.UNTRACKED);
        return stale(collection.namespace(), received, mine);
    }
}
