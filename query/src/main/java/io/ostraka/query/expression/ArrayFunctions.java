package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.ARRAY_ELEM_AT_INVALID;
import static io.ostraka.core.error.ErrorCode.FIRST_N_INVALID;
import static io.ostraka.core.error.ErrorCode.INDEX_OF_ARRAY_INVALID;
import static io.ostraka.core.error.ErrorCode.IN_NEEDS_ARRAY;
import static io.ostraka.core.error.ErrorCode.OPERAND_NOT_ARRAY;
import static io.ostraka.core.error.ErrorCode.RANGE_INVALID;
import static io.ostraka.core.error.ErrorCode.RANGE_TOO_LONG;
import static io.ostraka.core.error.ErrorCode.REVERSE_NEEDS_ARRAY;
import static io.ostraka.core.error.ErrorCode.SIZE_NEEDS_ARRAY;
import static io.ostraka.core.error.ErrorCode.SLICE_NEEDS_ARRAY;
import static io.ostraka.core.error.ErrorCode.SORT_ARRAY_INVALID;
import static io.ostraka.core.error.ErrorCode.ZIP_INVALID;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Functions of arrays. */
final class ArrayFunctions {
    private static final int RANGE_MAX = 1_000_000;

    static final List<Function> ALL = List.of(
            Function.binary("$arrayElemAt", (array, at) -> elementAt("$arrayElemAt", array, at)),
            Function.of("$concatArrays", 0, Integer.MAX_VALUE, (arguments, _) -> concat(arguments)),
            Function.unary("$first", array -> elementAt("$first", array, new BsonInt32(0))),
            Function.named("$firstN", 2, List.of("input", "n"), (arguments, _) -> some("$firstN", arguments, true)),
            Function.of("$in", 2, 2, (both, context) -> in(both[0], both[1], context)),
            Function.of("$indexOfArray", 2, 4, (arguments, context) -> indexOf(arguments, context)),
            Function.unary("$isArray", value -> Values.of(value.isArray())),
            Function.unary("$last", array -> elementAt("$last", array, new BsonInt32(-1))),
            Function.named("$lastN", 2, List.of("input", "n"), (arguments, _) -> some("$lastN", arguments, false)),
            Function.named(
                    "$maxN",
                    2,
                    List.of("input", "n"),
                    (arguments, context) -> extremes("$maxN", arguments, true, context)),
            Function.named(
                    "$minN",
                    2,
                    List.of("input", "n"),
                    (arguments, context) -> extremes("$minN", arguments, false, context)),
            Function.of("$range", 2, 3, (arguments, _) -> range(arguments)),
            Function.unary("$reverseArray", ArrayFunctions::reverse),
            Function.unary("$size", ArrayFunctions::size),
            Function.of("$slice", 2, 3, (arguments, _) -> slice(arguments)),
            Function.named(
                    "$sortArray", 2, List.of("input", "sortBy"), (arguments, context) -> sort(arguments, context)),
            Function.named(
                    "$zip", 1, List.of("inputs", "useLongestLength", "defaults"), (arguments, _) -> zip(arguments)));

    private ArrayFunctions() {}

    private static BsonValue elementAt(String name, BsonValue array, BsonValue at) {
        if (Values.isNullish(array) || Values.isNullish(at)) {
            return BsonNull.VALUE;
        }
        if (!array.isArray()) {
            throw ARRAY_ELEM_AT_INVALID.because(
                    "%s's argument must be an array, but is %s", name, Values.typeName(array));
        }
        if (!Values.isNumber(at) || !Values.isWhole(at)) {
            throw ARRAY_ELEM_AT_INVALID.because(
                    "%s's position must be a whole number, but is %s", name, Values.show(at));
        }
        long index = Values.toLong(at);
        BsonArray all = array.asArray();
        index = index < 0 ? all.size() + index : index;
        return index >= 0 && index < all.size() ? all.get((int) index) : Values.MISSING;
    }

    private static BsonValue concat(BsonValue[] arguments) {
        BsonArray all = new BsonArray();
        for (BsonValue value : arguments) {
            if (Values.isNullish(value)) {
                return BsonNull.VALUE;
            }
            if (!value.isArray()) {
                throw OPERAND_NOT_ARRAY.because("$concatArrays only supports arrays, not %s", Values.typeName(value));
            }
            all.addAll(value.asArray());
        }
        return all;
    }

