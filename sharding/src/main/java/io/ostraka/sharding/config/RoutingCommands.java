package io.ostraka.sharding.config;

import io.ostraka.core.placement.ChunkCodec;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.catalog.DatabaseRow;
import io.ostraka.sharding.catalog.ShardRow;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;

/**
 * What routers and shards ask to learn about placement.
 *
 * <pre>
 * { _configsvrGetRouting: "db.coll", since: {e, t, v}? }  →
 *     { database: {primary, version}?, tracked: false }
 *   | { database, tracked: true, uuid, key, unique, unsplittable, epoch, timestamp, full: bool, chunks: BinData(ChunkCodec),
 *       chunkBytes, autosplit, defaultCollation? }
 * { _configsvrGetDatabase: "db" }                 →  { database: {primary, version}? }
 * { _configsvrCreateDatabase: "db", primaryShard? } →  { database: {primary, version} }
 * { _configsvrGetShards: 1 }                      →  { shards: [row ...] }
 * { _configsvrRouterPing: "host:port", row }      →  { }
 * </pre>
 *
 * Without {@code full} the chunks are those changed since the version named, which the caller lays over what it has.
 */
final class RoutingCommands {
    private final ConfigServices services;

    RoutingCommands(ConfigServices services) {
        this.services = services;
    }

    private record RoutingRequest(Namespace namespace, Optional<PlacementVersion> since) {}

    private record CreateRequest(String database, Optional<ShardId> primary) {}

    private record PingRequest(String router, BsonDocument row) {}

    List<Command<?>> all() {
        return List.of(
                InternalCommand.of("_configsvrGetRouting", Needs.Kind.READ, RoutingCommands::routing, this::routing),
                InternalCommand.of("_configsvrGetDatabase", Needs.Kind.READ, Fields::ownString, this::database),
                InternalCommand.of(
                        "_configsvrCreateDatabase",
                        Needs.Kind.WRITE,
                        fields -> new CreateRequest(
                                fields.ownString(),
                                fields.string("primaryShard").map(ShardId::new)),
                        this::create),
                InternalCommand.of("_configsvrGetShards", Needs.Kind.READ, fields -> 1, this::shards),
                InternalCommand.of(
                        "_configsvrRouterPing",
                        Needs.Kind.WRITE,
                        fields -> new PingRequest(
                                fields.ownString(),
                                fields.requiredDocument("row").toBson()),
                        this::ping));
    }

    private static RoutingRequest routing(Fields fields) {
        return new RoutingRequest(
                Namespace.parse(fields.ownString()),
                fields.document("since").map(since -> PlacementVersion.of(since.toBson())));
    }

    private BsonDocument routing(RoutingRequest request, Operation operation) {
        BsonDocument reply = database(request.namespace.database(), operation);
        Optional<RoutingTable> table = services.catalog().table(request.namespace);
        reply.append("tracked", BsonBoolean.valueOf(table.isPresent()));
        if (table.isEmpty()) {
            return reply;
        }
        RoutingTable.Head head = table.get().head();
        boolean full =
                request.since.isEmpty() || !request.since.get().generation().equals(head.generation());
        byte[] chunks = ChunkCodec.encode(services.catalog().changedSince(table.get(), request.since));
        Optional<CollectionRow> row = services.catalog().collection(request.namespace);
        long chunkBytes = row.map(found -> services.settings().chunkBytes(found))
                .orElseGet(() -> services.settings().chunkBytes());
        boolean autosplit = services.settings().autosplit() && head.splittable();
        row.filter(found -> found.document().isDocument("defaultCollation"))
                .ifPresent(found ->
                        reply.append("defaultCollation", found.document().get("defaultCollation")));
        return reply.append("uuid", new BsonBinary(head.uuid()))
                .append("key", head.key().pattern())
                .append("unique", BsonBoolean.valueOf(head.unique()))
                .append("unsplittable", BsonBoolean.valueOf(!head.splittable()))
                .append("epoch", new BsonObjectId(head.generation().epoch()))
                .append("timestamp", head.generation().timestamp())
                .append("full", BsonBoolean.valueOf(full))
                .append("chunks", new BsonBinary(chunks))
                .append("chunkBytes", new BsonInt64(chunkBytes))
                .append("autosplit", BsonBoolean.valueOf(autosplit));
    }

    private BsonDocument database(String name, Operation operation) {
        BsonDocument reply = new BsonDocument();
        services.catalog().database(name).ifPresent(row -> reply.append("database", brief(row)));
        return reply;
    }

    private static BsonDocument brief(DatabaseRow row) {
        return new BsonDocument("primary", new BsonString(row.primary().name())).append("version", row.version());
    }

    private BsonDocument create(CreateRequest request, Operation operation) {
        DatabaseRow row = services.catalog().createDatabase(request.database, request.primary);
        return new BsonDocument("database", brief(row));
    }

    private BsonDocument shards(int one, Operation operation) {
        BsonArray rows = new BsonArray();
        services.catalog().shards().stream().map(ShardRow::document).forEach(rows::add);
        return new BsonDocument("shards", rows);
    }

    private BsonDocument ping(PingRequest request, Operation operation) {
        BsonDocument row = new BsonDocument("_id", new BsonString(request.router));
        row.putAll(request.row);
        row.put("ping", new BsonDateTime(services.clock().wallMillis()));
        services.store().commit(List.of(new CatalogStore.Change.Put("mongos", row)));
        return new BsonDocument();
    }
}
