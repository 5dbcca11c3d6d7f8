package io.ostraka.query.pipeline;

import io.ostraka.query.value.Arithmetic;
import io.ostraka.query.value.Total;
import io.ostraka.query.value.Values;
import java.math.BigDecimal;
import org.bson.BsonArray;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Accumulators of numbers; what is no number is left out. */
final class NumberAccumulators {
    private NumberAccumulators() {}

    static final class Sum implements Accumulator {
        private final Total total = new Total();

        @Override
        public void add(BsonValue value) {
            if (Values.isNumber(value)) {
                total.add(value);
            }
        }

        @Override
        public BsonValue result() {
            return total.value();
        }

        @Override
        public BsonDocument partial() {
            return total.toBson();
        }

        @Override
        public void combine(BsonDocument partial) {
            total.combine(partial);
        }
    }

    static final class Average implements Accumulator {
        private final Total total = new Total();
        private long count;

        @Override
        public void add(BsonValue value) {
            if (Values.isNumber(value)) {
                total.add(value);
                count++;
            }
        }

        @Override
        public BsonValue result() {
            if (count == 0) {
                return BsonNull.VALUE;
            }
            BsonValue sum = total.value();
            if (sum.isDecimal128()) {
                return Arithmetic.isFinite(sum)
                        ? Arithmetic.toDecimal(
                                Arithmetic.toBigDecimal(sum).divide(BigDecimal.valueOf(count), Arithmetic.DECIMAL))
                        : new BsonDecimal128(sum.asDecimal128().getValue());
            }
            return new BsonDouble(Values.toDouble(sum) / count);
        }

        @Override
        public BsonDocument partial() {
            return new BsonDocument("t", total.toBson()).append("c", new BsonInt64(count));
        }

        @Override
        public void combine(BsonDocument partial) {
            total.combine(partial.getDocument("t"));
            count += partial.getInt64("c").getValue();
        }
    }

    /** Standard deviation by the running mean and squared distance. */
    static final class Deviation implements Accumulator {
        private final boolean sample;
        private long count;
        private double mean;
        private double squares;

        Deviation(boolean sample) {
            this.sample = sample;
        }

        @Override
        public void add(BsonValue value) {
            if (!Values.isNumber(value)) {
                return;
            }
            double number = Values.toDouble(value);
            count++;
            double distance = number - mean;
            mean += distance / count;
            squares += distance * (number - mean);
        }

        @Override
        public BsonValue result() {
            long divisor = sample ? count - 1 : count;
            return divisor <= 0 ? BsonNull.VALUE : new BsonDouble(Math.sqrt(squares / divisor));
        }

        @Override
        public BsonDocument partial() {
            return new BsonDocument(
                    "v",
                    new BsonArray(
                            java.util.List.of(new BsonInt64(count), new BsonDouble(mean), new BsonDouble(squares))));
        }

        @Override
        public void combine(BsonDocument partial) {
            BsonArray other = partial.getArray("v");
            long otherCount = other.get(0).asInt64().getValue();
            if (otherCount == 0) {
                return;
            }
            double distance = other.get(1).asDouble().getValue() - mean;
            long all = count + otherCount;
            squares += other.get(2).asDouble().getValue() + distance * distance * count * otherCount / all;
            mean += distance * otherCount / all;
            count = all;
        }
    }

    /** One, which {@code $count} sums. */
    static final BsonValue ONE = new BsonInt32(1);
}
