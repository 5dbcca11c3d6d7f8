package io.ostraka.query.execute;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.BoundedSort;
import io.ostraka.query.sort.SpillForm;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Takes everything in, gives it in order. */
final class Sorting extends Operator {
    private final PlanNode.Sort sort;
    private final RunContext context;
    private BoundedSort<Row> all;
    private Iterator<Row> sorted;

    Sorting(PlanNode.Sort sort, Source.Walk<Row> input, RunContext context) {
        super(List.of(input));
        this.sort = sort;
        this.context = context;
    }

    @Override
    public Row next() {
        if (sorted == null) {
            all = new BoundedSort<>(sort.limit(), context.limits().sortBytesMax(), RowForm.INSTANCE, context.spill());
            for (Row row = input().next(); row != null; row = input().next()) {
                KeyString key = sort.by().keyOf(row.document(), context.collation());
                all.add(key, row, row.document().size());
            }
            sorted = all.inOrder();
        }
        return sorted.hasNext() ? sorted.next() : null;
    }

    @Override
    public void close() {
        if (all != null) {
            all.close();
        }
        super.close();
    }

    /** A row as the length of its record's id, the id, and the document. */
    private enum RowForm implements SpillForm<Row> {
        INSTANCE;

        @Override
        public byte[] encode(Row row) {
            byte[] id = row.id().toByteArray();
            byte[] document = row.document().toByteArray();
            return ByteBuffer.allocate(Integer.BYTES + id.length + document.length)
                    .putInt(id.length)
                    .put(id)
                    .put(document)
                    .array();
        }

        @Override
        public Row decode(byte[] bytes) {
            int document = Integer.BYTES + ByteBuffer.wrap(bytes).getInt();
            return new Row(
                    RecordId.of(bytes, Integer.BYTES, document),
                    RawDocument.of(Arrays.copyOfRange(bytes, document, bytes.length)));
        }
    }
}
