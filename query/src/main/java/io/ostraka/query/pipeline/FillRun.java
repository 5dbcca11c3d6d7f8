package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.FILL_REPEATED_SORT_VALUE;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import java.util.Iterator;
import java.util.List;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** One {@code $fill} being run: null and missing fields get what their neighbours in the partition say. */
final class FillRun implements StageStreams.Held {
    private final Stage.Fill stage;
    private final RunContext context;
    private final PartitionSort sort;

    FillRun(Stage.Fill stage, RunContext context) {
        this.stage = stage;
        this.context = context;
        this.sort = new PartitionSort("$fill", stage.partition(), stage.order(), context);
    }

    Iterator<RawDocument> run(DocumentStream input) {
        return StageStreams.flat(sort.of(input), partition -> {
            stage.fields().forEach((path, method) -> {
                switch (method) {
                    case LOCF -> carry(partition, path);
                    case LINEAR -> interpolate(partition, path);
                }
            });
            return partition;
        });
    }

    @Override
    public void close() {
        sort.close();
    }

    private void carry(List<RawDocument> partition, FieldPath path) {
        BsonValue last = BsonNull.VALUE;
        for (int i = 0; i < partition.size(); i++) {
            BsonValue own = value(partition.get(i), path);
            if (Values.isNullish(own)) {
                partition.set(i, PathSetting.set(partition.get(i), path, last, context));
            } else {
                last = own;
            }
        }
    }

    private void interpolate(List<RawDocument> partition, FieldPath path) {
        double[] at = new double[partition.size()];
        for (int i = 0; i < at.length; i++) {
            at[i] = position(partition.get(i));
            if (i > 0 && at[i] == at[i - 1]) {
                throw FILL_REPEATED_SORT_VALUE.because("There can be no repeated values in the sort field");
            }
        }
        int known = -1;
        for (int i = 0; i < at.length; i++) {
            BsonValue own = value(partition.get(i), path);
            if (Values.isNullish(own)) {
                continue;
            }
            double right = number(own, path);
            if (known >= 0) {
                double left = number(value(partition.get(known), path), path);
                for (int gap = known + 1; gap < i; gap++) {
                    double share = (at[gap] - at[known]) / (at[i] - at[known]);
                    BsonValue between = new BsonDouble(left + share * (right - left));
                    partition.set(gap, PathSetting.set(partition.get(gap), path, between, context));
                }
            } else {
                nulls(partition, path, 0, i);
            }
            known = i;
        }
        nulls(partition, path, known + 1, at.length);
    }

    /** Beyond the first and the last known value nothing is known. */
    private void nulls(List<RawDocument> partition, FieldPath path, int from, int to) {
        for (int i = from; i < to; i++) {
            partition.set(i, PathSetting.set(partition.get(i), path, BsonNull.VALUE, context));
        }
    }

    private double position(RawDocument document) {
        FieldPath path = stage.order().parts().getFirst().path();
        BsonValue value = value(document, path);
        return value.isDateTime() ? value.asDateTime().getValue() : number(value, path);
    }

    private static double number(BsonValue value, FieldPath path) {
        if (!Values.isNumber(value)) {
            throw TYPE_MISMATCH.because(
                    "the method 'linear' needs numbers, but '%s' is %s", path.text(), Values.show(value));
        }
        return Values.toDouble(value);
    }

    private static BsonValue value(RawDocument document, FieldPath path) {
        RawCursor found = path.find(document);
        return found == null ? Values.MISSING : found.value();
    }
}
