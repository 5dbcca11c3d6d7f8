package io.ostraka.query.execute;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.projection.Projector;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.run.RunContext;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What one node of a plan becomes when it runs. */
abstract class Operator implements Source.Walk<Row> {
    private final List<Source.Walk<Row>> inputs;

    Operator(List<Source.Walk<Row>> inputs) {
        this.inputs = inputs;
    }

    final Source.Walk<Row> input() {
        return inputs.getFirst();
    }

    @Override
    public void close() {
        inputs.forEach(Source.Walk::close);
    }

    static final class Nothing extends Operator {
        Nothing() {
            super(List.of());
        }

        @Override
        public Row next() {
            return null;
        }
    }

    /** Gives what it is given. */
    static final class Through extends Operator {
        Through(Source.Walk<Row> input) {
            super(List.of(input));
        }

        @Override
        public Row next() {
            return input().next();
        }
    }

    static final class Fetching extends Operator {
        private final DocumentTest filter;
        private final Source source;
        private final NodeCounters counters;

        Fetching(
                PlanNode.Fetch fetch,
                Source.Walk<Row> input,
                Source source,
                RunContext context,
                NodeCounters counters) {
            super(List.of(input));
            this.filter = FilterCompiler.compile(fetch.filter(), context);
            this.source = source;
            this.counters = counters;
        }

        @Override
        public Row next() {
            for (Row row = input().next(); row != null; row = input().next()) {
                Optional<RawDocument> document = source.fetch(row.id());
                counters.oneDocument();
                if (document.isPresent() && filter.test(document.get())) {
                    return new Row(row.id(), document.get());
                }
            }
            return null;
        }
    }

    static final class Owned extends Operator {
        private final Source source;

        Owned(Source.Walk<Row> input, Source source) {
            super(List.of(input));
            this.source = source;
        }

        @Override
        public Row next() {
            Row row = input().next();
            while (row != null && !source.owns(row.document())) {
                row = input().next();
            }
            return row;
        }
    }

    /** One input after the other, each record once. */
    static final class Union extends Operator {
        private final List<Source.Walk<Row>> all;
        private final Set<RecordId> seen = new HashSet<>();
        private int at;

        Union(List<Source.Walk<Row>> inputs) {
            super(inputs);
            this.all = inputs;
        }

        @Override
        public Row next() {
            while (at < all.size()) {
                Row row = all.get(at).next();
                if (row == null) {
                    at++;
                } else if (seen.add(row.id())) {
                    return row;
                }
            }
            return null;
        }
    }

    static final class Skipping extends Operator {
        private long left;

        Skipping(Source.Walk<Row> input, long count) {
            super(List.of(input));
            this.left = count;
        }

        @Override
        public Row next() {
            while (left > 0) {
                left--;
                if (input().next() == null) {
                    left = 0;
                    return null;
                }
            }
            return input().next();
        }
    }

    static final class Limiting extends Operator {
        private long left;

        Limiting(Source.Walk<Row> input, long count) {
            super(List.of(input));
            this.left = count;
        }

        @Override
        public Row next() {
            if (left == 0) {
                return null;
            }
            left--;
            return input().next();
        }
    }

    static final class Projecting extends Operator {
        private final Projector projector;
        private final boolean untold;

        Projecting(PlanNode.Project project, Source.Walk<Row> input, RunContext context) {
            super(List.of(input));
            this.projector = Projector.of(project.projection(), project.filter(), context);
            this.untold = project.untold();
        }

        @Override
        public Row next() {
            Row row = input().next();
            if (row == null) {
                return null;
            }
            RawDocument projected = projector.apply(row.document());
            return new Row(row.id(), untold ? Metadata.without(projected) : projected);
        }
    }
}
