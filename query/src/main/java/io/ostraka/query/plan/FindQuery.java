package io.ostraka.query.plan;

import static io.ostraka.core.check.Check.that;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.sort.SortPattern;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the planner is asked for.
 *
 * @param projection what is left of each document; empty where documents stay whole
 * @param skip documents left out from the first
 * @param limit most documents given; 0 is no limit
 * @param hint the index to use: its name as {@code {"": name}}, its key pattern, or {@code {$natural: ±1}}
 * @param backwards whether a collection scan goes from the last record to the first
 * @param collation how strings compare
 * @param countOnly whether only the number of documents matters, not what is in them
 * @param limits the part of the hinted index that is looked at, if not all
 * @param told what others need to know of the documents beside what is in them: given in fields of its own
 */
public record FindQuery(
        Filter filter,
        SortPattern sort,
        Optional<Projection> projection,
        long skip,
        long limit,
        Optional<RawDocument> hint,
        boolean backwards,
        boolean countOnly,
        Collation collation,
        Set<Metadata> told,
        Optional<KeyLimits> limits) {
    /** Where the whole index is looked at. */
    public FindQuery(
            Filter filter,
            SortPattern sort,
            Optional<Projection> projection,
            long skip,
            long limit,
            Optional<RawDocument> hint,
            boolean backwards,
            boolean countOnly,
            Collation collation,
            Set<Metadata> told) {
        this(filter, sort, projection, skip, limit, hint, backwards, countOnly, collation, told, Optional.empty());
    }

    /** Where strings compare by their bytes. */
    public FindQuery(
            Filter filter,
            SortPattern sort,
            Optional<Projection> projection,
            long skip,
            long limit,
            Optional<RawDocument> hint,
            boolean backwards,
            boolean countOnly) {
        this(filter, sort, projection, skip, limit, hint, backwards, countOnly, Collation.SIMPLE, Set.of());
    }

    public FindQuery {
        told = Set.copyOf(told);
        that(skip >= 0 && limit >= 0, "skip and limit are not negative");
    }

    /** All documents that match, whole, in any order. */
    public static FindQuery of(Filter filter) {
        return new FindQuery(filter, SortPattern.NATURAL, Optional.empty(), 0, 0, Optional.empty(), false, false);
    }

    public FindQuery sorted(SortPattern by) {
        return new FindQuery(filter, by, projection, skip, limit, hint, backwards, countOnly, collation, told, limits);
    }

    public FindQuery projected(Projection by) {
        return new FindQuery(
                filter, sort, Optional.of(by), skip, limit, hint, backwards, countOnly, collation, told, limits);
    }

    public FindQuery skipping(long count) {
        return new FindQuery(
                filter, sort, projection, count, limit, hint, backwards, countOnly, collation, told, limits);
    }

    public FindQuery limited(long count) {
        return new FindQuery(
                filter, sort, projection, skip, count, hint, backwards, countOnly, collation, told, limits);
    }

    public FindQuery hinted(RawDocument index) {
        return new FindQuery(
                filter,
                sort,
                projection,
                skip,
                limit,
                Optional.of(index),
                backwards,
                countOnly,
                collation,
                told,
                limits);
    }

    /** The same, free to use any index. */
    public FindQuery unhinted() {
        return new FindQuery(
                filter, sort, projection, skip, limit, Optional.empty(), backwards, countOnly, collation, told, limits);
    }

    public FindQuery counting() {
        return new FindQuery(filter, sort, projection, skip, limit, hint, backwards, true, collation, told, limits);
    }

    /** The same, where strings compare by these rules. */
    public FindQuery collated(Collation rules) {
        return new FindQuery(filter, sort, projection, skip, limit, hint, backwards, countOnly, rules, told, limits);
    }

    /** The same, of a part of the hinted index. */
    public FindQuery within(KeyLimits keys) {
        return new FindQuery(
                filter, sort, projection, skip, limit, hint, backwards, countOnly, collation, told, Optional.of(keys));
    }

    /** The same, whose documents tell others something beside what is in them. */
    public FindQuery telling(Set<Metadata> metadata) {
        return new FindQuery(
                filter, sort, projection, skip, limit, hint, backwards, countOnly, collation, metadata, limits);
    }

    /** The same, asking for other documents. */
    public FindQuery filtered(Filter other) {
        return new FindQuery(other, sort, projection, skip, limit, hint, backwards, countOnly, collation, told, limits);
    }

    /** All that must be known of the documents beside what is in them. */
    public Set<Metadata> metadata() {
        Set<Metadata> all = new HashSet<>(told);
        all.addAll(sort.metadata());
        projection.ifPresent(each -> all.addAll(each.metadata()));
        return all;
    }
}
