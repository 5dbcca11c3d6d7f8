package io.ostraka.query.filter;

import io.ostraka.core.bson.ValueOrder;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;

/** The values from one to another, in the order of values. */
public record Interval(BsonValue low, boolean lowInclusive, BsonValue high, boolean highInclusive) {
    public static final Interval ALL = new Interval(new BsonMinKey(), true, new BsonMaxKey(), true);

    public static Interval point(BsonValue value) {
        return new Interval(value, true, value, true);
    }

    /** From one value to another, both included. */
    public static Interval closed(BsonValue low, BsonValue high) {
        return new Interval(low, true, high, true);
    }

    /** From one value, included, to another, excluded. */
    public static Interval upTo(BsonValue low, BsonValue high) {
        return new Interval(low, true, high, false);
    }

    public boolean isPoint() {
        return lowInclusive && highInclusive && ValueOrder.equal(low, high);
    }

    public boolean isAll() {
        return low.getBsonType() == org.bson.BsonType.MIN_KEY
                && high.getBsonType() == org.bson.BsonType.MAX_KEY
                && lowInclusive
                && highInclusive;
    }

    boolean isEmpty() {
        int order = ValueOrder.ORDER.compare(low, high);
        return order > 0 || order == 0 && !(lowInclusive && highInclusive);
    }

    /** As explain shows it: {@code [1, 5)}. */
    @Override
    public String toString() {
        return (lowInclusive ? "[" : "(") + show(low) + ", " + show(high) + (highInclusive ? "]" : ")");
    }

    private static String show(BsonValue value) {
        return switch (value.getBsonType()) {
            case MIN_KEY -> "MinKey";
            case MAX_KEY -> "MaxKey";
            case DOUBLE -> {
                double number = value.asDouble().getValue();
                yield Double.isInfinite(number) ? number < 0 ? "-inf.0" : "inf.0" : Double.toString(number);
            }
            case INT32, INT64 -> Long.toString(value.asNumber().longValue());
            default -> io.ostraka.query.value.Values.show(value);
        };
    }
}
