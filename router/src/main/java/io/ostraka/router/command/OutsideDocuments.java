package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.DATA_DISTRIBUTION_NOT_ON_ADMIN;
import static io.ostraka.core.error.ErrorCode.DATA_DISTRIBUTION_SPEC_NOT_EMPTY;
import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;
import static io.ostraka.core.error.ErrorCode.UNRECOGNIZED_STAGE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.OpenOnShards;
import io.ostraka.router.gather.ShardCursor;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.common.CurrentOperations;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.session.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** The documents of pipelines that begin with a stage of their own: what shards, or this router, know of themselves. */
final class OutsideDocuments {
    private final ClusterServices services;
    private final CurrentOperations operations;
    private final Sessions sessions;
    private final OpenOnShards opener;
    private final DataDistribution distribution;

    OutsideDocuments(ClusterServices services, CurrentOperations operations, Sessions sessions) {
        this.services = services;
        this.operations = operations;
        this.sessions = sessions;
        this.opener = new OpenOnShards(services.gather(), services.shards(), services.threads(), services.clock());
        this.distribution = new DataDistribution(services, this);
    }

    DocumentStream rows(String stage, BsonValue source, AggregateRequest request, Operation operation) {
        return DocumentStream.of(
                switch (stage) {
                    case "$collStats", "$indexStats", "$planCacheStats" ->
                        ofCollection(stage, source, AggregateOnCluster.namespace(request), operation);
                    case "$currentOp" -> currentOperations(source, request, operation);
                    case "$listLocalSessions", "$listSessions" -> sessions.shown();
                    case "$shardedDataDistribution" -> distribution(source, request, operation);
                    default -> throw UNRECOGNIZED_STAGE.because("Unrecognized pipeline stage name: '%s'", stage);
                });
    }

    private List<RawDocument> distribution(BsonValue source, AggregateRequest request, Operation operation) {
        if (!source.isDocument() || !source.asDocument().isEmpty()) {
            throw DATA_DISTRIBUTION_SPEC_NOT_EMPTY.because(
                    "The $shardedDataDistribution stage specification must be an empty object");
        }
        if (!request.database().equals("admin") || request.collection().isPresent()) {
            throw DATA_DISTRIBUTION_NOT_ON_ADMIN.because(
                    "$shardedDataDistribution must be run against the 'admin' database with {aggregate: 1}");
        }
        return distribution.rows(operation);
    }

    /** A row for each shard that has the collection, with the shard's name. */
    List<RawDocument> ofCollection(String stage, BsonValue source, Namespace namespace, Operation operation) {
        BsonArray pipeline = new BsonArray(List.of(new BsonDocument(stage, source)));
        return services.retry().run(namespace, operation, routing -> {
            OpenOnShards.Opened opened = opener.open(
                    namespace.database(),
                    routing.shards(),
                    shard -> {
                        RawBuilder command = new RawBuilder()
                                .put("aggregate", namespace.collection())
                                .put("pipeline", (BsonValue) pipeline)
                                .openDocument("cursor")
                                .close();
                        return routing.addVersions(command, shard).build();
                    },
                    false,
                    operation);
            return read(opened.cursors(), (shard, row) -> withShard(row, shard), operation);
        });
    }

    private static RawDocument withShard(RawDocument row, ShardId shard) {
        RawBuilder named = new RawBuilder(row.size() + 64);
        RawCursor field = row.cursor();
        boolean placed = false;
        while (field.next()) {
            if (field.nameEquals("shard")) {
                continue;
            }
            named.element(field);
            if (!placed) {
                named.put("shard", shard.name()); // behind the first field, as clients are used to see it
                placed = true;
            }
        }
        return named.build();
    }

    /** Reads short cursors to their ends. */
    private static List<RawDocument> read(
            List<ShardCursor> cursors, BiFunction<ShardId, RawDocument, RawDocument> change, Operation operation) {
        List<RawDocument> rows = new ArrayList<>();
        for (ShardCursor cursor : cursors) {
            cursor.forEach(operation, row -> rows.add(change.apply(cursor.shard(), row)));
        }
        return rows;
    }

    private List<RawDocument> currentOperations(BsonValue source, AggregateRequest request, Operation operation) {
        if (!request.database().equals("admin") || request.collection().isPresent()) {
            throw INVALID_NAMESPACE.because("$currentOp must be run against the 'admin' database with {aggregate: 1}");
        }
        BsonDocument spec = source.isDocument() ? source.asDocument() : new BsonDocument();
        boolean local = spec.getBoolean("localOps", BsonBoolean.FALSE).getValue();
        boolean idle = spec.getBoolean("idleConnections", BsonBoolean.FALSE).getValue();
        return local ? operations.documents(idle) : ofShards(spec, operation);
    }

    /** What runs on all shards and on the config servers; the numbers of operations carry the shard's name. */
    List<RawDocument> ofShards(BsonDocument spec, Operation operation) {
        BsonArray pipeline = new BsonArray(List.of(new BsonDocument("$currentOp", spec)));
        RawDocument command = new RawBuilder()
                .put("aggregate", new BsonInt32(1))
                .put("pipeline", (BsonValue) pipeline)
                .openDocument("cursor")
                .close()
                .build();
        Set<ShardId> all = new TreeSet<>(services.shards().all(operation));
        all.add(ShardId.CONFIG);
        OpenOnShards.Opened opened = opener.open("admin", all, _ -> command, true, operation);
        return read(opened.cursors(), OutsideDocuments::withShardAndNumber, operation);
    }

    private static RawDocument withShardAndNumber(ShardId shard, RawDocument row) {
        RawBuilder named = new RawBuilder(row.size() + 64).put("shard", shard.name());
        RawCursor field = row.cursor();
        while (field.next()) {
            if (field.nameEquals("opid")) {
                named.put("opid", shard.name() + ":" + field.value().asNumber().longValue());
            } else {
                named.element(field);
            }
        }
        return named.build();
    }
}
