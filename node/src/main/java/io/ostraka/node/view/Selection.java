package io.ostraka.node.view;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.path.FieldPath;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.Row;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.TextFilters;
import io.ostraka.query.filter.ValueTest;
import io.ostraka.query.index.AccessMethod;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexField;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.plan.PlannedIndex;
import io.ostraka.query.plan.Planner;
import io.ostraka.query.run.RunContext;
import java.util.List;
import java.util.Optional;

/**
 * A query and the world it runs in: planned and opened on whatever View it is given.
 *
 * @param query what is asked for
 * @param test its filter, compiled
 */
public record Selection(FindQuery query, DocumentTest test, RunContext context) {
    public static Selection of(FindQuery query, RunContext context) {
        Filter filter = query.filter();
        return new Selection(query, FilterCompiler.compile(filter, context), context);
    }

    /** The plan on a collection, which leaves out what this shard does not own. */
    public PlanChoice choose(View view, CollectionEntry collection) {
        List<PlannedIndex> indexes = CollectionSource.indexes(collection);
        Optional<List<PlannedIndex>> allowed = view.plans().allowed(collection.ident(), query, indexes);
        List<PlanNode> plans = Planner.candidates(
                allowed.isPresent() ? query.unhinted() : query,
                allowed.orElse(indexes),
                shardKey(collection),
                context.limits());
        PlanChoice choice = PlanChoice.of(plans, query, view, collection, context);
        return allowed.isPresent() ? choice.filtered() : choice;
    }

    /** Runs it for the different values of a path; rows hold at least those. */
    public Execution openDistinct(View view, CollectionEntry collection, FieldPath path) {
        Optional<PlanNode> scan = distinct(collection, path);
        return scan.isPresent()
                ? Execution.open(scan.get(), new CollectionSource(view, collection), context)
                : open(view, collection);
    }

    /** The plan by an index alone, where there is one. */
    public Optional<PlanNode> distinct(CollectionEntry collection, FieldPath path) {
        return Planner.distinct(
                query, path, CollectionSource.indexes(collection), shardKey(collection), context.limits());
    }

    /** The filter as the collection understands it: for documents that are read again under a lock. */
    public DocumentTest test(CollectionEntry collection) {
        if (!TextFilters.isIn(query.filter())) {
            return test;
        }
        return CollectionSource.definitions(Optional.of(collection)).stream()
                .filter(index -> index.method() instanceof AccessMethod.Text)
                .map(index -> TextFilters.on(query.filter(), ((AccessMethod.Text) index.method()).rules()))
                .findFirst()
                .map(filter -> FilterCompiler.compile(filter, context))
                .orElse(test);
    }

    /** Runs it. The View stays its owner's and must outlive what is returned. */
    public Execution open(View view, CollectionEntry collection) {
        PlanChoice choice = choose(view, collection);
        Execution execution = Execution.open(choice.plan(), new CollectionSource(view, collection), context);
        choice.cached()
                .ifPresent(cached -> execution.whenClosed(counters -> {
                    if (cached.isWorse(counters.keysExamined() + counters.docsExamined(), counters.returned())) {
                        view.plans().remove(cached.collection(), cached.shape());
                    }
                }));
        return execution;
    }

    /** The first document. By {@code {_id: value}} alone it is looked up as its plan would, without making one. */
    public Optional<Row> first(View view, CollectionEntry collection) {
        Optional<KeyString> id = id(collection);
        if (id.isPresent()) {
            return Lookup.planned(view, collection, id.get()).map(found -> new Row(found.id(), found.document()));
        }
        try (Execution execution = open(view, collection)) {
            return Optional.ofNullable(execution.next());
        }
    }

    /** What is looked for, where nothing but an {@code _id} is asked for. */
    private Optional<KeyString> id(CollectionEntry collection) {
        boolean plain = query.hint().isEmpty() && query.projection().isEmpty() && query.skip() == 0;
        if (plain
                && query.filter() instanceof Filter.Field(var path, ValueTest.Compare(var comparison, var value))
                && comparison == ValueTest.Comparison.EQUAL
                && path.text().equals("_id")
                && Lookup.isOneValue(value.getBsonType())
                && (!value.isString()
                        || query.collation().isSimple()
                                && collection.collation().isSimple())) {
            return Optional.of(KeyString.of(value));
        }
        return Optional.empty();
    }

    private static Optional<List<IndexField>> shardKey(CollectionEntry collection) {
        return collection
                .ownership()
                .map(ownership ->
                        IndexDefinition.fields(RawDocument.of(ownership.key().pattern())));
    }
}
