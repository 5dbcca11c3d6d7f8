package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.catalog.DatabaseRow;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code movePrimary}: moves a database's untracked collections to another shard, while they are read and written, and
 * makes that shard the database's primary.
 *
 * <pre>{ movePrimary: db, to: shard }  →  { }</pre>
 *
 * Each collection is tracked for the time of its move, as one chunk of {@code {_id: 1}} that is never split, and moved by
 * the mover; then the database changes its primary and they are tracked no more, in one change of the catalog.
 * Interrupted, it leaves everything readable and writable; asked again, it goes on. Unique indexes cannot be made on such
 * a collection meanwhile.
 */
final class MovePrimaryCommand implements Command<MovePrimaryCommand.Request> {
    /** Rounds of looking for collections that were made while others moved. */
    private static final int ROUNDS_MAX = 10;

    record Request(String database, ShardId to) {}

    private final ConfigServices services;
    private final ChunkMoves moves;

    MovePrimaryCommand(ConfigServices services, ChunkMoves moves) {
        this.services = services;
        this.moves = moves;
    }

    @Override
    public String name() {
        return "movePrimary";
    }

    @Override
    public List<String> aliases() {
        return List.of("moveprimary");
    }

    @Override
    public Needs needs() {
        return Needs.internal(Needs.Kind.WRITE);
    }

    @Override
    public Request parse(Fields fields) {
        return new Request(fields.ownString(), new ShardId(fields.requiredString("to")));
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        if (List.of("admin", "config", "local").contains(request.database)) {
            throw ILLEGAL_OPERATION.because("The primary of database '%s' cannot be moved", request.database);
        }
        DatabaseRow row = services.catalog()
                .database(request.database)
                .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("Database '%s' does not exist", request.database));
        ShardId to = services.catalog().shard(request.to).id();
        for (int round = 0; round < ROUNDS_MAX; round++) {
            List<Namespace> moved = moveAll(request.database, row.primary(), to, operation);
            Set<Namespace> views = copyViews(request.database, row.primary(), to, operation);
            // The old primary must not take the version it knows for the present one any more.
            BsonDocument unused = services.shards()
                    .call(
                            row.primary(),
                            new BsonDocument("_shardsvrLeaveDatabase", new BsonString(request.database)),
                            operation.deadline());
            DatabaseRow now = services.changes().movePrimary(request.database, to, moved);
            settle(row.primary(), to, moved, operation);
            if (!row.primary().equals(to)) {
                dropEmptied(row.primary(), views, operation);
            }
            boolean more = !untracked(request.database, row.primary(), operation)
                            .isEmpty()
                    || !views(request.database, row.primary(), operation).isEmpty();
            if (row.primary().equals(to) || !more) {
                return RawDocument.of(
                        new BsonDocument("primary", new BsonString(now.primary().name())));
            }
        }
        throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                "Collections of '%s' are made faster than they are moved; ask again", request.database);
    }

    /** The untracked collections of a database on a shard. */
    private List<Namespace> untracked(String database, ShardId shard, Operation operation) {
        BsonDocument reply = services.shards()
                .call(shard, new BsonDocument("_shardsvrUntracked", new BsonString(database)), operation.deadline());
        List<Namespace> names = new ArrayList<>();
        for (BsonValue name : reply.getArray("collections")) {
            names.add(Namespace.parse(name.asString().getValue()));
        }
        return names;
    }

    private List<BsonDocument> views(String database, ShardId shard, Operation operation) {
        BsonDocument reply = services.shards()
                .call(shard, new BsonDocument("_shardsvrUntracked", new BsonString(database)), operation.deadline());
        return reply.getArray("views").stream().map(BsonValue::asDocument).toList();
    }

    /** Views have no documents: they are made anew, and dropped where they were when the database has moved. */
    private Set<Namespace> copyViews(String database, ShardId from, ShardId to, Operation operation) {
        Set<Namespace> copied = new TreeSet<>();
        if (!from.equals(to)) {
            for (BsonDocument view : views(database, from, operation)) {
                BsonDocument unused = services.shards()
                        .call(
                                to,
                                new BsonDocument("_shardsvrCreateCollection", view.get("ns"))
                                        .append("uuid", view.get("uuid"))
                                        .append("options", view.get("options"))
                                        .append("indexes", new BsonArray()),
                                operation.deadline());
                copied.add(Namespace.parse(view.getString("ns").getValue()));
            }
        }
        return copied;
    }

    private List<Namespace> moveAll(String database, ShardId from, ShardId to, Operation operation) {
        if (!from.equals(to)) {
            for (Namespace namespace : untracked(database, from, operation)) {
                MoveCollectionCommands.track(services, namespace, from, operation);
            }
        }
        List<Namespace> moved = new ArrayList<>();
        for (CollectionRow collection : services.catalog().collections(Optional.of(database))) {
            if (collection.isUnsplittable()) {
                moves.moveWhenFree(
                        collection.namespace(),
                        MoveCollectionCommands.ID.lowestBound(),
                        MoveCollectionCommands.ID.highestBound(),
                        to,
                        true,
                        operation);
                moved.add(collection.namespace());
            }
        }
        return moved;
    }

    /** Both shards learn that the collections are tracked no more, and the old primary drops what it has of them. */
    private void settle(ShardId from, ShardId to, List<Namespace> moved, Operation operation) {
        for (Namespace namespace : moved) {
            BsonDocument unusedRefreshed = services.shards()
                    .call(
                            to,
                            new BsonDocument("_shardsvrRefreshPlacement", new BsonString(namespace.toString()))
                                    .append("release", BsonBoolean.TRUE),
                            operation.deadline());
        }
        if (!from.equals(to)) {
            dropEmptied(from, moved, operation);
        }
    }

    private void dropEmptied(ShardId shard, Collection<Namespace> namespaces, Operation operation) {
        for (Namespace namespace : namespaces) {
            BsonDocument unused = services.shards()
                    .call(
                            shard,
                            new BsonDocument("_shardsvrDropEmptied", new BsonString(namespace.toString())),
                            operation.deadline());
        }
    }
}
