package io.ostraka.query.execute;

import io.ostraka.core.key.KeyString;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.BoundedSort;
import java.util.Iterator;
import java.util.List;

/** Takes everything in, gives it in order. */
final class Sorting extends Operator {
    private final PlanNode.Sort sort;
    private final RunContext context;
    private Iterator<Row> sorted;

    Sorting(PlanNode.Sort sort, Source.Walk<Row> input, RunContext context) {
        super(List.of(input));
        this.sort = sort;
        this.context = context;
    }

    @Override
    public Row next() {
        if (sorted == null) {
            BoundedSort<Row> all =
                    new BoundedSort<>(sort.limit(), context.limits().sortBytesMax());
            for (Row row = input().next(); row != null; row = input().next()) {
                KeyString key = sort.by().keyOf(row.document(), context.collation());
                all.add(key, row, row.document().size());
            }
            sorted = all.inOrder();
        }
        return sorted.hasNext() ? sorted.next() : null;
    }
}
