package io.ostraka.sharding.remote;

import io.ostraka.core.placement.ShardId;
import io.ostraka.wire.command.Deadline;
import org.bson.BsonDocument;

/** The shards' primaries, for commands from the config servers and from other shards. */
public interface Shards {
    /**
     * Runs a command on a shard's primary and waits for its reply.
     *
     * @param command its first field is the command's name; {@code $db} is added if absent ({@code admin})
     * @return the reply, {@code ok: 1}
     * @throws io.ostraka.core.error.CommandException what the shard replied, or 6, 7, 89, 91 if it cannot be reached in time
     */
    BsonDocument call(ShardId shard, BsonDocument command, Deadline deadline);
}
