package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_SHARDED;

import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.sharding.balancer.ClusterState;
import io.ostraka.sharding.catalog.ChunkRow;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.catalog.DatabaseRow;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.sharding.ddl.ShardCollection;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Whole collections on the move.
 *
 * <pre>
 * { moveCollection: "db.coll", toShard: shard }     →  { }   for one that is not sharded
 * { unshardCollection: "db.coll", toShard: shard? } →  { }   without a shard, to the one that holds the least of it
 * </pre>
 *
 * Both leave a collection that clients see as not sharded, on one shard, tracked as one chunk of {@code {_id: 1}} that is
 * never split. They are read and written meanwhile. Interrupted and asked again, they go on.
 */
final class MoveCollectionCommands {
    static final ShardKey ID = ShardKey.parse(new BsonDocument("_id", new BsonInt32(1)));

    private final ConfigServices services;
    private final ChunkMoves moves;

    MoveCollectionCommands(ConfigServices services, ChunkMoves moves) {
        this.services = services;
        this.moves = moves;
    }

    private record Request(Namespace namespace, Optional<ShardId> to) {}

    List<Command<?>> all() {
        return List.of(
                InternalCommand.of(
                        "moveCollection",
                        Needs.Kind.WRITE,
                        fields -> new Request(
                                Namespace.parse(fields.ownString()),
                                Optional.of(new ShardId(fields.requiredString("toShard")))),
                        this::move),
                InternalCommand.of(
                        "unshardCollection",
                        Needs.Kind.WRITE,
                        fields -> new Request(
                                Namespace.parse(fields.ownString()),
                                fields.string("toShard").map(ShardId::new)),
                        this::unshard));
    }

    private static void check(Namespace namespace) {
        if (namespace.isSystem() || List.of("admin", "config", "local").contains(namespace.database())) {
            throw ILLEGAL_OPERATION.because("'%s' cannot be moved", namespace);
        }
    }

    private BsonDocument move(Request request, Operation operation) {
        check(request.namespace);
        ShardId to = services.catalog().shard(request.to.orElseThrow()).id();
        Optional<CollectionRow> row = services.catalog().collection(request.namespace);
        if (row.isPresent() && !row.get().isUnsplittable()) {
            throw NAMESPACE_NOT_FOUND.because(
                    "'%s' is sharded; its chunks are moved with moveChunk, or all of it with unshardCollection",
                    request.namespace);
        }
        if (row.isEmpty()) {
            DatabaseRow database = services.catalog()
                    .database(request.namespace.database())
                    .orElseThrow(
                            () -> NAMESPACE_NOT_FOUND.because("Collection '%s' does not exist", request.namespace));
            track(services, request.namespace, database.primary(), operation);
        }
        moves.moveWhenFree(request.namespace, ID.lowestBound(), ID.highestBound(), to, false, operation);
        return new BsonDocument();
    }

    /** Begins to track a collection that exists on a shard as one that is never split. */
    static void track(ConfigServices services, Namespace namespace, ShardId shard, Operation operation) {
        BsonDocument there = services.shards()
                .call(
                        shard,
                        new BsonDocument("_shardsvrUntracked", new BsonString(namespace.database())),
                        operation.deadline());
        if (!there.getArray("collections").contains(new BsonString(namespace.toString()))) {
            throw NAMESPACE_NOT_FOUND.because("Collection '%s' does not exist", namespace);
        }
        ShardCollection coordinator = new ShardCollection(new ShardCollection.Request(
                namespace,
                ID,
                false,
                false,
                false,
                true,
                List.of(shard),
                1,
                services.ids().objectId(),
                services.store().tick(),
                services.clock().wallMillis(),
                true));
        BsonDocument unused = services.driver().run(coordinator, operation.deadline());
    }

    private BsonDocument unshard(Request request, Operation operation) {
        check(request.namespace);
        CollectionRow row = services.catalog()
                .collection(request.namespace)
                .orElseThrow(() -> NAMESPACE_NOT_SHARDED.because("Collection '%s' is not sharded", request.namespace));
        if (row.isUnsplittable()) {
            throw NAMESPACE_NOT_SHARDED.because("Collection '%s' is not sharded", request.namespace);
        }
        ShardId to = request.to.map(id -> services.catalog().shard(id).id()).orElseGet(() -> least(request.namespace));
        services.changes().setAllowBalance(request.namespace, false);
        boolean changed = false;
        while (!changed) {
            gather(request.namespace, to, operation);
            changed = services.changes()
                    .makeWhole(
                            request.namespace,
                            row.uuid(),
                            new CollectionRow.Form(ID, false, true),
                            new Generation(
                                    services.ids().objectId(), services.store().tick()),
                            to);
        }
        BsonDocument unused = services.shards()
                .call(
                        to,
                        new BsonDocument("_shardsvrRefreshPlacement", new BsonString(request.namespace.toString())),
                        operation.deadline());
        return new BsonDocument();
    }

    private void gather(Namespace namespace, ShardId to, Operation operation) {
        for (ChunkRow chunk : services.catalog().chunks(namespace)) {
            if (!chunk.shard().equals(to)) {
                moves.moveWhenFree(namespace, chunk.min(), chunk.max(), to, false, operation);
            }
        }
    }

    private ShardId least(Namespace namespace) {
        ClusterState state = moves.gather();
        ClusterState.Collection collection = state.collections().stream()
                .filter(each -> each.table().namespace().equals(namespace))
                .findFirst()
                .orElseThrow();
        return state.shards().stream()
                .filter(shard -> !shard.draining())
                .map(ClusterState.Shard::id)
                .min(Comparator.comparingLong(id -> collection.bytes().getOrDefault(id, 0L)))
                .orElseThrow();
    }
}
