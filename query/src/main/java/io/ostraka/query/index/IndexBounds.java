package io.ostraka.query.index;

import io.ostraka.core.key.HashedValue;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.KeyStringBuilder;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterBounds;
import io.ostraka.query.filter.FilterBounds.Bounds;
import io.ostraka.query.filter.Interval;
import io.ostraka.query.filter.Intervals;
import io.ostraka.query.filter.TextFilters;
import io.ostraka.query.text.TextStems;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * Where in an index, or among the chunks of a shard key, documents that match a filter can be.
 *
 * @param over what the parts of the keys are: the index's fields, of a wildcard the path and the field that is meant
 * @param fields bounds of each part, as explain shows them; those of a hashed field are hashes
 * @param bounded how many leading fields the ranges make use of
 * @param ranges sorted, apart from each other
 */
public record IndexBounds(List<IndexField> over, List<Intervals> fields, int bounded, List<KeyRange> ranges) {
    public IndexBounds {
        over = List.copyOf(over);
        fields = List.copyOf(fields);
        ranges = List.copyOf(ranges);
    }

    /**
     * Asks a filter.
     *
     * @param multikey bit i is set where an array may lie on field i's path
     * @param rangesMax points of further fields are no longer told apart past this many ranges
     */
    public static IndexBounds of(List<IndexField> fields, Filter filter, long multikey, int rangesMax) {
        List<Intervals> intervals = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            IndexField field = fields.get(i);
            Bounds bounds = FilterBounds.of(filter, field.path(), (multikey >>> i & 1) == 0);
            intervals.add(field.isHashed() ? hashed(bounds.intervals()) : bounds.intervals());
        }
        return of(fields, intervals, rangesMax);
    }

    /** Asks a filter for the bounds of an index, which is no wildcard. */
    public static IndexBounds of(IndexDefinition index, Filter filter, long multikey, int rangesMax) {
        if (index.isOrdered()) {
            return of(index.fields(), filter, multikey, rangesMax);
        }
        List<Intervals> intervals = new ArrayList<>();
        for (int i = 0; i < index.fields().size(); i++) {
            IndexField field = index.fields().get(i);
            intervals.add(
                    switch (field.kind()) {
                        case SPHERE, PLANAR -> GeoBounds.of(filter, field.path(), index.method());
                        case TEXT -> words(filter, index.method());
                        case ASCENDING, DESCENDING, HASHED ->
                            FilterBounds.of(filter, field.path(), (multikey >>> i & 1) == 0)
                                    .intervals();
                    });
        }
        return of(index.fields(), intervals, rangesMax);
    }

    private static Intervals words(Filter filter, AccessMethod method) {
        Optional<Filter.Text> text = TextFilters.required(filter);
        if (text.isEmpty() || !(method instanceof AccessMethod.Text(var rules))) {
            return Intervals.ALL;
        }
        return Intervals.union(text.get().query().stems(rules).stream()
                .map(stem -> Interval.point(new BsonString(TextStems.key(stem))))
                .toList());
    }

    /** The same, where one part of the keys is bounded otherwise. */
    public IndexBounds with(int part, Intervals intervals, int rangesMax) {
        List<Intervals> changed = new ArrayList<>(fields);
        changed.set(part, intervals);
        return of(over, changed, rangesMax);
    }

    /** Of intervals that are known. */
    static IndexBounds of(List<IndexField> fields, List<Intervals> intervals, int rangesMax) {
        if (intervals.stream().anyMatch(Intervals::isNone)) {
            return new IndexBounds(fields, intervals, 0, List.of());
        }
        int bounded = 0;
        long points = 1;
        while (bounded < intervals.size() && !intervals.get(bounded).isAll()) {
            points *= intervals.get(bounded).list().size();
            if (points > rangesMax && bounded > 0) {
                break;
            }
            bounded++;
            if (!intervals.get(bounded - 1).isPoints()) {
                break;
            }
        }
        List<KeyRange> ranges = new ArrayList<>();
        collect(fields, intervals, bounded, 0, KeyString.builder(), ranges);
        return new IndexBounds(fields, intervals, bounded, ranges);
    }

    /** Whether the first fields, this many of them, each have one value only. */
    public int leadingPoints() {
        int count = 0;
        while (count < bounded && fields.get(count).isPoint()) {
            count++;
        }
        return count;
    }

    private static Intervals hashed(Intervals intervals) {
        if (!intervals.isPoints()) {
            return intervals.isNone() ? intervals : Intervals.ALL;
        }
        return Intervals.union(intervals.list().stream()
                .map(point -> Interval.point(new BsonInt64(HashedValue.of(point.low()))))
                .toList());
    }

    private static void collect(
            List<IndexField> fields,
            List<Intervals> intervals,
            int bounded,
            int at,
            KeyStringBuilder prefix,
            List<KeyRange> ranges) {
        if (at == bounded) {
            ranges.add(new KeyRange(prefix.before(), prefix.after()));
            return;
        }
        boolean down = fields.get(at).isDescending();
        List<Interval> inOrder =
                down ? intervals.get(at).list().reversed() : intervals.get(at).list();
        for (Interval interval : inOrder) {
            if (interval.isPoint()) {
                collect(fields, intervals, bounded, at + 1, prefix.copy().add(interval.low(), down), ranges);
                continue;
            }
            KeyStringBuilder low = prefix.copy().add(interval.low(), down);
            KeyStringBuilder high = prefix.copy().add(interval.high(), down);
            byte[] fromLow = interval.lowInclusive() == !down ? low.before() : low.after();
            byte[] fromHigh = interval.highInclusive() == !down ? high.after() : high.before();
            ranges.add(down ? new KeyRange(fromHigh, fromLow) : new KeyRange(fromLow, fromHigh));
        }
    }
}
