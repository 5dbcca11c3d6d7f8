package io.ostraka.sharding.config;

import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.Changelog;
import io.ostraka.sharding.catalog.ChunkSplits;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.CollectionChanges;
import io.ostraka.sharding.catalog.MovePlans;
import io.ostraka.sharding.ddl.CoordinatorDriver;
import io.ostraka.sharding.remote.Shards;
import io.ostraka.wire.command.Deadline;
import org.bson.BsonDocument;

/**
 * The parts of a config server that its commands work with.
 *
 * @param direct runs a command on a server that is no shard yet: address, command, deadline, for {@code addShard}
 */
public record ConfigServices(
        CatalogStore store,
        ClusterCatalog catalog,
        CollectionChanges changes,
        ChunkSplits splits,
        MovePlans plans,
        Changelog changelog,
        ClusterSettings settings,
        CoordinatorDriver driver,
        MoveRunner moves,
        Shards shards,
        Direct direct,
        Clock clock,
        Ids ids) {

    /** Speaks to a process by its address. */
    public interface Direct {
        /** @throws io.ostraka.core.error.CommandException what it replied, or 6 if it cannot be reached */
        BsonDocument call(String address, String database, BsonDocument command, Deadline deadline);
    }
}
