package io.ostraka.query.pipeline;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.query.value.SortedNumbers;
import io.ostraka.query.value.Values;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Accumulators that keep the first few, the last few, or the numbers of which percentiles are picked. */
final class FewAccumulators {
    private FewAccumulators() {}

    /** {@code $firstN} and {@code $lastN}; a missing value counts as null. */
    static final class Ends implements Accumulator {
        private final boolean first;
        private final long count;
        private final ArrayDeque<BsonValue> kept = new ArrayDeque<>();
        private long bytes = 64;

        Ends(boolean first, long count) {
            this.first = first;
            this.count = count;
        }

        @Override
        public void add(BsonValue value) {
            if (first && kept.size() >= count) {
                return;
            }
            BsonValue there = Values.isMissing(value) ? BsonNull.VALUE : value;
            kept.add(there);
            bytes += size(there);
            if (kept.size() > count) {
                bytes -= size(kept.remove());
            }
        }

        private static long size(BsonValue value) {
            return RawCursor.of(value).elementSize() + 32L;
        }

        @Override
        public BsonValue result() {
            return new BsonArray(List.copyOf(kept));
        }

        @Override
        public BsonDocument partial() {
            return new BsonDocument("v", result());
        }

        @Override
        public void combine(BsonDocument partial) {
            partial.getArray("v").forEach(this::add);
        }

        @Override
        public long bytes() {
            return bytes;
        }
    }

    /** {@code $median} and {@code $percentile}, exactly: every number is kept. */
    static final class Quantiles implements Accumulator {
        private final Optional<List<BsonValue>> parts;
        private double[] numbers = new double[4];
        private int count;

        /** @param parts those of a percentile; empty for the median */
        Quantiles(Optional<List<BsonValue>> parts) {
            this.parts = parts;
        }

        @Override
        public void add(BsonValue value) {
            if (Values.isNumber(value)) {
                take(Values.toDouble(value));
            }
        }

        private void take(double number) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count++] = number;
        }

        @Override
        public BsonValue result() {
            SortedNumbers sorted = SortedNumbers.of(Arrays.copyOf(numbers, count));
            return parts.isPresent() ? sorted.at(parts.get()) : sorted.at(0.5);
        }

        @Override
        public BsonDocument partial() {
            List<BsonDouble> all =
                    Arrays.stream(numbers, 0, count).mapToObj(BsonDouble::new).toList();
            return new BsonDocument("v", new BsonArray(all));
        }

        @Override
        public void combine(BsonDocument partial) {
            partial.getArray("v").forEach(this::add);
        }

        @Override
        public long bytes() {
            return 64 + 8L * numbers.length;
        }
    }
}
