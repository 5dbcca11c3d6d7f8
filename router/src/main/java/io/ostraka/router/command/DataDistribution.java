package io.ostraka.router.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.ShardCursor;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * {@code $shardedDataDistribution}: for each sharded collection, what each shard holds of it, what it owns and what it
 * has yet to clean away.
 */
final class DataDistribution {
    private final ClusterServices services;
    private final OutsideDocuments stats;

    DataDistribution(ClusterServices services, OutsideDocuments stats) {
        this.services = services;
        this.stats = stats;
    }

    List<RawDocument> rows(Operation operation) {
        List<RawDocument> rows = new ArrayList<>();
        for (Namespace namespace : sharded(operation)) {
            try {
                row(namespace, operation).ifPresent(rows::add);
            } catch (CommandException gone) {
                if (gone.code() != ErrorCode.NAMESPACE_NOT_FOUND) {
                    throw gone; // one dropped in between is no row
                }
            }
        }
        return rows;
    }

    private List<Namespace> sharded(Operation operation) {
        RawDocument find = new RawBuilder()
                .put("find", "collections")
                .put("filter", RawDocument.of(BsonDocument.parse("{unsplittable: {$ne: true}}")))
                .put("projection", RawDocument.of(new BsonDocument("_id", new BsonInt32(1))))
                .put("sort", RawDocument.of(new BsonDocument("_id", new BsonInt32(1))))
                .build();
        ShardCursor cursor = new ShardCursor(
                ShardId.CONFIG, services.config().set(), services.config().run("config", find, true, operation));
        List<Namespace> all = new ArrayList<>();
        cursor.forEach(operation, row -> all.add(Namespace.parse(row.find("_id").string())));
        return all;
    }

    private java.util.Optional<RawDocument> row(Namespace namespace, Operation operation) {
        BsonDocument spec = new BsonDocument("storageStats", new BsonDocument());
        BsonArray shards = new BsonArray();
        for (RawDocument raw : stats.ofCollection("$collStats", spec, namespace, operation)) {
            BsonDocument row = raw.toBson();
            BsonDocument storage = row.getDocument("storageStats", new BsonDocument());
            long count = number(storage, "count");
            long orphans = number(storage, "numOrphanDocs");
            long orphanBytes = orphans * number(storage, "avgObjSize");
            shards.add(new BsonDocument("shardName", row.get("shard", new BsonString("")))
                    .append("numOrphanedDocs", new BsonInt64(orphans))
                    .append("numOwnedDocuments", new BsonInt64(count))
                    .append("ownedSizeBytes", new BsonInt64(Math.max(0, number(storage, "size") - orphanBytes)))
                    .append("orphanedSizeBytes", new BsonInt64(orphanBytes)));
        }
        return shards.isEmpty()
                ? java.util.Optional.empty()
                : java.util.Optional.of(RawDocument.of(
                        new BsonDocument("ns", new BsonString(namespace.toString())).append("shards", shards)));
    }

    private static long number(BsonDocument document, String name) {
        return document.isNumber(name) ? document.getNumber(name).longValue() : 0;
    }
}
