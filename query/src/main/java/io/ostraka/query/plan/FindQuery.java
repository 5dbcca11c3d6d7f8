package io.ostraka.query.plan;

import static io.ostraka.core.check.Check.that;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.sort.SortPattern;
import java.util.Optional;

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
        Collation collation) {
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
        this(filter, sort, projection, skip, limit, hint, backwards, countOnly, Collation.SIMPLE);
    }

    public FindQuery {
        that(skip >= 0 && limit >= 0, "skip and limit are not negative");
    }

    /** All documents that match, whole, in any order. */
    public static FindQuery of(Filter filter) {
        return new FindQuery(filter, SortPattern.NATURAL, Optional.empty(), 0, 0, Optional.empty(), false, false);
    }

    public FindQuery sorted(SortPattern by) {
        return new FindQuery(filter, by, projection, skip, limit, hint, backwards, countOnly, collation);
    }

    public FindQuery projected(Projection by) {
        return new FindQuery(filter, sort, Optional.of(by), skip, limit, hint, backwards, countOnly, collation);
    }

    public FindQuery skipping(long count) {
        return new FindQuery(filter, sort, projection, count, limit, hint, backwards, countOnly, collation);
    }

    public FindQuery limited(long count) {
        return new FindQuery(filter, sort, projection, skip, count, hint, backwards, countOnly, collation);
    }

    public FindQuery hinted(RawDocument index) {
        return new FindQuery(
                filter, sort, projection, skip, limit, Optional.of(index), backwards, countOnly, collation);
    }

    public FindQuery counting() {
        return new FindQuery(filter, sort, projection, skip, limit, hint, backwards, true, collation);
    }

    /** The same, where strings compare by these rules. */
    public FindQuery collated(Collation rules) {
        return new FindQuery(filter, sort, projection, skip, limit, hint, backwards, countOnly, rules);
    }
}
