package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.ResolvedView;
import io.ostraka.node.view.CollectionSource;
import io.ostraka.node.view.Selection;
import io.ostraka.node.view.View;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.ForeignCollections;
import io.ostraka.query.run.RunContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** Reads other collections of a database from the same View as the command reads its own. */
final class ForeignReads implements ForeignCollections {
    private final View view;
    private final String database;
    private final RunContext context;

    private ForeignReads(View view, String database, RunContext context) {
        this.view = view;
        this.database = database;
        this.context = context;
    }

    /** The context of a command that reads this View, which must outlive what is read. */
    static RunContext in(View view, String database, RunContext context) {
        return context.with(new ForeignReads(view, database, context));
    }

    @Override
    public DocumentStream read(Optional<String> collection, List<RawDocument> stages, BsonDocument let) {
        RunContext own = context.with(this);
        Optional<ResolvedView> shown =
                collection.flatMap(name -> ResolvedView.of(view.catalog(), new Namespace(database, name)));
        List<RawDocument> all =
                new ArrayList<>(shown.map(ResolvedView::pipeline).orElse(List.of()));
        all.addAll(stages);
        Pipeline pipeline = Pipeline.parse(all, Variables.of(let, context));
        if (collection.isEmpty()) {
            return pipeline.open(DocumentStream.of(List.of()), own);
        }
        Namespace source = shown.map(ResolvedView::source).orElseGet(() -> new Namespace(database, collection.get()));
        Pipeline.Pushdown pushdown = pipeline.pushdown(CollectionSource.definitions(view.find(source)));
        FindQuery query = new FindQuery(
                pushdown.filter(),
                pushdown.sort(),
                Optional.empty(),
                0,
                pushdown.limit(),
                Optional.empty(),
                false,
                false,
                context.collation(),
                pushdown.told());
        Selection selection = Selection.of(query, own);
        DocumentStream documents = view.find(source)
                .map(entry -> selection.open(view, entry))
                .map(Execution::documents)
                .orElseGet(() -> DocumentStream.of(List.of()));
        return pushdown.rest().open(documents, own);
    }
}
