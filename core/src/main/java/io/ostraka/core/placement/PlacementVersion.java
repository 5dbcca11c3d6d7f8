package io.ostraka.core.placement;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonTimestamp;

/**
 * The version of one shard's part of a collection: the highest among its chunks. A move raises the major of donor and
 * recipient, a split or merge only minors. Whether two sides agree is decided by generation and major alone.
 *
 * @param major 0 for a shard without chunks
 * @param minor counts splits and merges
 */
public record PlacementVersion(Generation generation, int major, int minor) {
    /** What requests for untracked collections carry. */
    public static final PlacementVersion UNTRACKED = new PlacementVersion(Generation.UNTRACKED, 0, 0);

    /** Same generation and major: requests of one are good for the other. */
    public boolean agreesWith(PlacementVersion other) {
        return major == other.major && generation.equals(other.generation);
    }

    /** Higher major, then minor. Only within one generation. */
    public boolean isNewerThan(PlacementVersion other) {
        return major != other.major ? major > other.major : minor > other.minor;
    }

    /** Major and minor in one number, in their order. */
    public long asLong() {
        return (long) major << 32 | minor & 0xFFFFFFFFL;
    }

    /** From {@link #asLong}. */
    public static PlacementVersion of(Generation generation, long majorMinor) {
        return new PlacementVersion(generation, (int) (majorMinor >>> 32), (int) majorMinor);
    }

    /** {@code Timestamp(major, minor)}, as {@code lastmod} is shown. */
    public BsonTimestamp toTimestamp() {
        return new BsonTimestamp(major, minor);
    }

    /** The {@code shardVersion} of a request: {@code {e, t, v}}. */
    public RawDocument toRaw() {
        return new RawBuilder(64)
                .put("e", new BsonObjectId(generation.epoch()))
                .put("t", generation.timestamp())
                .put("v", toTimestamp())
                .build();
    }

    /** Reads {@link #toRaw}. */
    public static PlacementVersion of(BsonDocument version) {
        BsonTimestamp v = version.getTimestamp("v");
        return new PlacementVersion(
                new Generation(version.getObjectId("e").getValue(), version.getTimestamp("t")),
                v.getTime(),
                v.getInc());
    }

    @Override
    public String toString() {
        return major + "|" + minor + "||" + generation.epoch().toHexString();
    }
}
