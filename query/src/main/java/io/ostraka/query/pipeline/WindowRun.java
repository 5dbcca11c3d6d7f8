package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** One {@code $setWindowFields} being run, partition by partition. All outputs see the documents as they came. */
final class WindowRun implements StageStreams.Held {
    private static final int REFERENCE_BYTES = 8;

    private final Stage.WindowFields stage;
    private final RunContext context;
    private final PartitionSort sort;

    WindowRun(Stage.WindowFields stage, RunContext context) {
        this.stage = stage;
        this.context = context;
        this.sort = new PartitionSort("$setWindowFields", stage.partition(), stage.order(), context);
    }

    Iterator<RawDocument> run(DocumentStream input) {
        return StageStreams.flat(sort.of(input), this::changed);
    }

    @Override
    public void close() {
        sort.close();
    }

    private List<RawDocument> changed(List<RawDocument> partition) {
        List<RawDocument> changed = new ArrayList<>(partition);
        for (Stage.WindowFields.Output output : stage.outputs()) {
            List<BsonValue> values = switch (output.computation()) {
                case Stage.WindowFields.Over over -> over(partition, over);
                case Stage.WindowFields.Slope slope -> numbers(partition).slopes(slope);
                case Stage.WindowFields.Area area -> numbers(partition).areas(area);
                case Stage.WindowFields.Covariance both -> numbers(partition).covariances(both);
                case Stage.WindowFields.MovingAverage average ->
                    numbers(partition).averages(average);
                case Stage.WindowFields.Filled(var input, var method) ->
                    method == Stage.Fill.Method.LOCF
                            ? numbers(partition).carried(input)
                            : numbers(partition).interpolated(input);
                case Stage.WindowFields.Rank rank -> rank(partition, rank.kind());
                case Stage.WindowFields.Shift shift -> shift(partition, shift);
            };
            HeldDocuments held =
                    new HeldDocuments("$setWindowFields", context.limits().sortBytesMax());
            for (int i = 0; i < changed.size(); i++) {
                if (!Values.isMissing(values.get(i))) {
                    changed.set(i, PathSetting.set(changed.get(i), output.path(), values.get(i), context));
                }
                held.add(changed.get(i));
            }
        }
        return changed;
    }

    private NumberWindows numbers(List<RawDocument> partition) {
        return new NumberWindows(partition, sortedBy(), context);
    }

    private Optional<FieldPath> sortedBy() {
        return stage.order().parts().stream().map(SortPattern.Part::path).findFirst();
    }

    /** While windows begin where the last one did they grow by what is new; others are gathered anew. */
    private List<BsonValue> over(List<RawDocument> partition, Stage.WindowFields.Over over) {
        List<BsonValue> values = new ArrayList<>();
        WindowPlaces places = new WindowPlaces(partition, over.window(), sortedBy());
        Accumulator accumulator = Accumulating.make(over.accumulated(), BsonNull.VALUE, context);
        int from = 0;
        int taken = 0;
        long elements = 0;
        for (int i = 0; i < partition.size(); i++) {
            context.interruption().check();
            places.moveTo(i);
            if (places.from() != from) {
                accumulator = Accumulating.make(over.accumulated(), BsonNull.VALUE, context);
                from = places.from();
                taken = from;
            }
            for (; taken < places.to(); taken++) {
                RawDocument document = partition.get(taken);
                Accumulating.add(over.accumulated(), accumulator, document, new Scope(document, context));
            }
            BsonValue result = accumulator.result();
            elements += result.isArray() ? result.asArray().size() : 0;
            if (elements * REFERENCE_BYTES > context.limits().sortBytesMax()) {
                throw QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED.because(
                        "Exceeded memory limit for $setWindowFields: its windows gather too much. Use narrower ones.");
            }
            values.add(result.isArray() ? new org.bson.BsonArray(List.copyOf(result.asArray())) : result);
        }
        return values;
    }

    private List<BsonValue> rank(List<RawDocument> partition, Stage.WindowFields.Rank.Kind kind) {
        List<BsonValue> values = new ArrayList<>();
        KeyString last = null;
        long rank = 0;
        long dense = 0;
        for (int i = 0; i < partition.size(); i++) {
            KeyString key = stage.order().keyOf(partition.get(i), context.collation());
            if (!key.equals(last)) {
                rank = i + 1L;
                dense++;
                last = key;
            }
            values.add(Values.integer(
                    switch (kind) {
                        case RANK -> rank;
                        case DENSE_RANK -> dense;
                        case DOCUMENT_NUMBER -> i + 1L;
                    }));
        }
        return values;
    }

    private List<BsonValue> shift(List<RawDocument> partition, Stage.WindowFields.Shift shift) {
        List<BsonValue> values = new ArrayList<>();
        for (int i = 0; i < partition.size(); i++) {
            long at = i + shift.by();
            boolean there = at >= 0 && at < partition.size();
            values.add(
                    there
                            ? Evaluator.evaluate(shift.output(), new Scope(partition.get((int) at), context))
                            : shift.otherwise());
        }
        return values;
    }
}
