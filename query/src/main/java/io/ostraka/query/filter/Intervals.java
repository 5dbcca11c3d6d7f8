package io.ostraka.query.filter;

import io.ostraka.core.bson.ValueOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;

/** A set of values as intervals: sorted, apart from each other, none empty. */
public record Intervals(List<Interval> list) {
    public static final Intervals ALL = new Intervals(List.of(Interval.ALL));
    public static final Intervals NONE = new Intervals(List.of());

    private static final Comparator<Interval> BY_LOW =
            Comparator.comparing(Interval::low, ValueOrder.ORDER).thenComparing(interval -> !interval.lowInclusive());

    public Intervals {
        list = List.copyOf(list);
    }

    public static Intervals of(Interval interval) {
        return interval.isEmpty() ? NONE : new Intervals(List.of(interval));
    }

    public boolean isAll() {
        return list.size() == 1 && list.getFirst().isAll();
    }

    public boolean isNone() {
        return list.isEmpty();
    }

    /** Whether there are single values only, at least one. */
    public boolean isPoints() {
        return !list.isEmpty() && list.stream().allMatch(Interval::isPoint);
    }

    public boolean isPoint() {
        return list.size() == 1 && list.getFirst().isPoint();
    }

    public Intervals union(Intervals other) {
        List<Interval> all = new ArrayList<>(list);
        all.addAll(other.list);
        return union(all);
    }

    /** The union of intervals in any order. */
    public static Intervals union(List<Interval> intervals) {
        List<Interval> sorted = new ArrayList<>(intervals);
        sorted.removeIf(Interval::isEmpty);
        sorted.sort(BY_LOW);
        List<Interval> merged = new ArrayList<>();
        for (Interval next : sorted) {
            Interval last = merged.isEmpty() ? null : merged.getLast();
            if (last == null || !touches(last, next)) {
                merged.add(next);
                continue;
            }
            int order = ValueOrder.ORDER.compare(last.high(), next.high());
            boolean inclusive = order == 0
                    ? last.highInclusive() || next.highInclusive()
                    : order > 0 ? last.highInclusive() : next.highInclusive();
            merged.set(
                    merged.size() - 1,
                    new Interval(last.low(), last.lowInclusive(), order >= 0 ? last.high() : next.high(), inclusive));
        }
        return new Intervals(merged);
    }

    private static boolean touches(Interval left, Interval right) {
        int order = ValueOrder.ORDER.compare(left.high(), right.low());
        return order > 0 || order == 0 && (left.highInclusive() || right.lowInclusive());
    }

    public Intervals intersect(Intervals other) {
        List<Interval> common = new ArrayList<>();
        int mine = 0;
        int theirs = 0;
        while (mine < list.size() && theirs < other.list.size()) {
            Interval a = list.get(mine);
            Interval b = other.list.get(theirs);
            Interval both = intersect(a, b);
            if (!both.isEmpty()) {
                common.add(both);
            }
            int order = ValueOrder.ORDER.compare(a.high(), b.high());
            if (order < 0 || order == 0 && !a.highInclusive()) {
                mine++;
            } else {
                theirs++;
            }
        }
        return new Intervals(common);
    }

    private static Interval intersect(Interval a, Interval b) {
        int byLow = ValueOrder.ORDER.compare(a.low(), b.low());
        int byHigh = ValueOrder.ORDER.compare(a.high(), b.high());
        BsonValue low = byLow >= 0 ? a.low() : b.low();
        BsonValue high = byHigh <= 0 ? a.high() : b.high();
        boolean lowInclusive =
                byLow == 0 ? a.lowInclusive() && b.lowInclusive() : byLow > 0 ? a.lowInclusive() : b.lowInclusive();
        boolean highInclusive = byHigh == 0
                ? a.highInclusive() && b.highInclusive()
                : byHigh < 0 ? a.highInclusive() : b.highInclusive();
        return new Interval(low, lowInclusive, high, highInclusive);
    }

    /** All other values. */
    public Intervals complement() {
        List<Interval> rest = new ArrayList<>();
        BsonValue low = new BsonMinKey();
        boolean lowInclusive = true;
        for (Interval interval : list) {
            rest.add(new Interval(low, lowInclusive, interval.low(), !interval.lowInclusive()));
            low = interval.high();
            lowInclusive = !interval.highInclusive();
        }
        rest.add(new Interval(low, lowInclusive, new BsonMaxKey(), true));
        rest.removeIf(Interval::isEmpty);
        return new Intervals(rest);
    }

    public boolean contains(BsonValue value) {
        for (Interval interval : list) {
            int byLow = ValueOrder.ORDER.compare(value, interval.low());
            int byHigh = ValueOrder.ORDER.compare(value, interval.high());
            if ((byLow > 0 || byLow == 0 && interval.lowInclusive())
                    && (byHigh < 0 || byHigh == 0 && interval.highInclusive())) {
                return true;
            }
        }
        return false;
    }
}