    private static BsonValue some(String name, BsonValue[] arguments, boolean first) {
        if (!arguments[0].isArray()
                || !Values.isNumber(arguments[1])
                || !Values.isWhole(arguments[1])
                || Values.toLong(arguments[1]) <= 0) {
            throw FIRST_N_INVALID.because("%s needs an array and a positive whole number 'n'", name);
        }
        List<BsonValue> all = arguments[0].asArray().getValues();
        int count = (int) Math.min(all.size(), Values.toLong(arguments[1]));
        return new BsonArray(first ? all.subList(0, count) : all.subList(all.size() - count, all.size()));
    }

    private static BsonValue extremes(String name, BsonValue[] arguments, boolean greatest, RunContext context) {
        Comparator<BsonValue> order = context.collation().order();
        BsonValue[] sorted = arguments.clone();
        if (sorted[0].isArray()) {
            sorted[0] = new BsonArray(sorted[0].asArray().stream()
                    .filter(value -> !Values.isNullish(value))
                    .sorted(greatest ? order.reversed() : order)
                    .toList());
        }
        return some(name, sorted, true);
    }

    private static BsonValue in(BsonValue value, BsonValue array, RunContext context) {
        if (!array.isArray()) {
            throw IN_NEEDS_ARRAY.because(
                    "$in requires an array as a second argument, found: %s", Values.typeName(array));
        }
        return Values.of(
                array.asArray().stream().anyMatch(each -> context.collation().equal(each, value)));
    }

    private static BsonValue indexOf(BsonValue[] arguments, RunContext context) {
        if (Values.isNullish(arguments[0])) {
            return BsonNull.VALUE;
        }
        if (!arguments[0].isArray()) {
            throw INDEX_OF_ARRAY_INVALID.because(
                    "$indexOfArray requires an array as a first argument, found: %s", Values.typeName(arguments[0]));
        }
        BsonArray all = arguments[0].asArray();
        long from = arguments.length > 2 ? Values.toLong(whole("$indexOfArray", arguments[2])) : 0;
        long to = arguments.length > 3 ? Values.toLong(whole("$indexOfArray", arguments[3])) : all.size();
        for (long i = from; i < Math.min(to, all.size()); i++) {
            if (context.collation().equal(all.get((int) i), arguments[1])) {
                return new BsonInt32((int) i);
            }
        }
        return new BsonInt32(-1);
    }

    private static BsonValue whole(String name, BsonValue value) {
        if (!Values.isNumber(value) || !Values.isWhole(value) || Values.toLong(value) < 0) {
            throw INDEX_OF_ARRAY_INVALID.because(
                    "%s requires whole positions from 0, found: %s", name, Values.show(value));
        }
        return value;
    }

    private static BsonValue range(BsonValue[] arguments) {
        for (BsonValue argument : arguments) {
            if (!Values.isNumber(argument)
                    || !Values.isWhole(argument)
                    || Values.toLong(argument) != (int) Values.toLong(argument)) {
                throw RANGE_INVALID.because(
                        "$range requires numbers that fit into 32 bits, found: %s", Values.show(argument));
            }
        }
        long from = Values.toLong(arguments[0]);
        long to = Values.toLong(arguments[1]);
        long step = arguments.length > 2 ? Values.toLong(arguments[2]) : 1;
        if (step == 0) {
            throw RANGE_INVALID.because("$range requires a non-zero step value");
        }
        if ((to - from) / step > RANGE_MAX) {
            throw RANGE_TOO_LONG.because("$range would give more than %d numbers", RANGE_MAX);
        }
        BsonArray all = new BsonArray();
        for (long i = from; step > 0 ? i < to : i > to; i += step) {
            all.add(new BsonInt32((int) i));
        }
        return all;
    }

    private static BsonValue reverse(BsonValue array) {
        if (Values.isNullish(array)) {
            return BsonNull.VALUE;
        }
        if (!array.isArray()) {
            throw REVERSE_NEEDS_ARRAY.because(
                    "The argument to $reverseArray must be an array, but was of type: %s", Values.typeName(array));
        }
        List<BsonValue> all = new ArrayList<>(array.asArray());
        Collections.reverse(all);
        return new BsonArray(all);
    }

