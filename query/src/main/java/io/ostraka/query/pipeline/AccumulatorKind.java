package io.ostraka.query.pipeline;

import io.ostraka.query.value.Values;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** One entry of the table of accumulators: its name and how one is made. */
public final class AccumulatorKind {
    private static final Map<String, AccumulatorKind> TABLE = Collections.unmodifiableMap(new TreeMap<>(Map.ofEntries(
            entry("$addToSet", () -> new CollectingAccumulators.AddToSet()),
            entry("$avg", () -> new NumberAccumulators.Average()),
            entry("$count", () -> new NumberAccumulators.Sum()),
            entry("$first", () -> new PickingAccumulators.First()),
            entry("$last", () -> new PickingAccumulators.Last()),
            entry("$max", () -> new PickingAccumulators.Extreme(true)),
            entry("$mergeObjects", () -> new CollectingAccumulators.MergeObjects()),
            entry("$min", () -> new PickingAccumulators.Extreme(false)),
            entry("$push", () -> new CollectingAccumulators.Push()),
            entry("$stdDevPop", () -> new NumberAccumulators.Deviation(false)),
            entry("$stdDevSamp", () -> new NumberAccumulators.Deviation(true)),
            entry("$sum", () -> new NumberAccumulators.Sum()))));

    private final String name;
    private final Supplier<Accumulator> maker;

    private AccumulatorKind(String name, Supplier<Accumulator> maker) {
        this.name = name;
        this.maker = maker;
    }

    private static Map.Entry<String, AccumulatorKind> entry(String name, Supplier<Accumulator> maker) {
        return Map.entry(name, new AccumulatorKind(name, maker));
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

    Accumulator make() {
        return maker.get();
    }

    @Override
    public String toString() {
        return name;
    }
}
