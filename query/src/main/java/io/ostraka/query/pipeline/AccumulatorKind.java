package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.FIRST_N_INVALID;
import static io.ostraka.core.error.ErrorCode.FIRST_N_NOT_POSITIVE;

import io.ostraka.query.collation.Collation;
import io.ostraka.query.expression.Percentiles;
import io.ostraka.query.pipeline.RankingAccumulator.Shape;
import io.ostraka.query.value.Values;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** One entry of the table of accumulators: its name, its form and how one is made. */
public final class AccumulatorKind {
    /** How the argument is written. */
    enum Form {
        /** One expression. */
        VALUE,
        /** Nothing: {@code {}}. */
        NOTHING,
        /** {@code {input, n}}. */
        FEW,
        /** {@code {sortBy, output}}. */
        RANKED,
        /** {@code {sortBy, output, n}}. */
        RANKED_FEW,
        /** {@code {input, method}}. */
        MEDIAN,
        /** {@code {input, p, method}}. */
        PERCENTILE
    }

    /** Makes an accumulator from {@code n} or {@code p}, which is null where the form has none. */
    @FunctionalInterface
    private interface Maker {
        Accumulator make(BsonValue parameter, Collation collation);
    }

    private static final Map<String, AccumulatorKind> TABLE = Collections.unmodifiableMap(new TreeMap<>(Map.ofEntries(
            entry("$addToSet", Form.VALUE, (_, collation) -> new CollectingAccumulators.AddToSet(collation)),
            entry("$avg", () -> new NumberAccumulators.Average()),
            entry("$bottom", Form.RANKED, (_, collation) -> new RankingAccumulator(Shape.BOTTOM, 1, true, collation)),
            entry(
                    "$bottomN",
                    Form.RANKED_FEW,
                    (n, collation) -> new RankingAccumulator(Shape.BOTTOM, count(n), false, collation)),
            entry("$count", Form.NOTHING, (_, _) -> new NumberAccumulators.Sum()),
            entry("$first", () -> new PickingAccumulators.First()),
            entry("$firstN", Form.FEW, (n, _) -> new FewAccumulators.Ends(true, count(n))),
            entry("$last", () -> new PickingAccumulators.Last()),
            entry("$lastN", Form.FEW, (n, _) -> new FewAccumulators.Ends(false, count(n))),
            entry("$max", Form.VALUE, (_, collation) -> new PickingAccumulators.Extreme(true, collation)),
            entry("$maxN", Form.FEW, (n, collation) -> new RankingAccumulator(Shape.MAX, count(n), false, collation)),
            entry("$median", Form.MEDIAN, (_, _) -> new FewAccumulators.Quantiles(Optional.empty())),
            entry("$mergeObjects", () -> new CollectingAccumulators.MergeObjects()),
            entry("$min", Form.VALUE, (_, collation) -> new PickingAccumulators.Extreme(false, collation)),
            entry("$minN", Form.FEW, (n, collation) -> new RankingAccumulator(Shape.MIN, count(n), false, collation)),
            entry(
                    "$percentile",
                    Form.PERCENTILE,
                    (parts, _) -> new FewAccumulators.Quantiles(Optional.of(Percentiles.checkParts(parts)))),
            entry("$push", () -> new CollectingAccumulators.Push()),
            entry("$stdDevPop", () -> new NumberAccumulators.Deviation(false)),
            entry("$stdDevSamp", () -> new NumberAccumulators.Deviation(true)),
            entry("$sum", () -> new NumberAccumulators.Sum()),
            entry("$top", Form.RANKED, (_, collation) -> new RankingAccumulator(Shape.TOP, 1, true, collation)),
            entry(
                    "$topN",
                    Form.RANKED_FEW,
                    (n, collation) -> new RankingAccumulator(Shape.TOP, count(n), false, collation)))));

    private final String name;
    private final Form form;
    private final Maker maker;

    private AccumulatorKind(String name, Form form, Maker maker) {
        this.name = name;
        this.form = form;
        this.maker = maker;
    }

    private static Map.Entry<String, AccumulatorKind> entry(String name, Supplier<Accumulator> maker) {
        return entry(name, Form.VALUE, (_, _) -> maker.get());
    }

    private static Map.Entry<String, AccumulatorKind> entry(String name, Form form, Maker maker) {
        return Map.entry(name, new AccumulatorKind(name, form, maker));
    }

    private static long count(BsonValue n) {
        if (!Values.isNumber(n) || !Values.isWhole(n)) {
            throw FIRST_N_INVALID.because("Value for 'n' must be of integral type, but found %s", Values.show(n));
        }
        if (Values.toLong(n) <= 0) {
            throw FIRST_N_NOT_POSITIVE.because("'n' must be greater than 0, found %s", Values.show(n));
        }
        return Values.toLong(n);
    }

    static Optional<AccumulatorKind> of(String name) {
        return Optional.ofNullable(TABLE.get(name));
    }

    /** Every accumulator there is, sorted. */
    public static List<String> names() {
        return Values.sorted(TABLE.keySet());
    }

    public String name() {
        return name;
    }

    Form form() {
        return form;
    }

    /**
     * @param parameter {@code n} or {@code p}, or {@link BsonNull}
     * @param collation how strings compare
     */
    Accumulator make(BsonValue parameter, Collation collation) {
        return maker.make(parameter, collation);
    }

    @Override
    public String toString() {
        return name;
    }
}
