package io.ostraka.query.run;

import io.ostraka.core.check.Check;

/**
 * Bounds of one query. What sorts or groups holds no more than this in memory; past it the query ends with 292.
 *
 * @param sortBytesMax bytes of documents and keys one sort may hold
 * @param groupBytesMax bytes of keys and accumulated values one group may hold
 * @param scanRangesMax ranges one index scan may be cut into by points of several fields
 */
public record QueryLimits(long sortBytesMax, long groupBytesMax, int scanRangesMax) {
    /** MongoDB's own bound for sorting and grouping without disk. */
    public static final QueryLimits DEFAULT = new QueryLimits(100L << 20, 100L << 20, 4_000);

    public QueryLimits {
        Check.that(sortBytesMax >= 16 << 20, "a sort holds at least one document");
        Check.that(groupBytesMax >= 16 << 20, "a group holds at least one document");
        Check.that(scanRangesMax >= 1, "a scan has a range");
    }
}
