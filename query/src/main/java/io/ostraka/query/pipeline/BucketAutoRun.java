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
import io.ostraka.query.sort.SpillForm;
import io.ostraka.query.value.Values;
import java.nio.ByteBuffer;
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
final class BucketAutoRun implements StageStreams.Held {
    private record Item(BsonValue by, RawDocument document) {}

    private final Stage.BucketAuto stage;
    private final RunContext context;
    private final BoundedSort<Item> sort;

    BucketAutoRun(Stage.BucketAuto stage, RunContext context) {
        this.stage = stage;
        this.context = context;
        this.sort = new BoundedSort<>(0, context.limits().sortBytesMax(), ItemForm.INSTANCE, context.spill());
    }

    Iterator<RawDocument> run(DocumentStream input) {
        long[] count = new long[1];
        StageStreams.forEach(input, context, document -> {
            BsonValue value = Evaluator.evaluate(stage.by(), new Scope(document, context));
            BsonValue by = Values.isMissing(value) ? BsonNull.VALUE : value;
            KeyString key = context.collation().key(by);
            sort.add(key, new Item(by, document), document.size() + key.bytes().length);
            count[0]++;
        });
        return new Buckets(sort.inOrder(), Math.max(1, Math.round((double) count[0] / stage.count())));
    }

    @Override
    public void close() {
        sort.close();
    }

    /** The buckets, each made from the documents that are next; those of one bucket are held in memory. */
    private final class Buckets implements Iterator<RawDocument> {
        private final Iterator<Item> items;
        private final long size;
        private Item next;
        private int made;
        private double min;

        Buckets(Iterator<Item> items, long size) {
            this.items = items;
            this.size = size;
            next = items.hasNext() ? items.next() : null;
            if (next != null && stage.granularity().isPresent()) {
                min = stage.granularity().get().below(number(next.by));
            }
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public RawDocument next() {
            boolean last = ++made == stage.count();
            List<Item> bucket = new ArrayList<>();
            HeldDocuments held =
                    new HeldDocuments("$bucketAuto", context.limits().sortBytesMax());
            while (next != null && (last || bucket.size() < size)) {
                take(bucket, held);
            }
            return stage.granularity()
                    .map(granularity -> rounded(bucket, held, granularity))
                    .orElseGet(() -> plain(bucket, held));
        }

        private void take(List<Item> bucket, HeldDocuments held) {
            context.interruption().check();
            held.add(next.document);
            bucket.add(next);
            next = items.hasNext() ? items.next() : null;
        }

        private RawDocument plain(List<Item> bucket, HeldDocuments held) {
            while (next != null && context.collation().equal(next.by, bucket.getLast().by)) {
                take(bucket, held);
            }
            BsonValue max = next != null ? next.by : bucket.getLast().by;
            return bucket(bucket, bucket.getFirst().by, max);
        }

        /** A bucket between numbers of a series: it takes what lies below its rounded end. */
        private RawDocument rounded(List<Item> bucket, HeldDocuments held, Granularity granularity) {
            bucket.forEach(item -> number(item.by));
            double greatest = number(bucket.getLast().by);
            double max = granularity.above(greatest);
            while (next != null && (number(next.by) < max || number(next.by) == greatest)) {
                take(bucket, held);
            }
            if (max == 0 && next != null) {
                max = granularity.below(number(next.by)); // nothing but zeros: they end below what comes next
            }
            RawDocument made = bucket(bucket, shown(min), shown(max));
            min = max;
            return made;
        }
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

    /** A document behind the value it is sorted by, which is a document of one field. */
    private enum ItemForm implements SpillForm<Item> {
        INSTANCE;

        @Override
        public byte[] encode(Item item) {
            byte[] by = new RawBuilder().put("", item.by).build().toByteArray();
            byte[] document = item.document.toByteArray();
            return ByteBuffer.allocate(by.length + document.length)
                    .put(by)
                    .put(document)
                    .array();
        }

        @Override
        public Item decode(byte[] bytes) {
            RawDocument by = RawDocument.of(bytes);
            return new Item(by.get(""), RawDocument.at(bytes, by.size()).compact());
        }
    }
}
