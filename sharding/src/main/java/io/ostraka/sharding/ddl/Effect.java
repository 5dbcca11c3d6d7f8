package io.ostraka.sharding.ddl;

import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.sharding.catalog.ChunkRow;
import io.ostraka.sharding.catalog.CollectionRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.BsonDocument;

/** What a coordinator wants done. Doing it twice is the same as doing it once. */
public sealed interface Effect {
    /** The name under which the outcome is reported. */
    String step();

    /** Commands to shards, at the same time; goes on when all have done them. */
    record Call(String step, Map<ShardId, BsonDocument> commands) implements Effect {
        /** The same command to each of several shards. */
        static Call toAll(String step, List<ShardId> shards, BsonDocument command) {
            Map<ShardId, BsonDocument> commands = new HashMap<>();
            shards.forEach(shard -> commands.put(shard, command));
            return new Call(step, commands);
        }
    }

    /** Lets no plan of the mover for this collection stay undecided, and waits until decided ones are finished. */
    record SettleMoves(String step, Namespace namespace) implements Effect {}

    /** The collection is tracked from now on, in a database with this primary, which may have been dropped since. */
    record Track(String step, ShardId primary, CollectionRow row, List<ChunkRow> chunks, BsonDocument details)
            implements Effect {}

    /** The collection is tracked no more. */
    record Forget(String step, Namespace namespace, UUID uuid) implements Effect {}

    /** No collection of the database is tracked any more, and none is moving. */
    record ForgetCollections(String step, String database) implements Effect {}

    /** The collection is tracked under another name. */
    record Rename(String step, Namespace from, Namespace to, UUID uuid) implements Effect {}

    /** The database exists no more. */
    record ForgetDatabase(String step, String database) implements Effect {}
}
