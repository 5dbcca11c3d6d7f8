package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_SHARDED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * {@code refineCollectionShardKey}: makes a shard key longer, so that chunks of one key value can be split.
 *
 * <pre>{ refineCollectionShardKey: "db.coll", key: {old fields ..., more fields}, enforceUniquenessCheck: true? }  →  { }</pre>
 *
 * No document moves: bounds get MinKey for the new fields, in a new generation. Each shard with chunks needs an index
 * that begins with the new key. The same key again changes nothing.
 */
final class RefineCommand implements Command<RefineCommand.Request> {
    record Request(Namespace namespace, ShardKey key, boolean checkUniqueness) {}

    private final ConfigServices services;
    private final Zones zones;

    RefineCommand(ConfigServices services, Zones zones) {
        this.services = services;
        this.zones = zones;
    }

    @Override
    public String name() {
        return "refineCollectionShardKey";
    }

    @Override
    public Needs needs() {
        return Needs.internal(Needs.Kind.WRITE);
    }

    @Override
    public Request parse(Fields fields) {
        fields.value("collectionUUID");
        return new Request(
                Namespace.parse(fields.ownString()),
                ShardKey.parse(fields.requiredDocument("key")),
                fields.bool("enforceUniquenessCheck", true));
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        CollectionRow row = services.catalog()
                .collection(request.namespace)
                .filter(found -> !found.isUnsplittable())
                .orElseThrow(() -> services.catalog()
                                .database(request.namespace.database())
                                .isPresent()
                        ? NAMESPACE_NOT_SHARDED.because("Collection '%s' is not sharded", request.namespace)
                        : NAMESPACE_NOT_FOUND.because("Collection '%s' does not exist", request.namespace));
        if (row.key().equals(request.key)) {
            return RawDocument.EMPTY;
        }
        if (!row.key().isSupportedBy(request.key.pattern())) {
            throw INVALID_OPTIONS.because(
                    "refineCollectionShardKey shard key %s must extend the present one %s: the same fields first, in the same order",
                    request.key, row.key());
        }
        List<ShardId> owners = List.copyOf(
                services.catalog().table(request.namespace).orElseThrow().shards());
        for (ShardId owner : owners) {
            BsonDocument unused = services.shards()
                    .call(
                            owner,
                            new BsonDocument("_shardsvrCheckKeyIndex", new BsonString(request.namespace.toString()))
                                    .append("key", request.key.pattern())
                                    .append("unique", BsonBoolean.valueOf(row.unique()))
                                    .append("enforceUniquenessCheck", BsonBoolean.valueOf(request.checkUniqueness)),
                            operation.deadline());
        }
        services.driver().settleMoves(request.namespace);
        services.changes()
                .refine(
                        request.namespace,
                        row.uuid(),
                        request.key,
                        new Generation(
                                services.ids().objectId(), services.store().tick()),
                        zones.rows(request.namespace));
        for (ShardId owner : owners) {
            BsonDocument unused = services.shards()
                    .call(
                            owner,
                            new BsonDocument("_shardsvrRefreshPlacement", new BsonString(request.namespace.toString())),
                            operation.deadline());
        }
        return RawDocument.EMPTY;
    }
}
