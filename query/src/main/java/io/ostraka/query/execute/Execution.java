package io.ostraka.query.execute;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** A plan being run. Pulled row by row by one thread at a time; must be closed. */
public final class Execution implements AutoCloseable {
    private final Source.Walk<Row> rows;
    private final NodeCounters counters;
    private Consumer<NodeCounters> whenClosed = _ -> {};

    private Execution(Source.Walk<Row> rows, NodeCounters counters) {
        this.rows = rows;
        this.counters = counters;
    }

    /** Opens a plan. The source stays its owner's. */
    public static Execution open(PlanNode plan, Source source, RunContext context) {
        NodeCounters counters = new NodeCounters(plan);
        return new Execution(new Opening(source, context).open(plan, counters), counters);
    }

    /** The next row, or null at the end. */
    public Row next() {
        return rows.next();
    }

    /** Runs to the end and tells how many rows there were. The way to run a {@link PlanNode.Count}. */
    public long count() {
        long count = 0;
        while (rows.next() != null) {
            count++;
        }
        return count;
    }

    /** What has been done so far, by node. */
    public NodeCounters counters() {
        return counters;
    }

    /** The rows' documents, each with the number of its record. Closing the stream closes this. */
    public DocumentStream withRecordIds() {
        return stream(row -> new RawBuilder(row.document().size() + 32)
                .elements(row.document())
                .put("$recordId", row.id().number())
                .build());
    }

    /** The rows' documents. Closing the stream closes this. */
    public DocumentStream documents() {
        return stream(Row::document);
    }

    private DocumentStream stream(Function<Row, RawDocument> shown) {
        return new DocumentStream() {
            @Override
            public RawDocument next() {
                Row row = Execution.this.next();
                return row == null ? null : shown.apply(row);
            }

            @Override
            public void close() {
                Execution.this.close();
            }
        };
    }

    /** Tells somebody, when this is closed, what it has done. */
    public void whenClosed(Consumer<NodeCounters> listener) {
        whenClosed = listener;
    }

    @Override
    public void close() {
        rows.close();
        whenClosed.accept(counters);
    }

    /** Opens operators, inputs first. */
    private record Opening(Source source, RunContext context) {
        private Source.Walk<Row> open(PlanNode node, NodeCounters counters) {
            List<Source.Walk<Row>> inputs = node.children().stream()
                    .map(child -> open(child, counters.child(child)))
                    .toList();
            Operator operator = switch (node) {
                case PlanNode.Eof _ -> new Operator.Nothing();
                case PlanNode.CollectionScan scan -> new Scans.OfRecords(scan, source, context, counters);
                case PlanNode.IndexScan scan -> new Scans.OfEntries(scan, source, context, counters);
                case PlanNode.DistinctScan scan -> new DistinctScanning(scan, source, context, counters);
                case PlanNode.IdLookup lookup -> new Scans.OfId(lookup, source, counters);
                case PlanNode.TextMatch match -> new TextMatching(match, inputs.getFirst(), source, context, counters);
                case PlanNode.GeoNear near -> new Nearing(near, source, context, counters);
                case PlanNode.Fetch fetch -> new Operator.Fetching(fetch, inputs.getFirst(), source, context, counters);
                case PlanNode.ShardingFilter _ -> new Operator.Owned(inputs.getFirst(), source);
                case PlanNode.SortMerge merge -> new SortMerging(merge, inputs, context);
                case PlanNode.Or _ -> new Operator.Union(inputs);
                case PlanNode.Sort sort -> new Sorting(sort, inputs.getFirst(), context);
                case PlanNode.Skip(var unused, var count) -> new Operator.Skipping(inputs.getFirst(), count);
                case PlanNode.Limit(var unused, var count) -> new Operator.Limiting(inputs.getFirst(), count);
                case PlanNode.Project project -> new Operator.Projecting(project, inputs.getFirst(), context);
                case PlanNode.Count _ -> new Operator.Through(inputs.getFirst());
            };
            return new Counted(operator, counters);
        }
    }

    /** Counts what an operator gives. */
    private record Counted(Operator operator, NodeCounters counters) implements Source.Walk<Row> {
        @Override
        public Row next() {
            Row row = operator.next();
            if (row == null) {
                counters.end();
            } else {
                counters.oneReturned();
            }
            return row;
        }

        @Override
        public void close() {
            operator.close();
        }
    }
}
