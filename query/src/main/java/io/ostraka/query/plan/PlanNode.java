package io.ostraka.query.plan;

import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.geo.Near;
import io.ostraka.query.index.IndexBounds;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.sort.SortPattern;
import java.util.List;

/** A plan: a tree of what is done, leaves first. Immutable; run by {@code query.execute}. */
public sealed interface PlanNode {
    /** No collection, or a filter that nothing can match. */
    record Eof() implements PlanNode {}

    record CollectionScan(Filter filter, boolean backwards) implements PlanNode {}

    /**
     * A walk over an index's entries.
     *
     * @param multikey bit i is set where field i may have arrays: then a record may be met more than once
     * @param covered whether rows have documents made of the key's values, as nobody reads the whole ones
     */
    record IndexScan(IndexDefinition index, IndexBounds bounds, boolean backwards, long multikey, boolean covered)
            implements PlanNode {}

    /**
     * The different values of an index's first field: one entry of each, the others are passed over.
     *
     * @param path the field, at the top of documents
     */
    record DistinctScan(IndexDefinition index, IndexBounds bounds, FieldPath path) implements PlanNode {}

    /** An equality on {@code _id}: one entry, one document. */
    record IdLookup(IndexDefinition index, IndexBounds bounds) implements PlanNode {}

    /**
     * Documents by their distance from a point, nearest first: entries are looked for in wider and wider rings.
     *
     * @param bounds of the other parts of the keys
     * @param part which part of the keys holds the cells
     * @param path where documents have their place
     * @param filter all that is asked of the documents
     * @param told whether the documents tell their distances
     */
    record GeoNear(
            IndexDefinition index, IndexBounds bounds, int part, FieldPath path, Near near, Filter filter, boolean told)
            implements PlanNode {}

    /**
     * Reads documents that have some of the words and asks them the rest.
     *
     * @param required whether every document must match the words, which {@code filter} then leaves out
     * @param scored whether the documents tell how well they match
     */
    record TextMatch(PlanNode input, Filter.Text text, Filter filter, boolean required, boolean scored)
            implements PlanNode {}

    /** Reads the documents of index entries and asks them the rest of the filter. */
    record Fetch(PlanNode input, Filter filter) implements PlanNode {}

    /** Leaves out documents this shard does not own. */
    record ShardingFilter(PlanNode input) implements PlanNode {}

    /** The union of its inputs, each record once. Inputs give records, not whole documents. */
    record Or(List<PlanNode> inputs) implements PlanNode {
        public Or {
            inputs = List.copyOf(inputs);
        }
    }

    /** Sorted inputs as one, each record once. Inputs give whole documents. */
    record SortMerge(List<PlanNode> inputs, SortPattern by) implements PlanNode {
        public SortMerge {
            inputs = List.copyOf(inputs);
        }
    }

    /** @param limit most rows that are needed; 0 is all */
    record Sort(PlanNode input, SortPattern by, long limit) implements PlanNode {}

    record Skip(PlanNode input, long count) implements PlanNode {}

    record Limit(PlanNode input, long count) implements PlanNode {}

    /**
     * @param filter the query's, for a positional projection
     * @param untold whether what documents told until here is for nobody else
     */
    record Project(PlanNode input, Projection projection, boolean covered, Filter filter, boolean untold)
            implements PlanNode {}

    /** Rows of which only the number matters; what is in them may be left out. */
    record Count(PlanNode input) implements PlanNode {}

    /** What this takes rows from, in order. */
    default List<PlanNode> children() {
        return switch (this) {
            case Eof _, CollectionScan _, IndexScan _, IdLookup _, DistinctScan _, GeoNear _ -> List.of();
            case Or(var inputs) -> inputs;
            case SortMerge(var inputs, var unused) -> inputs;
            case Fetch fetch -> List.of(fetch.input());
            case TextMatch match -> List.of(match.input());
            case ShardingFilter(var input) -> List.of(input);
            case Sort sort -> List.of(sort.input());
            case Skip skip -> List.of(skip.input());
            case Limit limit -> List.of(limit.input());
            case Project project -> List.of(project.input());
            case Count(var input) -> List.of(input);
        };
    }
}
