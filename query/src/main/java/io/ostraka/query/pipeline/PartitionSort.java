package io.ostraka.query.pipeline;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.BoundedSort;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.sort.SpillForm;
import io.ostraka.query.value.Values;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * Documents in partitions, each in its order, one partition after the other. What does not fit into memory is sorted on
 * disk; one partition must fit.
 */
final class PartitionSort implements StageStreams.Held {
    private record Item(KeyString partition, RawDocument document) {}

    private final String stage;
    private final Expression partition;
    private final SortPattern order;
    private final RunContext context;
    private final BoundedSort<Item> sort;

    /** @param stage its name, for who is told that a partition does not fit */
    PartitionSort(String stage, Expression partition, SortPattern order, RunContext context) {
        this.stage = stage;
        this.partition = partition;
        this.order = order;
        this.context = context;
        this.sort = new BoundedSort<>(0, context.limits().sortBytesMax(), ItemForm.INSTANCE, context.spill());
    }

    /** The partitions. The lists belong to who asks. */
    Iterator<List<RawDocument>> of(DocumentStream input) {
        StageStreams.forEach(input, context, document -> {
            BsonValue value = Evaluator.evaluate(partition, new Scope(document, context));
            KeyString part = context.collation().key(Values.isMissing(value) ? BsonNull.VALUE : value);
            byte[] within = order.keyOf(document, context.collation()).bytes();
            byte[] key = Arrays.copyOf(part.bytes(), part.bytes().length + within.length);
            System.arraycopy(within, 0, key, part.bytes().length, within.length);
            sort.add(new KeyString(key, new byte[0]), new Item(part, document), document.size() + 64);
        });
        Iterator<Item> items = sort.inOrder();
        return new Iterator<>() {
            private Item next = items.hasNext() ? items.next() : null;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public List<RawDocument> next() {
                KeyString current = next.partition;
                HeldDocuments held = new HeldDocuments(stage, context.limits().sortBytesMax());
                while (next != null && Arrays.equals(next.partition.bytes(), current.bytes())) {
                    context.interruption().check();
                    held.add(next.document);
                    next = items.hasNext() ? items.next() : null;
                }
                return new ArrayList<>(held.all());
            }
        };
    }

    /** All partitions at once, for stages that look at all of them. */
    static List<List<RawDocument>> all(
            String stage, DocumentStream input, Expression partition, SortPattern order, RunContext context) {
        List<List<RawDocument>> all = new ArrayList<>();
        try (PartitionSort sort = new PartitionSort(stage, partition, order, context)) {
            HeldDocuments bounded = new HeldDocuments(stage, context.limits().sortBytesMax());
            sort.of(input).forEachRemaining(part -> {
                part.forEach(bounded::add);
                all.add(part);
            });
        }
        return all;
    }

    @Override
    public void close() {
        sort.close();
    }

    /** A document behind its partition's key, with the length of that before them. */
    private enum ItemForm implements SpillForm<Item> {
        INSTANCE;

        @Override
        public byte[] encode(Item item) {
            byte[] partition = item.partition.bytes();
            byte[] document = item.document.toByteArray();
            return ByteBuffer.allocate(Integer.BYTES + partition.length + document.length)
                    .putInt(partition.length)
                    .put(partition)
                    .put(document)
                    .array();
        }

        @Override
        public Item decode(byte[] bytes) {
            int document = Integer.BYTES + ByteBuffer.wrap(bytes).getInt();
            return new Item(
                    new KeyString(Arrays.copyOfRange(bytes, Integer.BYTES, document), new byte[0]),
                    RawDocument.of(Arrays.copyOfRange(bytes, document, bytes.length)));
        }
    }
}
