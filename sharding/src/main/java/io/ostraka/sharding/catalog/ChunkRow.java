package io.ostraka.sharding.catalog;

import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/**
 * A row of {@code config.chunks}.
 *
 * @param id its {@code _id}
 * @param uuid the collection
 * @param min lower bound as shown, all fields of the key
 * @param max upper bound
 * @param range the same as bytes
 * @param shard the owner
 * @param version major and minor of the last change, {@link PlacementVersion#asLong}
 * @param since when the owner got it
 * @param history former owners, newest first: {@code {validAfter, shard}}
 * @param jumbo whether it outgrew the chunk size and cannot be split
 */
public record ChunkRow(
        ObjectId id,
        UUID uuid,
        BsonDocument min,
        BsonDocument max,
        KeyRange range,
        ShardId shard,
        long version,
        BsonTimestamp since,
        BsonArray history,
        boolean jumbo) {

    /** A first chunk: its history begins with its owner. */
    public static ChunkRow first(
            ObjectId id,
            UUID uuid,
            ShardKey key,
            BsonDocument min,
            BsonDocument max,
            ShardId shard,
            long version,
            BsonTimestamp since) {
        KeyRange range = new KeyRange(key.encodeBound(min), key.encodeBound(max));
        return new ChunkRow(
                id, uuid, min, max, range, shard, version, since, entry(since, shard, new BsonArray()), false);
    }

    private static BsonArray entry(BsonTimestamp since, ShardId shard, BsonArray older) {
        BsonArray history = new BsonArray();
        history.add(new BsonDocument("validAfter", since).append("shard", new BsonString(shard.name())));
        history.addAll(older);
        return history;
    }

    /** This with other bounds: a part of a split chunk. */
    public ChunkRow part(ObjectId newId, ShardKey key, BsonDocument newMin, BsonDocument newMax, long newVersion) {
        KeyRange newRange = new KeyRange(key.encodeBound(newMin), key.encodeBound(newMax));
        return new ChunkRow(newId, uuid, newMin, newMax, newRange, shard, newVersion, since, history, false);
    }

    /** This under another version. */
    public ChunkRow at(long newVersion) {
        return new ChunkRow(id, uuid, min, max, range, shard, newVersion, since, history, jumbo);
    }

    /** This owned by another shard from a time on. */
    public ChunkRow movedTo(ShardId to, long newVersion, BsonTimestamp when) {
        return new ChunkRow(id, uuid, min, max, range, to, newVersion, when, entry(when, to, history), false);
    }

    /** This marked as one that cannot be split, or as one that can. */
    public ChunkRow jumbo(boolean is) {
        return new ChunkRow(id, uuid, min, max, range, shard, version, since, history, is);
    }

    public Chunk toChunk() {
        return new Chunk(range, shard, version);
    }

    /** The document in {@code config.chunks}. */
    public BsonDocument toBson() {
        BsonDocument row = new BsonDocument("_id", new BsonObjectId(id))
                .append("uuid", new BsonBinary(uuid))
                .append("min", min)
                .append("max", max)
                .append("shard", new BsonString(shard.name()))
                .append("lastmod", new BsonTimestamp(version))
                .append("onCurrentShardSince", since)
                .append("history", history);
        if (jumbo) {
            row.append("jumbo", BsonBoolean.TRUE);
        }
        return row;
    }

    /** Reads {@link #toBson}. */
    public static ChunkRow of(BsonDocument row, ShardKey key) {
        BsonDocument min = row.getDocument("min");
        BsonDocument max = row.getDocument("max");
        return new ChunkRow(
                row.getObjectId("_id").getValue(),
                row.getBinary("uuid").asUuid(),
                min,
                max,
                new KeyRange(key.encodeBound(min), key.encodeBound(max)),
                new ShardId(row.getString("shard").getValue()),
                row.getTimestamp("lastmod").getValue(),
                row.getTimestamp("onCurrentShardSince"),
                row.getArray("history"),
                row.getBoolean("jumbo", BsonBoolean.FALSE).getValue());
    }

    /** For changelog entries: {@code {min, max, lastmod}}. */
    public BsonDocument brief() {
        return new BsonDocument("min", min).append("max", max).append("lastmod", new BsonTimestamp(version));
    }

    PlacementVersion version(Generation generation) {
        return PlacementVersion.of(generation, version);
    }
}
