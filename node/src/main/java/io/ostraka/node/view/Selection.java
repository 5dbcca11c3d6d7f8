package io.ostraka.node.view;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexField;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.plan.Planner;
import io.ostraka.query.run.RunContext;
import java.util.List;
import java.util.Optional;

/**
 * A query and the world it runs in: planned and opened on whatever View it is given.
 *
 * @param query what is asked for
 * @param test its filter, compiled: for documents that are read again under a lock
 */
public record Selection(FindQuery query, DocumentTest test, RunContext context) {
    public static Selection of(FindQuery query, RunContext context) {
        Filter filter = query.filter();
        return new Selection(query, FilterCompiler.compile(filter, context), context);
    }

    /** The plan on a collection, which leaves out what this shard does not own. */
    public PlanNode plan(CollectionEntry collection) {
        return Planner.plan(query, CollectionSource.indexes(collection), shardKey(collection), context.limits());
    }

    /** Runs it. The View stays its owner's and must outlive what is returned. */
    public Execution open(View view, CollectionEntry collection) {
        return Execution.open(plan(collection), new CollectionSource(view, collection), context);
    }

    private static Optional<List<IndexField>> shardKey(CollectionEntry collection) {
        return collection
                .ownership()
                .map(ownership ->
                        IndexDefinition.fields(RawDocument.of(ownership.key().pattern())));
    }
}
