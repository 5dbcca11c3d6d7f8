package io.ostraka.query.filter;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.ValueTest.Comparison;
import io.ostraka.query.regex.Pattern;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonUndefined;
import org.bson.BsonValue;

/**
 * Which values an indexed path of a matching document can have. What an index holds is meant: null where the path is
 * missing, undefined for an empty array, each element of an array.
 */
public final class FilterBounds {
    /**
     * Bounds of one path.
     *
     * @param intervals at least one key of every matching document is in these
     * @param exact a document whose only key is in these matches, as far as this path goes
     */
    public record Bounds(Intervals intervals, boolean exact) {
        static final Bounds ALL = new Bounds(Intervals.ALL, false);
    }

    private FilterBounds() {}

    /**
     * Asks a filter for the bounds of a path.
     *
     * @param single whether documents have one key on this path, as no array lies on it; else conditions on the same
     *     path may be met by different elements, and only one of them can bound the keys
     */
    public static Bounds of(Filter filter, FieldPath path, boolean single) {
        return switch (filter) {
            case Filter.And(var all) -> {
                Bounds bounds = Bounds.ALL;
                boolean first = true;
                for (Filter part : all) {
                    Bounds next = of(part, path, single);
                    if (!next.intervals.isAll()) {
                        bounds = first ? next : both(bounds, next, single);
                        first = false;
                    }
                }
                yield bounds;
            }
            case Filter.Or(var any) -> {
                List<Interval> all = new ArrayList<>();
                boolean exact = true;
                for (Filter part : any) {
                    Bounds bounds = of(part, path, single);
                    all.addAll(bounds.intervals.list());
                    // A part with conditions elsewhere is wider here than there.
                    exact &= bounds.exact && part instanceof Filter.Field;
                }
                yield new Bounds(Intervals.union(all), exact);
            }
            case Filter.Field(var where, var test) -> field(where, test, path, single);
            case Filter.Always(var matches) -> matches ? Bounds.ALL : new Bounds(Intervals.NONE, true);
            case Filter.Nor _, Filter.Expr _, Filter.Schema _, Filter.Text _ -> Bounds.ALL;
        };
    }

    private static Bounds both(Bounds one, Bounds other, boolean single) {
        if (single) {
            return new Bounds(one.intervals.intersect(other.intervals), one.exact && other.exact);
        }
        return new Bounds(width(one.intervals) <= width(other.intervals) ? one.intervals : other.intervals, false);
    }

    /** Points before ranges, few before many, closed types before open ends. */
    private static int width(Intervals intervals) {
        return intervals.isPoints()
                ? intervals.list().size()
                : 1_000_000 + intervals.list().size();
    }

    private static Bounds field(FieldPath where, ValueTest test, FieldPath path, boolean single) {
        if (where.equals(path)) {
            return test(test, single);
        }
        if (where.isPrefixOf(path) && test instanceof ValueTest.ElementMatches(var inner)) {
            Bounds bounds = of(inner, path.from(where.length()), false);
            return new Bounds(bounds.intervals, false);
        }
        return Bounds.ALL;
    }

    private static Bounds test(ValueTest test, boolean single) {
        return switch (test) {
            case ValueTest.Compare(var comparison, var operand) -> compare(comparison, operand);
            case ValueTest.In(var values, var patterns) -> {
                List<Interval> all = new ArrayList<>();
                boolean exact = patterns.isEmpty();
                for (BsonValue value : values) {
                    Bounds bounds = compare(Comparison.EQUAL, value);
                    all.addAll(bounds.intervals.list());
                    exact &= bounds.exact;
                }
                patterns.forEach(pattern -> all.addAll(pattern(pattern).list()));
                yield new Bounds(Intervals.union(all), exact);
            }
            case ValueTest.Matches matches -> new Bounds(pattern(matches), false);
            case ValueTest.Mod _ -> new Bounds(Intervals.of(TypeRange.of(BsonType.INT32)), false);
            case ValueTest.ElementIs(var all) -> {
                Bounds bounds = Bounds.ALL;
                for (ValueTest part : all) {
                    // One element meets them all, so its key is in all of them.
                    bounds = new Bounds(bounds.intervals.intersect(elementBounds(part)), false);
                }
                yield bounds;
            }
            case ValueTest.AllOf(var all) -> {
                Bounds bounds = Bounds.ALL;
                for (ValueTest part : all) {
                    bounds = both(bounds, test(part, single), false);
                }
                yield all.isEmpty() ? new Bounds(Intervals.NONE, true) : bounds;
            }
            case ValueTest.Not(var all) -> not(all);
            case ValueTest.Exists _,
                    ValueTest.TypeIs _,
                    ValueTest.Size _,
                    ValueTest.BitTest _,
                    ValueTest.GeoWithin _,
                    ValueTest.GeoIntersects _,
                    ValueTest.IsNear _,
                    ValueTest.ElementMatches _ -> Bounds.ALL;
        };
    }

