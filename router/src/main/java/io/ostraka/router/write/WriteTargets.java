package io.ostraka.router.write;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.filter.Filter;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.Modification;
import java.util.List;
import java.util.Optional;

/** What single writes share with batches of them. */
public final class WriteTargets {
    private WriteTargets() {}

    /**
     * Where the document belongs that an upsert would make.
     *
     * @throws io.ostraka.core.error.CommandException 61 where that cannot be told before the update has run
     */
    public static ShardId upsertOwner(RoutingTable table, Filter filter, Modification update) {
        return UpsertKey.owner(table, filter, update, Optional.empty());
    }

    /** Adds the numbers by which a shard recognises a write it has done. */
    public static void addSession(RawBuilder command, Operation operation) {
        ShardBatch.addSession(command, List.of(0), operation);
    }
}
