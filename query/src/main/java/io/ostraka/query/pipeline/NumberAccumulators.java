package io.ostraka.query.pipeline;

import io.ostraka.query.value.Arithmetic;
import io.ostraka.query.value.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Accumulators of numbers; what is no number is left out. */
final class NumberAccumulators {
    private NumberAccumulators() {}

    /**
     * A sum whose whole numbers are exact, whose doubles carry their rounding error along, and whose type is the
     * widest of what came.
     */
    static final class Total {
        private BigInteger whole = BigInteger.ZERO;
        private boolean anyLong;
        private double real;
        private double error;
        private boolean anyDouble;
        private BigDecimal decimal = BigDecimal.ZERO;
        private BsonValue special;
        private boolean anyDecimal;

        void add(BsonValue number) {
            switch (number.getBsonType()) {
                case INT32 ->
                    whole = whole.add(BigInteger.valueOf(number.asInt32().getValue()));
                case INT64 -> {
                    anyLong = true;
                    whole = whole.add(BigInteger.valueOf(number.asInt64().getValue()));
                }
                case DOUBLE -> {
                    anyDouble = true;
                    addDouble(number.asDouble().getValue());
                }
                default -> {
                    anyDecimal = true;
                    if (Arithmetic.isFinite(number)) {
                        decimal = decimal.add(Arithmetic.toBigDecimal(number), Arithmetic.DECIMAL);
                    } else {
                        special = special == null ? number : Arithmetic.add(special, number);
                    }
                }
            }
        }

        private void addDouble(double value) {
            double sum = real + value;
            if (!Double.isInfinite(sum) && !Double.isNaN(sum)) {
                error += Math.abs(real) >= Math.abs(value) ? real - sum + value : value - sum + real;
            }
            real = sum;
        }

        BsonValue value() {
            if (anyDecimal) {
                BsonValue doubles = Arithmetic.toDecimal(real + error);
                BsonValue finite = Arithmetic.toDecimal(decimal.add(new BigDecimal(whole), Arithmetic.DECIMAL));
                BsonValue sum = anyDouble ? Arithmetic.add(finite, doubles) : finite;
                return special == null ? sum : Arithmetic.add(sum, special);
            }
            if (anyDouble) {
                return new BsonDouble(whole.doubleValue() + real + error);
            }
            if (whole.bitLength() > 63) {
                return new BsonDouble(whole.doubleValue());
            }
            return anyLong ? new BsonInt64(whole.longValue()) : Values.integer(whole.longValue());
        }

        BsonDocument toBson() {
            return new BsonDocument("w", new BsonString(whole.toString()))
                    .append("l", BsonBoolean.valueOf(anyLong))
                    .append("r", new BsonDouble(real))
                    .append("e", new BsonDouble(error))
                    .append("d", BsonBoolean.valueOf(anyDouble))
                    .append("m", Arithmetic.toDecimal(decimal))
                    .append("n", BsonBoolean.valueOf(anyDecimal))
                    .append("s", special == null ? BsonNull.VALUE : special);
        }

        void combine(BsonDocument other) {
            whole = whole.add(new BigInteger(other.getString("w").getValue()));
            anyLong |= other.getBoolean("l").getValue();
            anyDouble |= other.getBoolean("d").getValue();
            addDouble(other.getDouble("r").getValue());
            error += other.getDouble("e").getValue();
            anyDecimal |= other.getBoolean("n").getValue();
            decimal = decimal.add(Arithmetic.toBigDecimal(other.get("m")), Arithmetic.DECIMAL);
            if (!other.get("s").isNull()) {
                special = special == null ? other.get("s") : Arithmetic.add(special, other.get("s"));
            }
        }
    }

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
