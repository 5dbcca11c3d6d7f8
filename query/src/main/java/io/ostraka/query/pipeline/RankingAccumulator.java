package io.ostraka.query.pipeline;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * Keeps the first or the last few by a key. Values come as {@code [key, value]}, or are their own key. Of equal keys
 * those that came first are before the others.
 */
final class RankingAccumulator implements Accumulator {
    /** Which are kept, and what shows them. */
    enum Shape {
        TOP(false, false, false),
        BOTTOM(true, false, false),
        MIN(false, true, false),
        MAX(false, true, true);

        private final boolean keepsLast;
        private final boolean ownKey;
        private final boolean descending;

        Shape(boolean keepsLast, boolean ownKey, boolean descending) {
            this.keepsLast = keepsLast;
            this.ownKey = ownKey;
            this.descending = descending;
        }
    }

    private record Ranked(byte[] key, long arrival, BsonValue value, long bytes) {}

    private final Shape shape;
    private final long count;
    private final boolean single;
    private final Collation collation;
    private final Comparator<Ranked> shown;
    private final PriorityQueue<Ranked> kept;
    private long arrived;
    private long bytes = 64;

    /** @param single whether the one that is kept is shown itself, not in an array */
    RankingAccumulator(Shape shape, long count, boolean single, Collation collation) {
        this.collation = collation;
        this.shape = shape;
        this.count = count;
        this.single = single;
        Comparator<Ranked> byKey = (one, other) -> Arrays.compareUnsigned(one.key, other.key);
        shown = (shape.descending ? byKey.reversed() : byKey).thenComparingLong(Ranked::arrival);
        kept = new PriorityQueue<>(shape.keepsLast ? shown : shown.reversed());
    }

    @Override
    public void add(BsonValue value) {
        if (!shape.ownKey) {
            BsonArray pair = value.asArray();
            take(pair.get(0).asBinary().getData(), pair.get(1));
        } else if (!Values.isNullish(value)) {
            take(collation.key(value).bytes(), value);
        }
    }

    private void take(byte[] key, BsonValue value) {
        Ranked ranked = new Ranked(
                key, arrived++, value, key.length + 96L + RawCursor.of(value).elementSize());
        kept.add(ranked);
        bytes += ranked.bytes;
        if (kept.size() > count) {
            bytes -= kept.remove().bytes;
        }
    }

    private List<Ranked> inOrder() {
        List<Ranked> all = new ArrayList<>(kept);
        all.sort(shown);
        return all;
    }

    @Override
    public BsonValue result() {
        List<BsonValue> values = inOrder().stream().map(Ranked::value).toList();
        if (!single) {
            return new BsonArray(values);
        }
        return values.isEmpty() ? BsonNull.VALUE : values.getFirst();
    }

    @Override
    public BsonDocument partial() {
        BsonArray pairs = new BsonArray();
        for (Ranked ranked : inOrder()) {
            pairs.add(shape.ownKey ? ranked.value : pair(ranked.key, ranked.value));
        }
        return new BsonDocument("v", pairs);
    }

    @Override
    public void combine(BsonDocument partial) {
        partial.getArray("v").forEach(this::add);
    }

    /** What is added for a document: its place in the order and its value. */
    static BsonArray pair(byte[] key, BsonValue value) {
        BsonValue there = Values.isMissing(value) ? BsonNull.VALUE : value;
        List<BsonValue> pair = new ArrayList<>();
        Collections.addAll(pair, new BsonBinary(key), there);
        return new BsonArray(pair);
    }

    @Override
    public long bytes() {
        return bytes;
    }
}
