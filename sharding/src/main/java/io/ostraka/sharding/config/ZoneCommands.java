package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.RANGE_OVERLAP_CONFLICT;
import static io.ostraka.core.error.ErrorCode.SHARD_KEY_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.ZONE_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.ZONE_STILL_IN_USE;

import io.ostraka.core.bson.ValueOrder;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.catalog.ShardRow;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Zones: which shards belong to one, and which ranges of keys live there. What users call tags is the same.
 *
 * <pre>
 * { addShardToZone: shard, zone: name }                         →  { }
 * { removeShardFromZone: shard, zone: name }                    →  { }   163 for the last shard of a zone with ranges
 * { updateZoneKeyRange: "db.coll", min, max, zone: name | null } →  { }   null takes the range out
 * </pre>
 *
 * The collection of a range need not be sharded yet. Bounds may be prefixes of the key.
 */
final class ZoneCommands {
    private final ConfigServices services;
    private final Zones zones;
    private final Balancer balancer;

    ZoneCommands(ConfigServices services, Zones zones, Balancer balancer) {
        this.services = services;
        this.zones = zones;
        this.balancer = balancer;
    }

    private record ShardRequest(ShardId shard, String zone) {}

    private record RangeRequest(Namespace namespace, BsonDocument min, BsonDocument max, Optional<String> zone) {}

    List<Command<?>> all() {
        return List.of(
                InternalCommand.of("addShardToZone", Needs.Kind.WRITE, ZoneCommands::shardRequest, this::add),
                InternalCommand.of("removeShardFromZone", Needs.Kind.WRITE, ZoneCommands::shardRequest, this::remove),
                InternalCommand.of("updateZoneKeyRange", Needs.Kind.WRITE, ZoneCommands::rangeRequest, this::update));
    }

    private static ShardRequest shardRequest(Fields fields) {
        String zone = fields.requiredString("zone");
        if (zone.isEmpty()) {
            throw BAD_VALUE.because("A zone has a name that is not empty");
        }
        return new ShardRequest(new ShardId(fields.ownString()), zone);
    }

    private static RangeRequest rangeRequest(Fields fields) {
        return new RangeRequest(
                Namespace.parse(fields.ownString()),
                fields.requiredDocument("min").toBson(),
                fields.requiredDocument("max").toBson(),
                fields.string("zone"));
    }

    private BsonDocument add(ShardRequest request, Operation operation) {
        ShardRow shard = services.catalog().shard(request.shard);
        BsonArray tags = shard.document().getArray("tags", new BsonArray()).clone();
        BsonString zone = new BsonString(request.zone);
        if (!tags.contains(zone)) {
            tags.add(zone);
            put(shard, tags);
        }
        balancer.wake();
        return new BsonDocument();
    }

    private BsonDocument remove(ShardRequest request, Operation operation) {
        ShardRow shard = services.catalog().shard(request.shard);
        BsonArray tags = shard.document().getArray("tags", new BsonArray()).clone();
        BsonString zone = new BsonString(request.zone);
        if (!tags.contains(zone)) {
            return new BsonDocument();
        }
        boolean others = services.catalog().shards().stream()
                .anyMatch(
                        other -> !other.id().equals(shard.id()) && other.zones().contains(request.zone));
        if (!others && !zones.rowsOf(request.zone).isEmpty()) {
            throw ZONE_STILL_IN_USE.because(
                    "Shard '%s' is the last one of zone '%s', which has ranges; take them out first with sh.removeRangeFromZone",
                    shard.id(), request.zone);
        }
        tags.remove(zone);
        put(shard, tags);
        balancer.wake();
        return new BsonDocument();
    }

    private void put(ShardRow shard, BsonArray tags) {
        BsonDocument row = shard.document().clone();
        row.put("tags", tags);
        services.store().commit(List.of(new CatalogStore.Change.Put(ClusterCatalog.SHARDS, row)));
    }

    private BsonDocument update(RangeRequest request, Operation operation) {
        Optional<ShardKey> key =
                services.catalog().collection(request.namespace).map(CollectionRow::key);
        BsonDocument min = key.map(known -> complete(known, request.min)).orElse(request.min);
        BsonDocument max = key.map(known -> complete(known, request.max)).orElse(request.max);
        if (!new ArrayList<>(min.keySet()).equals(new ArrayList<>(max.keySet())) || min.isEmpty()) {
            throw BAD_VALUE.because("min %s and max %s must have the same fields", min.toJson(), max.toJson());
        }
        if (ValueOrder.ORDER.compare(min, max) >= 0) {
            throw FAILED_TO_PARSE.because("min %s must be below max %s", min.toJson(), max.toJson());
        }
        Optional<BsonDocument> same = zones.rows(request.namespace).stream()
                .filter(row -> row.getDocument("min").equals(min)
                        && row.getDocument("max").equals(max))
                .findFirst();
        if (request.zone.isEmpty()) {
            same.ifPresent(row ->
                    services.store().commit(List.of(new CatalogStore.Change.Delete(Zones.TAGS, row.get("_id")))));
            return new BsonDocument();
        }
        String zone = request.zone.get();
        if (services.catalog().shards().stream()
                .noneMatch(shard -> shard.zones().contains(zone))) {
            throw ZONE_NOT_FOUND.because(
                    "No shard belongs to zone '%s'; put one in it with sh.addShardToZone(shard, \"%s\")", zone, zone);
        }
        checkOverlap(request.namespace, key, min, max, same);
        BsonValue id = same.map(row -> row.get("_id"))
                .orElseGet(() -> new BsonObjectId(services.ids().objectId()));
        services.store()
                .commit(List.of(new CatalogStore.Change.Put(
                        Zones.TAGS,
                        new BsonDocument("_id", id)
                                .append("ns", new BsonString(request.namespace.toString()))
                                .append("min", min)
                                .append("max", max)
                                .append("tag", new BsonString(zone)))));
        balancer.wake();
        return new BsonDocument();
    }

    private static BsonDocument complete(ShardKey key, BsonDocument bound) {
        try {
            return key.completeBound(bound);
        } catch (CommandException e) {
            throw SHARD_KEY_NOT_FOUND.because("%s", e.getMessage());
        }
    }

    private void checkOverlap(
            Namespace namespace,
            Optional<ShardKey> key,
            BsonDocument min,
            BsonDocument max,
            Optional<BsonDocument> same) {
        for (BsonDocument row : zones.rows(namespace)) {
            if (same.isPresent() && same.get().get("_id").equals(row.get("_id"))) {
                continue;
            }
            boolean overlaps;
            if (key.isPresent()) {
                KeyRange mine = Zones.range(key.get(), new BsonDocument("min", min).append("max", max));
                overlaps = mine.overlaps(Zones.range(key.get(), row));
            } else {
                overlaps = ValueOrder.ORDER.compare(min, row.getDocument("max")) < 0
                        && ValueOrder.ORDER.compare(row.getDocument("min"), max) < 0;
            }
            if (overlaps) {
                throw RANGE_OVERLAP_CONFLICT.because(
                        "The range from %s to %s overlaps the range from %s to %s of zone '%s'",
                        min.toJson(),
                        max.toJson(),
                        row.getDocument("min").toJson(),
                        row.getDocument("max").toJson(),
                        row.getString("tag").getValue());
            }
        }
    }
}