    /** What looks into an element that is an array says nothing of that array's own key. */
    private static Intervals elementBounds(ValueTest test) {
        return switch (test) {
            case ValueTest.Compare _, ValueTest.In _, ValueTest.Matches _, ValueTest.Mod _, ValueTest.Not _ ->
                test(test, true).intervals;
            case ValueTest.Exists _,
                    ValueTest.TypeIs _,
                    ValueTest.Size _,
                    ValueTest.BitTest _,
                    ValueTest.GeoWithin _,
                    ValueTest.GeoIntersects _,
                    ValueTest.IsNear _,
                    ValueTest.ElementMatches _,
                    ValueTest.ElementIs _,
                    ValueTest.AllOf _ -> Intervals.ALL;
        };
    }

    private static Bounds not(List<ValueTest> all) {
        if (all.size() != 1) {
            return Bounds.ALL;
        }
        if (all.getFirst() instanceof ValueTest.Exists) {
            return new Bounds(Intervals.of(Interval.closed(new BsonUndefined(), BsonNull.VALUE)), false);
        }
        if (all.getFirst() instanceof ValueTest.Compare || all.getFirst() instanceof ValueTest.In) {
            Bounds inner = test(all.getFirst(), true);
            return inner.exact ? new Bounds(inner.intervals.complement(), false) : Bounds.ALL;
        }
        return Bounds.ALL;
    }

    private static Bounds compare(Comparison comparison, BsonValue operand) {
        return switch (operand.getBsonType()) {
            case NULL ->
                comparison == Comparison.GREATER || comparison == Comparison.LESS
                        ? new Bounds(Intervals.NONE, true)
                        : new Bounds(Intervals.of(Interval.point(operand)), false);
            case ARRAY -> array(comparison, operand.asArray());
            case MIN_KEY, MAX_KEY ->
                comparison == Comparison.EQUAL ? new Bounds(Intervals.of(Interval.point(operand)), true) : Bounds.ALL;
            case REGULAR_EXPRESSION, DOCUMENT ->
                comparison == Comparison.EQUAL
                        ? new Bounds(Intervals.of(Interval.point(operand)), true)
                        : new Bounds(Intervals.of(TypeRange.of(operand.getBsonType())), false);
            default -> scalar(comparison, operand);
        };
    }

    private static Bounds scalar(Comparison comparison, BsonValue operand) {
        Interval type = TypeRange.of(operand.getBsonType());
        Intervals reach = Intervals.of(type);
        boolean nan = Values.isNumber(operand) && Double.isNaN(Values.toDouble(operand));
        boolean exact = !type.isAll();
        if (nan && comparison != Comparison.EQUAL) {
            boolean equality = comparison == Comparison.GREATER_OR_EQUAL || comparison == Comparison.LESS_OR_EQUAL;
            return new Bounds(equality ? Intervals.of(Interval.point(operand)) : Intervals.NONE, true);
        }
        BsonValue low = type.low();
        boolean isNumber = Values.isNumber(operand);
        boolean lowInclusive = type.lowInclusive();
        if (isNumber) {
            low = new org.bson.BsonDouble(Double.NEGATIVE_INFINITY); // below it is only NaN, which is not less
        }
        Interval wanted = switch (comparison) {
            case EQUAL -> Interval.point(operand);
            case GREATER -> new Interval(operand, false, type.high(), type.highInclusive());
            case GREATER_OR_EQUAL -> new Interval(operand, true, type.high(), type.highInclusive());
            case LESS -> new Interval(low, lowInclusive, operand, false);
            case LESS_OR_EQUAL -> new Interval(low, lowInclusive, operand, true);
        };
        return new Bounds(
                comparison == Comparison.EQUAL
                        ? Intervals.of(wanted)
                        : Intervals.of(wanted).intersect(reach),
                comparison == Comparison.EQUAL || exact);
    }

