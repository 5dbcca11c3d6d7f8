package io.ostraka.router.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.MergedCursor;
import io.ostraka.router.gather.OpenOnShards;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.routing.DatabasePlacement;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.request.ListCollectionsRequest;
import io.ostraka.wire.request.ListDatabasesRequest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code listDatabases}, which adds up what all shards and the config servers hold, and {@code listCollections}, which
 * the database's primary shard answers.
 */
final class ListCommands {
    private static final Set<String> OF_THE_CONFIG_SERVERS = Set.of("admin", "config");

    private final ClusterServices services;
    private final ConfigPassage config;
    private final OpenOnShards opener;

    ListCommands(ClusterServices services) {
        this.services = services;
        this.config = new ConfigPassage(services);
        this.opener = new OpenOnShards(services.gather(), services.shards(), services.threads(), services.clock());
    }

    List<Command<?>> all() {
        return List.of(
                new CollectionCommands.Of<>(
                        "listCollections",
                        Needs.database("listCollections", Needs.Kind.READ),
                        ListCollectionsRequest::parse,
                        this::collections),
                new CollectionCommands.Of<>(
                        "listDatabases",
                        Needs.admin("listDatabases", Needs.Kind.READ),
                        ListDatabasesRequest::parse,
                        this::databases));
    }

    private RawDocument collections(ListCollectionsRequest request, Operation operation) {
        BatchReply batch =
                BatchReply.first(request.namespace(), request.batchSize().orElse(Integer.MAX_VALUE));
        if (ConfigPassage.concerns(request.database())) {
            return config.open(operation, request.namespace(), batch.maxDocuments(), false);
        }
        Optional<DatabasePlacement> database = services.cache().database(request.database(), operation);
        if (database.isEmpty()) {
            return batch.finish(0);
        }
        RawBuilder command =
                Forward.of(operation).put("databaseVersion", database.get().version());
        RawDocument whole = command.build();
        OpenOnShards.Opened opened =
                opener.open(request.database(), Set.of(database.get().primary()), _ -> whole, false, operation);
        return services.cursors()
                .open(
                        new MergedCursor(
                                opened.cursors(), MergedCursor.Shape.PLAIN, services.threads(), services.clock()),
                        request.namespace(),
                        batch,
                        false,
                        false,
                        operation);
    }

    /** What one database holds, as it is added up. */
    private static final class Sum {
        private long bytes;
        private boolean empty = true;
        private final BsonDocument shards = new BsonDocument();
    }

    private RawDocument databases(ListDatabasesRequest request, Operation operation) {
        List<ShardId> all = new ArrayList<>(services.shards().all(operation));
        all.add(ShardId.CONFIG);
        RawDocument command = new RawBuilder().put("listDatabases", 1).build();
        List<RawDocument> replies = services.gather()
                .replies(
                        "admin",
                        all.stream()
                                .map(shard -> ShardRequest.read(shard, command))
                                .toList(),
                        operation);
        Map<String, Sum> sums = new TreeMap<>();
        Iterator<ShardId> shards = all.iterator();
        for (RawDocument reply : replies) {
            ShardId shard = shards.next();
            for (BsonValue row : reply.toBson().getArray("databases")) {
                add(sums, shard, row.asDocument());
            }
        }
        return reply(sums, request, operation);
    }

    private static void add(Map<String, Sum> sums, ShardId shard, BsonDocument row) {
        String name = row.getString("name").getValue();
        boolean counts = OF_THE_CONFIG_SERVERS.contains(name) == shard.equals(ShardId.CONFIG);
        if (!counts || name.equals("local")) {
            return;
        }
        Sum sum = sums.computeIfAbsent(name, _ -> new Sum());
        long bytes = row.isNumber("sizeOnDisk") ? row.getNumber("sizeOnDisk").longValue() : 0;
        sum.bytes += bytes;
        sum.empty &= row.getBoolean("empty", BsonBoolean.FALSE).getValue();
        sum.shards.append(shard.name(), new BsonInt64(bytes));
    }

    private RawDocument reply(Map<String, Sum> sums, ListDatabasesRequest request, Operation operation) {
        DocumentTest wanted = FilterCompiler.compile(FilterParser.parse(request.filter()), services.context(operation));
        BsonArray rows = new BsonArray();
        long total = 0;
        for (Map.Entry<String, Sum> entry : sums.entrySet()) {
            Sum sum = entry.getValue();
            BsonDocument row = new BsonDocument("name", new BsonString(entry.getKey()));
            if (!request.nameOnly()) {
                row.append("sizeOnDisk", new BsonInt64(sum.bytes))
                        .append("empty", BsonBoolean.valueOf(sum.empty))
                        .append("shards", sum.shards);
            }
            if (wanted.test(RawDocument.of(row))) {
                rows.add(row);
                total += sum.bytes;
            }
        }
        BsonDocument reply = new BsonDocument("databases", rows);
        if (!request.nameOnly()) {
            reply.append("totalSize", new BsonInt64(total)).append("totalSizeMb", new BsonInt64(total >> 20));
        }
        return RawDocument.of(reply);
    }
}
