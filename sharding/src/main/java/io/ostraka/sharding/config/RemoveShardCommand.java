package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.ChunkRow;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.catalog.DatabaseRow;
import io.ostraka.sharding.catalog.ShardRow;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * {@code removeShard}: empties a shard and takes it out of the cluster. Asked again and again until it is completed.
 *
 * <pre>
 * { removeShard: shard } → { msg, state: "started" | "ongoing" | "completed", shard, remaining?, dbsToMove, note? }
 * </pre>
 *
 * The balancer moves the chunks away, jumbo ones too. Databases whose primary it is are moved by {@code movePrimary}. It
 * is completed when nothing is left there: no chunk, no database, no move under way, no range to clean up; the reply
 * says what still is.
 */
final class RemoveShardCommand implements Command<ShardId> {
    private final ConfigServices services;
    private final Balancer balancer;

    RemoveShardCommand(ConfigServices services, Balancer balancer) {
        this.services = services;
        this.balancer = balancer;
    }

    @Override
    public String name() {
        return "removeShard";
    }

    @Override
    public List<String> aliases() {
        return List.of("removeshard");
    }

    @Override
    public Needs needs() {
        return Needs.internal(Needs.Kind.WRITE);
    }

    @Override
    public ShardId parse(Fields fields) {
        return new ShardId(fields.ownString());
    }

    @Override
    public RawDocument run(ShardId id, Operation operation) {
        ShardRow shard = services.catalog().shard(id);
        if (!shard.draining()) {
            return RawDocument.of(begin(shard));
        }
        BsonDocument remaining = remaining(id, operation);
        boolean done =
                remaining.values().stream().allMatch(value -> value.asNumber().longValue() == 0);
        return RawDocument.of(done ? complete(shard) : ongoing(id, remaining));
    }

    private BsonDocument begin(ShardRow shard) {
        boolean others = services.catalog().shards().stream()
                .anyMatch(other -> !other.id().equals(shard.id()) && !other.draining());
        if (!others) {
            throw ILLEGAL_OPERATION.because(
                    "Shard '%s' is the last one that is not draining; add another before you remove it", shard.id());
        }
        services.store()
                .commit(List.of(
                        new CatalogStore.Change.Put(
                                ClusterCatalog.SHARDS, shard.draining(true).document()),
                        services.changelog()
                                .change(
                                        "removeShard.start",
                                        "",
                                        new BsonDocument(
                                                "shard",
                                                new BsonString(shard.id().name())))));
        balancer.wake();
        return new BsonDocument("msg", new BsonString("draining started successfully"))
                .append("state", new BsonString("started"))
                .append("shard", new BsonString(shard.id().name()))
                .append("note", new BsonString("move the databases in dbsToMove with movePrimary, or drop them"))
                .append("dbsToMove", databases(shard.id()));
    }

    private BsonArray databases(ShardId id) {
        BsonArray names = new BsonArray();
        services.catalog().databases().stream()
                .filter(row -> row.primary().equals(id))
                .map(DatabaseRow::name)
                .forEach(name -> names.add(new BsonString(name)));
        return names;
    }

    private BsonDocument remaining(ShardId id, Operation operation) {
        long chunks = 0;
        long jumbo = 0;
        for (CollectionRow row : services.catalog().collections(Optional.empty())) {
            chunks += services.catalog()
                    .table(row.namespace())
                    .map((RoutingTable table) -> table.chunksOf(id))
                    .orElse(0);
            jumbo += services.catalog().chunks(row.namespace()).stream()
                    .filter(chunk -> chunk.shard().equals(id))
                    .filter(ChunkRow::jumbo)
                    .count();
        }
        long moves = services.plans().all().stream()
                .filter(plan -> plan.from().equals(id) || plan.to().equals(id))
                .count();
        BsonDocument remaining = new BsonDocument("chunks", new BsonInt64(chunks))
                .append("dbs", new BsonInt64(databases(id).size()))
                .append("jumboChunks", new BsonInt64(jumbo));
        if (chunks == 0 && moves == 0) {
            // Cursors keep what they read, so what is left behind can go at once.
            BsonDocument cleaned = services.shards()
                    .call(id, new BsonDocument("_shardsvrCleanUp", new BsonInt32(1)), operation.deadline());
            remaining.append("rangesToCleanUp", cleaned.getInt64("pending"));
        }
        return remaining.append("moves", new BsonInt64(moves));
    }

    private BsonDocument ongoing(ShardId id, BsonDocument remaining) {
        balancer.wake();
        return new BsonDocument("msg", new BsonString("draining ongoing"))
                .append("state", new BsonString("ongoing"))
                .append("shard", new BsonString(id.name()))
                .append("remaining", remaining)
                .append("note", new BsonString("move the databases in dbsToMove with movePrimary, or drop them"))
                .append("dbsToMove", databases(id));
    }

    private BsonDocument complete(ShardRow shard) {
        services.store()
                .commit(List.of(
                        new CatalogStore.Change.Delete(
                                ClusterCatalog.SHARDS, new BsonString(shard.id().name())),
                        services.changelog()
                                .change(
                                        "removeShard",
                                        "",
                                        new BsonDocument(
                                                "shard",
                                                new BsonString(shard.id().name())))));
        return new BsonDocument("msg", new BsonString("removeshard completed successfully"))
                .append("state", new BsonString("completed"))
                .append("shard", new BsonString(shard.id().name()));
    }
}
