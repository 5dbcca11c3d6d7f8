package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.PERCENTILES_EMPTY;
import static io.ostraka.core.error.ErrorCode.PERCENTILE_NOT_NUMBER;
import static io.ostraka.core.error.ErrorCode.PERCENTILE_OUT_OF_RANGE;

import io.ostraka.query.value.SortedNumbers;
import io.ostraka.query.value.Values;
import java.util.List;
import org.bson.BsonValue;

/** {@code $median} and {@code $percentile} of one document's numbers, and the checks groups share with them. */
public final class Percentiles {
    static final List<Function> ALL = List.of(
            Function.named("$median", 2, List.of("input", "method"), (arguments, _) -> {
                checkMethod("$median", arguments[1]);
                return numbers(arguments[0]).at(0.5);
            }),
            Function.named("$percentile", 3, List.of("input", "p", "method"), (arguments, _) -> {
                List<BsonValue> parts = checkParts(arguments[1]);
                checkMethod("$percentile", arguments[2]);
                return numbers(arguments[0]).at(parts);
            }));

    private Percentiles() {}

    private static SortedNumbers numbers(BsonValue input) {
        return SortedNumbers.among(input.isArray() ? input.asArray().getValues() : List.of(input));
    }

    /** Refuses every method but the one there is. */
    public static void checkMethod(String name, BsonValue method) {
        if (!method.isString() || !method.asString().getValue().equals("approximate")) {
            throw BAD_VALUE.because(
                    "Currently only 'approximate' can be used as 'method' of %s, not %s", name, Values.show(method));
        }
    }

    /** The parts a percentile is asked for: an array of numbers from 0 to 1. */
    public static List<BsonValue> checkParts(BsonValue parts) {
        if (!parts.isArray() || parts.asArray().isEmpty()) {
            throw PERCENTILES_EMPTY.because(
                    "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: %s",
                    Values.show(parts));
        }
        for (BsonValue part : parts.asArray()) {
            if (!Values.isNumber(part)) {
                throw PERCENTILE_NOT_NUMBER.because(
                        "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: %s",
                        Values.show(part));
            }
            double number = Values.toDouble(part);
            if (!(number >= 0 && number <= 1)) {
                throw PERCENTILE_OUT_OF_RANGE.because(
                        "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: %s",
                        Values.show(part));
            }
        }
        return parts.asArray().getValues();
    }
}
