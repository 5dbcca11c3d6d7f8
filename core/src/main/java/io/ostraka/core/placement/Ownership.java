package io.ostraka.core.placement;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/**
 * What one shard owns of one tracked collection: state like any other, stored in the catalog entry of the collection,
 * replicated, and part of every View. A collection without an Ownership is untracked and wholly owned where it is.
 *
 * <p>Reads count and return only documents whose key is {@link #owns owned}. Writes are refused outside of it, and
 * wait while their key is {@link #blocks blocked}. While a range is <i>committing</i> versioned reads of it wait as
 * well: nobody but the config servers knows who owns it.
 *
 * @param key how documents become keys
 * @param version the shard's placement version
 * @param owned the keys owned
 * @param blocked keys that writers must wait for
 * @param committing keys whose owner is being decided
 */
public record Ownership(
        ShardKey key, PlacementVersion version, KeyRanges owned, KeyRanges blocked, KeyRanges committing) {

    /** An ownership with nothing blocked. */
    public static Ownership of(ShardKey key, PlacementVersion version, KeyRanges owned) {
        return new Ownership(key, version, owned, KeyRanges.NONE, KeyRanges.NONE);
    }

    public boolean owns(byte[] shardKey) {
        return owned.contains(shardKey);
    }

    public boolean blocks(byte[] shardKey) {
        return blocked.contains(shardKey);
    }

    /** This with a range whose writers must wait. */
    public Ownership block(KeyRange range) {
        return new Ownership(key, version, owned, blocked.plus(range), committing);
    }

    /** This with a range whose writers and readers must wait. */
    public Ownership commit(KeyRange range) {
        return new Ownership(key, version, owned, blocked.plus(range), committing.plus(range));
    }

    /** This with a range nobody need wait for any more. */
    public Ownership release(KeyRange range) {
        return new Ownership(key, version, owned, blocked.minus(range), committing.minus(range));
    }

    /** What the config servers said, with the blocks of this. */
    public Ownership refreshed(ShardKey newKey, PlacementVersion newVersion, KeyRanges newOwned) {
        return new Ownership(newKey, newVersion, newOwned, blocked, committing);
    }

    /** A block of a collection that is about to be sharded: it belongs to no generation. */
    public boolean isPrepared() {
        return version.generation().isUntracked();
    }

    /** For storing: {@code {key, epoch, timestamp, version, owned, blocked, committing}}, ranges as pairs of KeyStrings. */
    public BsonDocument toBson() {
        return new BsonDocument("key", key.pattern())
                .append("epoch", new BsonObjectId(version.generation().epoch()))
                .append("timestamp", version.generation().timestamp())
                .append("version", new BsonInt64(version.asLong()))
                .append("owned", ranges(owned))
                .append("blocked", ranges(blocked))
                .append("committing", ranges(committing));
    }

    /** Reads {@link #toBson}. */
    public static Ownership of(BsonDocument stored) {
        BsonTimestamp timestamp = stored.getTimestamp("timestamp");
        Generation generation = new Generation(stored.getObjectId("epoch").getValue(), timestamp);
        return new Ownership(
                ShardKey.parse(stored.getDocument("key")),
                PlacementVersion.of(generation, stored.getInt64("version").getValue()),
                ranges(stored.getArray("owned")),
                ranges(stored.getArray("blocked")),
                ranges(stored.getArray("committing")));
    }

    private static BsonArray ranges(KeyRanges ranges) {
        BsonArray array = new BsonArray();
        for (KeyRange range : ranges.asList()) {
            array.add(new BsonBinary(range.min()));
            array.add(new BsonBinary(range.max()));
        }
        return array;
    }

    private static KeyRanges ranges(BsonArray array) {
        List<KeyRange> ranges = new ArrayList<>();
        List<BsonValue> ends = array.getValues();
        for (int i = 0; i < ends.size(); i += 2) {
            ranges.add(new KeyRange(
                    ends.get(i).asBinary().getData(), ends.get(i + 1).asBinary().getData()));
        }
        return KeyRanges.of(ranges);
    }
}
