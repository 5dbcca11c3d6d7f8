package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code collStats}, {@code dbStats}, {@code dataSize} and {@code validate}: what the shards say of their parts, and the
 * sum of it.
 */
final class StatsCommands {
    private static final Set<String> SUMMED_OF_COLLECTIONS =
            Set.of("count", "size", "storageSize", "freeStorageSize", "totalIndexSize", "totalSize", "numOrphanDocs");
    private static final Set<String> SUMMED_OF_DATABASES = Set.of(
            "objects",
            "dataSize",
            "storageSize",
            "freeStorageSize",
            "indexSize",
            "indexFreeStorageSize",
            "totalSize",
            "totalFreeStorageSize",
            "fsUsedSize",
            "fsTotalSize");

    private final ClusterServices services;
    private final ConfigPassage config;

    StatsCommands(ClusterServices services) {
        this.services = services;
        this.config = new ConfigPassage(services);
    }

    List<Command<?>> all() {
        return List.of(
                new CollectionCommands.Of<>(
                        "collStats", Needs.read("collStats"), StatsCommands::named, this::ofCollection),
                new CollectionCommands.Of<>(
                        "dataSize",
                        Needs.database("find", Needs.Kind.READ),
                        fields -> Namespace.parse(fields.ignoreUnknown().ownString()),
                        this::dataSize),
                new CollectionCommands.Of<>(
                        "dbStats",
                        Needs.database("dbStats", Needs.Kind.READ),
                        fields -> fields.ignoreUnknown().database(),
                        this::ofDatabase),
                new CollectionCommands.Of<>("validate", Needs.read("validate"), StatsCommands::named, this::validate));
    }

    private static Namespace named(Fields fields) {
        fields.ignoreUnknown();
        return new Namespace(fields.database(), fields.collection());
    }

    /** Asks every shard that has some of a collection. */
    private Map<ShardId, BsonDocument> ask(Namespace namespace, Routing routing, Operation operation) {
        if (routing.isNowhere()) {
            throw NAMESPACE_NOT_FOUND.because("Collection [%s] not found.", namespace);
        }
        List<ShardRequest> requests = routing.shards().stream()
                .map(shard -> ShardRequest.read(
                        shard, routing.addVersions(Forward.of(operation), shard).build()))
                .toList();
        return byShard(routing.shards(), services.gather().replies(operation.database(), requests, operation));
    }

    private static Map<ShardId, BsonDocument> byShard(Iterable<ShardId> shards, List<RawDocument> replies) {
        Map<ShardId, BsonDocument> all = new LinkedHashMap<>();
        Iterator<ShardId> names = shards.iterator();
        for (RawDocument reply : replies) {
            all.put(names.next(), Forward.reply(reply).toBson());
        }
        return all;
    }

    private static void sum(BsonDocument into, BsonDocument reply, Set<String> fields) {
        reply.forEach((name, value) -> {
            if (fields.contains(name) && value.isNumber()) {
                into.put(name, plus(into.get(name), value));
            }
        });
    }

    private static BsonValue plus(BsonValue sum, BsonValue more) {
        BsonNumber number = more.asNumber();
        if (sum == null) {
            return more;
        }
        if (sum.isDouble() || more.isDouble()) {
            return new BsonDouble(sum.asNumber().doubleValue() + number.doubleValue());
        }
        return new BsonInt64(sum.asNumber().longValue() + number.longValue());
    }

