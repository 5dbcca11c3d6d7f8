package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_SHARDED;

import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.sharding.balancer.Zone;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.ChunkMerges;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * How one collection is balanced.
 *
 * <pre>
 * { configureCollectionBalancing: "db.coll", chunkSize: MiB?, enableAutoMerger: bool? }                →  { }
 * { mergeAllChunksOnShard: "db.coll", shard, maxNumberOfChunksToMerge: n? }                            →  { }
 * </pre>
 *
 * A chunk size of 0 means the cluster's again.
 */
final class TuningCommands {
    private final ConfigServices services;
    private final Zones zones;
    private final ChunkMerges merges;

    TuningCommands(ConfigServices services, Zones zones) {
        this.services = services;
        this.zones = zones;
        this.merges = new ChunkMerges(services.catalog(), services.splits());
    }

    private record BalancingRequest(Namespace namespace, Optional<Double> chunkSize, Optional<Boolean> autoMerger) {}

    private record MergeRequest(Namespace namespace, ShardId shard, long most) {}

    List<Command<?>> all() {
        return List.of(
                InternalCommand.of(
                        "configureCollectionBalancing", Needs.Kind.WRITE, TuningCommands::balancing, this::configure),
                InternalCommand.of("mergeAllChunksOnShard", Needs.Kind.WRITE, TuningCommands::merging, this::merge));
    }

    private static BalancingRequest balancing(Fields fields) {
        Optional<Double> size =
                fields.value("chunkSize").map(value -> value.asNumber().doubleValue());
        if (size.isPresent()
                && size.get() != 0
                && (size.get() < 1 || size.get() > ClusterSettings.MAX_CHUNK_MEGABYTES)) {
            throw INVALID_OPTIONS.because(
                    "chunkSize must be 0 or from 1 to %d MiB, not %s", ClusterSettings.MAX_CHUNK_MEGABYTES, size.get());
        }
        if (fields.bool("defragmentCollection", false)) {
            throw INVALID_OPTIONS.because(
                    "defragmentCollection does not exist in this version; mergeAllChunksOnShard merges what lies side by side");
        }
        return new BalancingRequest(
                Namespace.parse(fields.ownString()),
                size,
                fields.value("enableAutoMerger").map(value -> value.asBoolean().getValue()));
    }

    private static MergeRequest merging(Fields fields) {
        long most = fields.wholeNumber("maxNumberOfChunksToMerge", Integer.MAX_VALUE);
        fields.wholeNumber("maxTimeProcessingChunksMS");
        if (most < 2) {
            throw BAD_VALUE.because("maxNumberOfChunksToMerge must be at least 2, not %d", most);
        }
        return new MergeRequest(Namespace.parse(fields.ownString()), new ShardId(fields.requiredString("shard")), most);
    }

    private CollectionRow row(Namespace namespace) {
        return services.catalog()
                .collection(namespace)
                .orElseThrow(() -> NAMESPACE_NOT_SHARDED.because("Collection '%s' is not sharded", namespace));
    }

    private BsonDocument configure(BalancingRequest request, Operation operation) {
        BsonDocument row = row(request.namespace).document().clone();
        request.chunkSize.ifPresent(size -> {
            if (size == 0) {
                row.remove("maxChunkSizeBytes");
            } else {
                row.put("maxChunkSizeBytes", new BsonInt64((long) (size * ClusterSettings.MEGABYTE)));
            }
        });
        request.autoMerger.ifPresent(on -> row.put("enableAutoMerge", BsonBoolean.valueOf(on)));
        services.store().commit(List.of(new CatalogStore.Change.Put(ClusterCatalog.COLLECTIONS, row)));
        return new BsonDocument();
    }

    private BsonDocument merge(MergeRequest request, Operation operation) {
        CollectionRow row = row(request.namespace);
        ShardId shard = services.catalog().shard(request.shard).id();
        List<byte[]> edges = new ArrayList<>();
        for (Zone zone : zones.of(row)) {
            edges.add(zone.range().min());
            edges.add(zone.range().max());
        }
        int unused = merges.mergeAll(request.namespace, shard, request.most, edges);
        return new BsonDocument();
    }
}
