package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.COMMAND_FAILED;
import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_EXISTS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.catalog.DatabaseRow;
import io.ostraka.sharding.catalog.ShardRow;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.sharding.ddl.DropCollection;
import io.ostraka.sharding.ddl.DropDatabase;
import io.ostraka.sharding.ddl.RenameCollection;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Changes of tracked collections and of databases, as routers ask for them, and switches of a collection.
 *
 * <pre>
 * { _configsvrDropCollection: "db.coll" }                            →  { dropped: bool }   (false: not tracked)
 * { _configsvrDropDatabase: "db" }                                   →  { dropped: "db" }
 * { _configsvrRenameCollection: "db.a", to: "db.b", dropTarget: b }  →  { renamed: bool }   (false: not tracked)
 * { setAllowMigrations: "db.coll", allowMigrations: bool }           →  { }
 * </pre>
 */
final class CollectionCommands {
    private final ConfigServices services;

    CollectionCommands(ConfigServices services) {
        this.services = services;
    }

    private record RenameRequest(Namespace from, Namespace to, boolean dropTarget) {}

    private record SwitchRequest(Namespace namespace, boolean allowed) {}

    List<Command<?>> all() {
        return List.of(
                InternalCommand.of(
                        "_configsvrDropCollection",
                        Needs.Kind.WRITE,
                        fields -> Namespace.parse(fields.ownString()),
                        (namespace, operation) ->
                                new BsonDocument("dropped", BsonBoolean.valueOf(drop(namespace, operation)))),
                InternalCommand.of("_configsvrDropDatabase", Needs.Kind.WRITE, Fields::ownString, this::dropDatabase),
                InternalCommand.of(
                        "_configsvrRenameCollection",
                        Needs.Kind.WRITE,
                        fields -> new RenameRequest(
                                Namespace.parse(fields.ownString()),
                                Namespace.parse(fields.requiredString("to")),
                                fields.bool("dropTarget", false)),
                        this::rename),
                InternalCommand.of(
                        "setAllowMigrations",
                        Needs.Kind.WRITE,
                        fields -> new SwitchRequest(
                                Namespace.parse(fields.ownString()), fields.bool("allowMigrations", true)),
                        this::allowMigrations));
    }

    private List<ShardId> shards() {
        return services.catalog().shards().stream().map(ShardRow::id).toList();
    }

    private boolean drop(Namespace namespace, Operation operation) {
        Optional<CollectionRow> row = services.catalog().collection(namespace);
        if (row.isEmpty()) {
            return false;
        }
        services.driver().run(new DropCollection(namespace, row.get().uuid(), shards()), operation.deadline());
        return true;
    }

    private BsonDocument dropDatabase(String database, Operation operation) {
        for (CollectionRow row : services.catalog().collections(Optional.of(database))) {
            drop(row.namespace(), operation);
        }
        if (services.catalog().database(database).isEmpty()) {
            return new BsonDocument();
        }
        return services.driver().run(new DropDatabase(database, shards()), operation.deadline());
    }

    private BsonDocument rename(RenameRequest request, Operation operation) {
        Optional<CollectionRow> from = services.catalog().collection(request.from);
        Optional<CollectionRow> to = services.catalog().collection(request.to);
        if (from.isEmpty() && to.isEmpty()) {
            return new BsonDocument("renamed", BsonBoolean.FALSE);
        }
        if (request.from.equals(request.to)) {
            throw ILLEGAL_OPERATION.because("Can't rename a collection to itself");
        }
        if (from.isEmpty() && !existsOnPrimary(request.from, operation)) {
            throw NAMESPACE_NOT_FOUND.because("Source collection %s does not exist", request.from);
        }
        if (!request.dropTarget && (to.isPresent() || existsOnPrimary(request.to, operation))) {
            throw NAMESPACE_EXISTS.because("target namespace exists: %s", request.to);
        }
        if (from.isEmpty()) {
            boolean ignored = drop(request.to, operation);
            return new BsonDocument("renamed", BsonBoolean.FALSE);
        }
        if (!request.from.database().equals(request.to.database())) {
            throw COMMAND_FAILED.because("A sharded collection can only be renamed within its database");
        }
        if (to.isPresent()) {
            boolean ignored = drop(request.to, operation);
        }
        Optional<RenameCollection.Reservation> reservation = request.dropTarget
                ? Optional.empty()
                : Optional.of(new RenameCollection.Reservation(
                        services.catalog()
                                .database(request.to.database())
                                .orElseThrow(() -> NAMESPACE_NOT_FOUND.because(
                                        "Source collection %s does not exist", request.from))
                                .primary(),
                        services.ids().uuid(),
                        from.get().key().pattern()));
        services.driver()
                .run(
                        new RenameCollection(
                                request.from, request.to, from.get().uuid(), shards(), reservation),
                        operation.deadline());
        return new BsonDocument("renamed", BsonBoolean.TRUE);
    }

    /** Whether a collection that is not tracked exists: such a one is on its database's primary. */
    private boolean existsOnPrimary(Namespace namespace, Operation operation) {
        Optional<DatabaseRow> database = services.catalog().database(namespace.database());
        if (database.isEmpty()) {
            return false;
        }
        BsonDocument list = new BsonDocument("listCollections", new BsonInt32(1))
                .append("filter", new BsonDocument("name", new BsonString(namespace.collection())))
                .append("$db", new BsonString(namespace.database()));
        BsonDocument reply = services.shards().call(database.get().primary(), list, operation.deadline());
        return !reply.getDocument("cursor").getArray("firstBatch").isEmpty();
    }

    private BsonDocument allowMigrations(SwitchRequest request, Operation operation) {
        BsonDocument row = services.catalog()
                .collection(request.namespace)
                .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("Collection '%s' is not sharded", request.namespace))
                .document()
                .clone();
        row.put("allowMigrations", BsonBoolean.valueOf(request.allowed));
        services.store().commit(List.of(new CatalogStore.Change.Put(ClusterCatalog.COLLECTIONS, row)));
        return new BsonDocument();
    }
}
