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
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Documents in partitions, each in its order. Held in memory within the bound of a sort. */
final class PartitionSort {
    private record Item(KeyString partition, RawDocument document) {}

    private PartitionSort() {}

    static List<List<RawDocument>> of(
            DocumentStream input, Expression partition, SortPattern order, RunContext context) {
        BoundedSort<Item> sort = new BoundedSort<>(0, context.limits().sortBytesMax());
        StageStreams.forEach(input, context, document -> {
            BsonValue value = Evaluator.evaluate(partition, new Scope(document, context));
            KeyString part = context.collation().key(Values.isMissing(value) ? BsonNull.VALUE : value);
            byte[] within = order.keyOf(document, context.collation()).bytes();
            byte[] key = Arrays.copyOf(part.bytes(), part.bytes().length + within.length);
            System.arraycopy(within, 0, key, part.bytes().length, within.length);
            sort.add(new KeyString(key, new byte[0]), new Item(part, document), document.size() + 64);
        });
        List<List<RawDocument>> partitions = new ArrayList<>();
        KeyString[] last = new KeyString[1];
        sort.inOrder().forEachRemaining(item -> {
            if (!item.partition.equals(last[0])) {
                partitions.add(new ArrayList<>());
                last[0] = item.partition;
            }
            partitions.getLast().add(item.document);
        });
        return partitions;
    }
}
