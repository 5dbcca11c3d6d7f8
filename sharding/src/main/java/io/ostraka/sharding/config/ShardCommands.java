package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.placement.ShardId;
import io.ostraka.sharding.catalog.DatabaseRow;
import io.ostraka.sharding.catalog.ShardRow;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Shards and databases, as users know them.
 *
 * <pre>
 * { listShards: 1 }                               →  { shards: [row of config.shards ...] }
 * { getShardMap: 1 }                              →  { map: {shard: connection string}, hosts, connStrings }
 * { enableSharding: "db", primaryShard: shard? }  →  { }
 * </pre>
 */
final class ShardCommands {
    private final ConfigServices services;
    private final Supplier<String> configConnectionString;

    ShardCommands(ConfigServices services, Supplier<String> configConnectionString) {
        this.services = services;
        this.configConnectionString = configConnectionString;
    }

    private record EnableRequest(String database, Optional<ShardId> primary) {}

    List<Command<?>> all() {
        return List.of(
                InternalCommand.of("listShards", Needs.Kind.READ, ShardCommands::one, this::list),
                InternalCommand.of("getShardMap", Needs.Kind.READ, _ -> 1, this::map),
                InternalCommand.spelled(
                        "enableSharding",
                        Needs.Kind.WRITE,
                        fields -> new EnableRequest(
                                fields.ownString(),
                                fields.string("primaryShard").map(ShardId::new)),
                        this::enable));
    }

    private static int one(Fields fields) {
        fields.value("filter");
        return 1;
    }

    private BsonDocument list(int one, Operation operation) {
        BsonArray rows = new BsonArray();
        services.catalog().shards().stream().map(ShardRow::document).forEach(rows::add);
        return new BsonDocument("shards", rows);
    }

    private BsonDocument map(int one, Operation operation) {
        BsonDocument map = new BsonDocument();
        BsonDocument hosts = new BsonDocument();
        BsonDocument strings = new BsonDocument();
        for (ShardRow row : services.catalog().shards()) {
            BsonString id = new BsonString(row.id().name());
            map.put(row.id().name(), new BsonString(row.connectionString()));
            row.hosts().forEach(host -> hosts.put(host, id));
            strings.put(row.connectionString(), id);
        }
        BsonString config = new BsonString(ShardId.CONFIG.name());
        map.put(ShardId.CONFIG.name(), new BsonString(configConnectionString.get()));
        strings.put(configConnectionString.get(), config);
        return new BsonDocument("map", map).append("hosts", hosts).append("connStrings", strings);
    }

    private BsonDocument enable(EnableRequest request, Operation operation) {
        switch (request.database) {
            case "config" -> {
                // The config database is there and sharded by nature: MongoDB answers ok and does nothing.
            }
            case "admin", "local" -> throw INVALID_OPTIONS.because("Database '%s' cannot be sharded", request.database);
            default -> {
                DatabaseRow ignored = services.catalog().createDatabase(request.database, request.primary);
            }
        }
        return new BsonDocument();
    }
}
