package io.ostraka.router.routing;

import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.collation.Collation;
import java.util.Optional;
import java.util.Set;

/**
 * Where one collection lives, as this router knows it.
 *
 * @param database its database's placement; absent where there is no such database
 * @param table its routing table; absent where it is not tracked and lives on the database's primary shard
 * @param defaultCollation how strings compare in a tracked collection where a command does not say
 */
public record Routing(
        Namespace namespace,
        Optional<DatabasePlacement> database,
        Optional<RoutingTable> table,
        Optional<RawDocument> defaultCollation) {
    /** Of a collection whose strings compare by their bytes. */
    public Routing(Namespace namespace, Optional<DatabasePlacement> database, Optional<RoutingTable> table) {
        this(namespace, database, table, Optional.empty());
    }

    /** How strings compare for a command that may say it: as it says, or as its collection does by itself. */
    public Collation collation(Optional<RawDocument> asked) {
        return Collation.of(asked.isPresent() ? asked : defaultCollation);
    }

    /** Whether there can be nothing: no database, so no collection. */
    public boolean isNowhere() {
        return database.isEmpty() && table.isEmpty();
    }

    /** The shards that can hold any of it. */
    public Set<ShardId> shards() {
        return table.map(RoutingTable::shards)
                .orElseGet(() ->
                        database.map(placement -> Set.of(placement.primary())).orElseGet(Set::of));
    }

    /** Whether clients see a sharded collection: one that is only tracked to be elsewhere is none. */
    public boolean isSharded() {
        return table.map(known -> known.head().splittable()).orElse(false);
    }

    /** The shard of everything that is not sharded. */
    public ShardId primary() {
        return database.orElseThrow(
                        () -> NAMESPACE_NOT_FOUND.because("database %s does not exist", namespace.database()))
                .primary();
    }

    /** Adds the versions a request to a shard carries. */
    public RawBuilder addVersions(RawBuilder command, ShardId shard) {
        command.put(
                "shardVersion",
                table.map(known -> known.versionOf(shard))
                        .orElse(PlacementVersion.UNTRACKED)
                        .toRaw());
        if (table.isEmpty()) {
            database.ifPresent(placement -> command.put("databaseVersion", placement.version()));
        }
        return command;
    }
}
