package io.ostraka.core.placement;

import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/**
 * Which life of a collection: it changes when the collection is sharded, dropped and made again, renamed, refined or
 * resharded. Versions of different generations cannot be compared.
 *
 * @param epoch unique
 * @param timestamp the cluster time of its beginning
 */
public record Generation(ObjectId epoch, BsonTimestamp timestamp) {
    /** Of collections whose placement is not tracked: they live on their database's primary shard. */
    public static final Generation UNTRACKED = new Generation(new ObjectId(new byte[12]), new BsonTimestamp(0));

    public boolean isUntracked() {
        return equals(UNTRACKED);
    }
}