    private static BsonValue size(BsonValue array) {
        if (!array.isArray()) {
            throw SIZE_NEEDS_ARRAY.because(
                    "The argument to $size must be an array, but was of type: %s", Values.typeName(array));
        }
        return new BsonInt32(array.asArray().size());
    }

    private static BsonValue slice(BsonValue[] arguments) {
        for (BsonValue argument : arguments) {
            if (Values.isNullish(argument)) {
                return BsonNull.VALUE;
            }
        }
        if (!arguments[0].isArray()) {
            throw SLICE_NEEDS_ARRAY.because(
                    "First argument to $slice must be an array, but is of type: %s", Values.typeName(arguments[0]));
        }
        for (int i = 1; i < arguments.length; i++) {
            if (!Values.isNumber(arguments[i]) || !Values.isWhole(arguments[i])) {
                throw SLICE_NEEDS_ARRAY.because("$slice needs whole numbers, found: %s", Values.show(arguments[i]));
            }
        }
        List<BsonValue> all = arguments[0].asArray().getValues();
        long first = Values.toLong(arguments[1]);
        long count = arguments.length > 2 ? Values.toLong(arguments[2]) : Math.abs(first);
        if (arguments.length > 2 && count <= 0) {
            throw SLICE_NEEDS_ARRAY.because("Third argument to $slice must be positive: %d", count);
        }
        long from =
                first < 0 ? Math.max(0, all.size() + first) : arguments.length > 2 ? Math.min(first, all.size()) : 0;
        long to = Math.min(all.size(), count > all.size() ? all.size() : from + count);
        return new BsonArray(all.subList((int) from, (int) Math.max(from, to)));
    }

    private static BsonValue sort(BsonValue[] arguments, RunContext context) {
        if (Values.isNullish(arguments[0])) {
            return BsonNull.VALUE;
        }
        if (!arguments[0].isArray()) {
            throw SORT_ARRAY_INVALID.because(
                    "The input argument to $sortArray must be an array, but was of type: %s",
                    Values.typeName(arguments[0]));
        }
        List<BsonValue> all = new ArrayList<>(arguments[0].asArray());
        BsonValue by = arguments[1];
        if (by.isDocument()) {
            SortPattern pattern = SortPattern.parse(RawDocument.of(by.asDocument()));
            all.sort(Comparator.comparing(each -> pattern.keyOf(
                    each.isDocument() ? RawDocument.of(each.asDocument()) : RawDocument.EMPTY, context.collation())));
        } else if (Values.isNumber(by) && Math.abs(Values.toDouble(by)) == 1) {
            Comparator<BsonValue> order = context.collation().order();
            all.sort(Values.toDouble(by) > 0 ? order : order.reversed());
        } else {
            throw SORT_ARRAY_INVALID.because("$sortArray needs 1, -1 or a document as 'sortBy'");
        }
        return new BsonArray(all);
    }

    private static BsonValue zip(BsonValue[] arguments) {
        if (!arguments[0].isArray() || arguments[0].asArray().isEmpty()) {
            throw ZIP_INVALID.because("$zip needs a non-empty array of arrays as 'inputs'");
        }
        boolean longest = Values.isTrue(arguments[1]);
        int length = longest ? 0 : Integer.MAX_VALUE;
        for (BsonValue input : arguments[0].asArray()) {
            if (input.isNull()) {
                return BsonNull.VALUE;
            }
            if (!input.isArray()) {
                throw ZIP_INVALID.because("$zip found a non-array expression in input: %s", Values.show(input));
            }
            int size = input.asArray().size();
            length = longest ? Math.max(length, size) : Math.min(length, size);
        }
        BsonArray zipped = new BsonArray();
        for (int i = 0; i < length; i++) {
            BsonArray row = new BsonArray();
            int column = 0;
            for (BsonValue input : arguments[0].asArray()) {
                boolean there = i < input.asArray().size();
                BsonValue otherwise = arguments[2].isArray()
                                && column < arguments[2].asArray().size()
                        ? arguments[2].asArray().get(column)
                        : BsonNull.VALUE;
                row.add(there ? input.asArray().get(i) : otherwise);
                column++;
            }
            zipped.add(row);
        }
        return zipped;
    }
}