    private static Bounds array(Comparison comparison, BsonArray operand) {
        if (comparison != Comparison.EQUAL) {
            return Bounds.ALL;
        }
        // The array is a whole element of another array, or the array at the path, of which an index holds elements.
        BsonValue first = operand.isEmpty() ? new BsonUndefined() : operand.get(0);
        return new Bounds(Intervals.union(List.of(Interval.point(operand), Interval.point(first))), false);
    }

    private static Intervals pattern(ValueTest.Matches matches) {
        Interval strings = Pattern.of(matches.pattern(), matches.options())
                .prefix()
                .map(prefix -> Interval.upTo(new BsonString(prefix), next(prefix)))
                .orElse(TypeRange.of(BsonType.STRING));
        return Intervals.union(
                List.of(strings, Interval.point(new BsonRegularExpression(matches.pattern(), matches.options()))));
    }

    /** The smallest string greater than all that begin with a prefix, or the end of strings. */
    private static BsonValue next(String text) {
        char last = text.charAt(text.length() - 1);
        if (Character.isSurrogate((char) (last + 1)) || Character.isSurrogate(last) || last == Character.MAX_VALUE) {
            return TypeRange.of(BsonType.STRING).high();
        }
        return new BsonString(text.substring(0, text.length() - 1) + (char) (last + 1));
    }

    /**
     * The values a filter demands paths to equal, in the order of the filter: what an upsert begins with, and what
     * names one owner of a shard key. Follows conjunctions, {@code $in} and {@code $all} of one value, {@code $or} of
     * one part. Null counts as a value.
     */
    public static Map<FieldPath, BsonValue> equalities(Filter filter) {
        Map<FieldPath, BsonValue> found = new LinkedHashMap<>();
        collect(filter, found);
        return found;
    }

    /**
     * The values a filter demands of all these paths, in their order, or nothing if it leaves one open. A path below a
     * demanded document takes its value from there.
     */
    public static Optional<List<BsonValue>> equalities(Filter filter, List<FieldPath> paths) {
        Map<FieldPath, BsonValue> found = equalities(filter);
        List<BsonValue> values = new ArrayList<>();
        for (FieldPath path : paths) {
            BsonValue value = found.get(path);
            for (int length = path.length() - 1; value == null && length > 0; length--) {
                BsonValue above = found.get(path.prefix(length));
                if (above != null && above.isDocument()) {
                    RawCursor below = path.from(length).find(RawDocument.of(above.asDocument()));
                    value = below == null ? BsonNull.VALUE : below.value();
                }
            }
            if (value == null) {
                return Optional.empty();
            }
            values.add(value);
        }
        return Optional.of(values);
    }

    private static void collect(Filter filter, Map<FieldPath, BsonValue> found) {
        switch (filter) {
            case Filter.And(var all) -> all.forEach(part -> collect(part, found));
            case Filter.Or(var any) when any.size() == 1 -> collect(any.getFirst(), found);
            case Filter.Field(var path, ValueTest.Compare(var comparison, var operand))
            when comparison == Comparison.EQUAL -> found.putIfAbsent(path, operand);
            case Filter.Field(var path, ValueTest.In(var values, var patterns))
            when values.size() == 1 && patterns.isEmpty() -> found.putIfAbsent(path, values.getFirst());
            case Filter.Field(var path, ValueTest.AllOf(var all))
            when all.size() == 1 -> collect(new Filter.Field(path, all.getFirst()), found);
            case Filter.Or _,
                    Filter.Field _,
                    Filter.Nor _,
                    Filter.Expr _,
                    Filter.Schema _,
                    Filter.Text _,
                    Filter.Always _ -> {}
        }
    }
}
