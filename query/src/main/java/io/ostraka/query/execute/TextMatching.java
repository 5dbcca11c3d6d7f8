package io.ostraka.query.execute;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.TextFilters;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.text.TextQuery;
import java.util.List;
import java.util.Optional;

/** Documents that match words, with how well they do where that is asked for. */
final class TextMatching extends Operator {
    private final PlanNode.TextMatch node;
    private final Source source;
    private final NodeCounters counters;
    private final DocumentTest filter;
    private final TextQuery.Match match;

    TextMatching(
            PlanNode.TextMatch node, Source.Walk<Row> input, Source source, RunContext context, NodeCounters counters) {
        super(List.of(input));
        this.node = node;
        this.source = source;
        this.counters = counters;
        filter = FilterCompiler.compile(node.filter(), context);
        match = node.text().query().match(TextFilters.rules(node.text()));
    }

    @Override
    public Row next() {
        for (Row row = input().next(); row != null; row = input().next()) {
            Optional<RawDocument> document = source.fetch(row.id());
            counters.oneDocument();
            if (document.isEmpty() || !filter.test(document.get())) {
                continue;
            }
            Optional<Double> score = node.required() || node.scored() ? match.score(document.get()) : Optional.empty();
            if (node.required() && score.isEmpty()) {
                continue;
            }
            return new Row(
                    row.id(),
                    node.scored() ? Metadata.TEXT_SCORE.with(document.get(), score.orElse(0.0)) : document.get());
        }
        return null;
    }
}
