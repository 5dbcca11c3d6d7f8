package io.ostraka.sharding.ddl;

import io.ostraka.core.placement.ShardKey;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** The bounds that a new sharded collection begins with. */
final class InitialChunks {
    private InitialChunks() {}

    /**
     * Bounds from the lowest to the highest, {@code count + 1} of them.
     *
     * <p>The split points of hashed keys lie symmetrically around zero at equal distances, so that the ranges are of
     * one size; the formula is the published one of MongoDB ({@code step = MAX / n * 2}).
     *
     * @param count how many chunks; more than one only for a key whose first field is hashed
     */
    static List<BsonDocument> bounds(ShardKey key, int count) {
        List<Long> points = new ArrayList<>();
        long step = Long.MAX_VALUE / count * 2;
        long at = 0;
        if (count % 2 == 0) {
            points.add(0L);
            at += step;
        } else {
            at += step / 2;
        }
        for (int i = 0; i < (count - 1) / 2; i++) {
            points.add(at);
            points.add(-at);
            at += step;
        }
        points.sort(null);
        List<BsonDocument> bounds = new ArrayList<>();
        bounds.add(key.lowestBound());
        if (count > 1) {
            for (long point : points) {
                BsonDocument bound = key.lowestBound();
                bound.put(key.fields().getFirst(), new BsonInt64(point));
                bounds.add(bound);
            }
        }
        bounds.add(key.highestBound());
        return bounds;
    }
}