    private RawDocument ofCollection(Namespace namespace, Operation operation) {
        if (ConfigPassage.concerns(namespace.database())) {
            return config.run(operation, true);
        }
        return services.retry().run(namespace, operation, routing -> {
            Map<ShardId, BsonDocument> replies = ask(namespace, routing, operation);
            BsonDocument reply = new BsonDocument("sharded", BsonBoolean.valueOf(routing.isSharded()));
            BsonDocument indexes = new BsonDocument();
            BsonDocument shards = new BsonDocument();
            replies.forEach((shard, stats) -> {
                sum(reply, stats, SUMMED_OF_COLLECTIONS);
                sum(
                        indexes,
                        stats.getDocument("indexSizes", new BsonDocument()),
                        stats.getDocument("indexSizes", new BsonDocument()).keySet());
                shards.append(shard.name(), stats);
            });
            BsonDocument first = replies.values().iterator().next();
            reply.append("ns", new BsonString(namespace.toString())).append("indexSizes", indexes);
            for (String name : List.of("capped", "nindexes", "scaleFactor", "maxSize")) {
                if (first.containsKey(name)) {
                    reply.append(name, first.get(name));
                }
            }
            long count = number(reply, "count");
            reply.append("avgObjSize", new BsonInt64(count == 0 ? 0 : number(reply, "size") / count));
            reply.append(
                    "nchunks",
                    new BsonInt32(routing.table().map(table -> table.size()).orElse(1)));
            if (routing.table().isEmpty()) {
                reply.append("primary", new BsonString(routing.primary().name()));
            }
            return RawDocument.of(reply.append("shards", shards));
        });
    }

    private static long number(BsonDocument document, String name) {
        return document.isNumber(name) ? document.getNumber(name).longValue() : 0;
    }

    private RawDocument ofDatabase(String database, Operation operation) {
        if (ConfigPassage.concerns(database)) {
            return config.run(operation, true);
        }
        List<ShardId> all = services.shards().all(operation);
        RawDocument command = Forward.of(operation).build();
        Map<ShardId, BsonDocument> replies = byShard(
                all,
                services.gather()
                        .replies(
                                database,
                                all.stream()
                                        .map(shard -> ShardRequest.read(shard, command))
                                        .toList(),
                                operation));
        BsonDocument raw = new BsonDocument();
        BsonDocument reply = new BsonDocument("raw", raw).append("db", new BsonString(database));
        for (String name : List.of("collections", "views", "indexes")) {
            // A sharded collection is one, on however many shards it is.
            long most = replies.values().stream()
                    .mapToLong(stats -> number(stats, name))
                    .max()
                    .orElse(0);
            reply.append(name, new BsonInt64(most));
        }
        replies.forEach((shard, stats) -> {
            raw.append(services.shards().get(shard, operation).connectionString(), stats);
            sum(reply, stats, SUMMED_OF_DATABASES);
            reply.putIfAbsent("scaleFactor", stats.get("scaleFactor", new BsonInt32(1)));
        });
        long objects = number(reply, "objects");
        double average = objects == 0 ? 0 : reply.getNumber("dataSize").doubleValue() / objects;
        return RawDocument.of(reply.append("avgObjSize", new BsonDouble(average)));
    }

    private RawDocument dataSize(Namespace namespace, Operation operation) {
        if (ConfigPassage.concerns(namespace.database())) {
            return config.run(operation, true);
        }
        return services.retry().run(namespace, operation, routing -> {
            BsonDocument reply = new BsonDocument();
            ask(namespace, routing, operation)
                    .values()
                    .forEach(part -> sum(reply, part, Set.of("size", "numObjects", "millis")));
            return RawDocument.of(reply);
        });
    }

    private RawDocument validate(Namespace namespace, Operation operation) {
        if (ConfigPassage.concerns(namespace.database())) {
            return config.run(operation, true);
        }
        return services.retry().run(namespace, operation, routing -> {
            boolean valid = true;
            RawBuilder raw = new RawBuilder().openDocument("raw");
            for (Map.Entry<ShardId, BsonDocument> entry :
                    ask(namespace, routing, operation).entrySet()) {
                raw.put(
                        services.shards().get(entry.getKey(), operation).connectionString(),
                        RawDocument.of(entry.getValue()));
                valid &= entry.getValue().getBoolean("valid", BsonBoolean.FALSE).getValue();
            }
            return raw.close().put("valid", valid).build();
        });
    }
}
