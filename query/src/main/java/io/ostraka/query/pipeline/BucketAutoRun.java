package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.GRANULARITY_NAN;
import static io.ostraka.core.error.ErrorCode.GRANULARITY_NEEDS_NUMBERS;
import static io.ostraka.core.error.ErrorCode.GRANULARITY_NEGATIVE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.BoundedSort;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * One {@code $bucketAuto} being run: sorted, then cut into parts of about equal size. Equal values are never in two
 * buckets, so there may be fewer buckets than asked for.
 */
final class BucketAutoRun {
    private record Item(BsonValue by, RawDocument document) {}

    private final Stage.BucketAuto stage;
    private final RunContext context;

    BucketAutoRun(Stage.BucketAuto stage, RunContext context) {
        this.stage = stage;
        this.context = context;
    }

    Iterator<RawDocument> run(DocumentStream input) {
        BoundedSort<Item> sort = new BoundedSort<>(0, context.limits().sortBytesMax());
        StageStreams.forEach(input, context, document -> {
            BsonValue value = Evaluator.evaluate(stage.by(), new Scope(document, context));
            BsonValue by = Values.isMissing(value) ? BsonNull.VALUE : value;
            KeyString key = context.collation().key(by);
            sort.add(key, new Item(by, document), document.size() + key.bytes().length);
        });
        List<Item> items = new ArrayList<>();
        sort.inOrder().forEachRemaining(items::add);
        return buckets(items).iterator();
    }

    private List<RawDocument> buckets(List<Item> items) {
        if (stage.granularity().isPresent()) {
            return rounded(items, stage.granularity().get());
        }
        long size = Math.max(1, Math.round((double) items.size() / stage.count()));
        List<RawDocument> buckets = new ArrayList<>();
        int from = 0;
        while (from < items.size()) {
            boolean last = buckets.size() == stage.count() - 1;
            int to = last ? items.size() : (int) Math.min(items.size(), from + size);
            while (to < items.size() && context.collation().equal(items.get(to).by, items.get(to - 1).by)) {
                to++;
            }
            BsonValue max = to < items.size() ? items.get(to).by : items.getLast().by;
            buckets.add(bucket(items.subList(from, to), items.get(from).by, max));
            from = to;
        }
        return buckets;
    }

    /** Buckets between numbers of a series: each takes what lies below its rounded end. */
    private List<RawDocument> rounded(List<Item> items, Granularity granularity) {
        double[] numbers = items.stream().mapToDouble(item -> number(item.by)).toArray();
        long size = Math.max(1, Math.round((double) items.size() / stage.count()));
        List<RawDocument> buckets = new ArrayList<>();
        int from = 0;
        double min = numbers.length == 0 ? 0 : granularity.below(numbers[0]);
        while (from < numbers.length) {
            boolean last = buckets.size() == stage.count() - 1;
            int to = last ? numbers.length : (int) Math.min(numbers.length, from + size);
            double max = granularity.above(numbers[to - 1]);
            while (to < numbers.length && (numbers[to] < max || numbers[to] == numbers[to - 1])) {
                to++;
            }
            if (max == 0 && to < numbers.length) {
                max = granularity.below(numbers[to]); // nothing but zeros: they end below what comes next
            }
            buckets.add(bucket(items.subList(from, to), shown(min), shown(max)));
            min = max;
            from = to;
        }
        return buckets;
    }

    private static BsonValue shown(double number) {
        return new BsonDouble(number);
    }

    private static double number(BsonValue value) {
        if (!Values.isNumber(value)) {
            throw GRANULARITY_NEEDS_NUMBERS.because(
                    "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a value with type:"
                            + " %s",
                    Values.typeName(value));
        }
        double number = Values.toDouble(value);
        if (Double.isNaN(number)) {
            throw GRANULARITY_NAN.because(
                    "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a NaN");
        }
        if (number < 0 || Double.isInfinite(number)) {
            throw GRANULARITY_NEGATIVE.because(
                    "$bucketAuto can specify a 'granularity' with finite, non-negative numbers only, but found %s",
                    Values.show(value));
        }
        return number;
    }

    private RawDocument bucket(List<Item> items, BsonValue min, BsonValue max) {
        RawDocument id = new RawBuilder().put("min", min).put("max", max).build();
        List<Accumulator> accumulators = new ArrayList<>();
        stage.output().forEach(field -> accumulators.add(Accumulating.make(field, id.toBson(), context)));
        for (Item item : items) {
            Scope scope = new Scope(item.document, context);
            for (int i = 0; i < accumulators.size(); i++) {
                Accumulating.add(stage.output().get(i), accumulators.get(i), item.document, scope);
            }
        }
        RawBuilder bucket = new RawBuilder().put("_id", id);
        for (int i = 0; i < accumulators.size(); i++) {
            BsonValue value = accumulators.get(i).result();
            if (!Values.isMissing(value)) {
                bucket.put(stage.output().get(i).name(), value);
            }
        }
        return bucket.build();
    }
}
