package io.ostraka.query.execute;

import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.run.RunContext;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** Sorted inputs as one, each record once. */
final class SortMerging extends Operator {
    private record Head(KeyString key, int input, Row row) implements Comparable<Head> {
        @Override
        public int compareTo(Head other) {
            int order = key.compareTo(other.key);
            return order != 0 ? order : Integer.compare(input, other.input);
        }
    }

    private final PlanNode.SortMerge merge;
    private final List<Source.Walk<Row>> inputs;
    private final RunContext context;
    private final PriorityQueue<Head> heads = new PriorityQueue<>();
    private final Set<RecordId> seen = new HashSet<>();
    private boolean started;

    SortMerging(PlanNode.SortMerge merge, List<Source.Walk<Row>> inputs, RunContext context) {
        super(inputs);
        this.merge = merge;
        this.inputs = inputs;
        this.context = context;
    }

    private void pull(int input) {
        Row row = inputs.get(input).next();
        if (row != null) {
            heads.add(new Head(merge.by().keyOf(row.document(), context.collation()), input, row));
        }
    }

    @Override
    public Row next() {
        if (!started) {
            started = true;
            for (int i = 0; i < inputs.size(); i++) {
                pull(i);
            }
        }
        while (!heads.isEmpty()) {
            Head head = heads.poll();
            pull(head.input);
            if (seen.add(head.row.id())) {
                return head.row;
            }
        }
        return null;
    }
}
