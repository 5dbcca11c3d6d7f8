package io.ostraka.query.value;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.bson.BsonArray;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Numbers in order, of which percentiles are picked: always one of the numbers, never between two. */
public final class SortedNumbers {
    private final double[] numbers;

    private SortedNumbers(double[] numbers) {
        this.numbers = numbers;
    }

    /** Sorts a copy. */
    public static SortedNumbers of(double[] numbers) {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return new SortedNumbers(sorted);
    }

    /** The numbers among values; others do not count. */
    public static SortedNumbers among(List<BsonValue> values) {
        DoubleStream numbers = values.stream().filter(Values::isNumber).mapToDouble(Values::toDouble);
        return of(numbers.toArray());
    }

    /** The smallest number that this part of all does not exceed; null of none. */
    public BsonValue at(double part) {
        if (numbers.length == 0) {
            return BsonNull.VALUE;
        }
        int index = (int) Math.ceil(part * numbers.length) - 1;
        return new BsonDouble(numbers[Math.clamp(index, 0, numbers.length - 1)]);
    }

    /** One percentile per part. */
    public BsonArray at(List<BsonValue> parts) {
        return new BsonArray(
                parts.stream().map(part -> at(Values.toDouble(part))).toList());
    }
}
