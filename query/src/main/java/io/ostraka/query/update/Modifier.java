package io.ostraka.query.update;

import io.ostraka.query.filter.Filter;
import io.ostraka.query.sort.SortPattern;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonValue;

/** What an update operator does at one path. */
sealed interface Modifier {
    record Set(BsonValue value, boolean onInsertOnly) implements Modifier {}

    record Unset() implements Modifier {}

    record Add(BsonValue amount) implements Modifier {}

    record Multiply(BsonValue factor) implements Modifier {}

    /** {@code $min} and {@code $max}. */
    record Extreme(BsonValue value, boolean greatest) implements Modifier {}

    record Rename(String to) implements Modifier {}

    /** How pushed arrays are sorted: by their elements or by fields of them. */
    record Ordering(boolean whole, boolean descending, SortPattern fields) {}

    record Push(List<BsonValue> values, OptionalLong position, OptionalLong slice, Optional<Ordering> sort)
            implements Modifier {
        public Push {
            values = List.copyOf(values);
        }
    }

    record AddToSet(List<BsonValue> values) implements Modifier {
        public AddToSet {
            values = List.copyOf(values);
        }
    }

    record Pop(boolean first) implements Modifier {}

    /** Takes out elements equal to the value. */
    record PullValue(BsonValue value) implements Modifier {}

    /** Takes out elements the filter matches; it is asked of {@code {"": [element]}}. */
    record PullMatching(Filter filter) implements Modifier {}

    record PullAll(List<BsonValue> values) implements Modifier {
        public PullAll {
            values = List.copyOf(values);
        }
    }

    record CurrentDate(boolean timestamp) implements Modifier {}

    enum BitOperation {
        AND,
        OR,
        XOR
    }

    record Bit(BitOperation operation, BsonValue operand) implements Modifier {}
}
