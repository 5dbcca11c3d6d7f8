package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.FILL_REPEATED_SORT_VALUE;
import static io.ostraka.core.error.ErrorCode.SLOPE_DATES_WITHOUT_UNIT;
import static io.ostraka.core.error.ErrorCode.SLOPE_UNIT_WITHOUT_DATES;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Arithmetic;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** What window operators make of the numbers of one partition. */
final class NumberWindows {
    private final List<RawDocument> partition;
    private final Optional<FieldPath> sortedBy;
    private final RunContext context;

    NumberWindows(List<RawDocument> partition, Optional<FieldPath> sortedBy, RunContext context) {
        this.partition = partition;
        this.sortedBy = sortedBy;
        this.context = context;
    }

    private BsonValue value(Expression input, int at) {
        return Evaluator.evaluate(input, new Scope(partition.get(at), context));
    }

    private BsonValue position(int at) {
        RawCursor found = sortedBy.orElseThrow().find(partition.get(at));
        return found == null ? BsonNull.VALUE : found.value();
    }

    /** Where a document stands on the axis: the number it is sorted by, or its date in units. */
    private double position(int at, Optional<Long> unitMillis) {
        BsonValue value = position(at);
        if (value.isDateTime()) {
            long unit = unitMillis.orElseThrow(() -> SLOPE_DATES_WITHOUT_UNIT.because(
                    "an operator over dates requires a 'unit', for the sortBy field holds dates"));
            return (double) value.asDateTime().getValue() / unit;
        }
        if (unitMillis.isPresent()) {
            throw SLOPE_UNIT_WITHOUT_DATES.because(
                    "an operator with a 'unit' requires the sortBy field to be a Date, not %s", Values.typeName(value));
        }
        if (!Values.isNumber(value)) {
            throw TYPE_MISMATCH.because(
                    "this window operator requires the sortBy field to be a number or a Date, not %s",
                    Values.typeName(value));
        }
        return Values.toDouble(value);
    }

    /** {@code $derivative}: from the first to the last document of the window. */
    List<BsonValue> slopes(Stage.WindowFields.Slope slope) {
        List<BsonValue> results = new ArrayList<>();
        WindowPlaces places = new WindowPlaces(partition, slope.window(), sortedBy);
        for (int i = 0; i < partition.size(); i++) {
            context.interruption().check();
            places.moveTo(i);
            results.add(slope(slope, places.from(), places.to() - 1));
        }
        return results;
    }

    private BsonValue slope(Stage.WindowFields.Slope slope, int first, int last) {
        if (last <= first) {
            return BsonNull.VALUE;
        }
        BsonValue from = value(slope.input(), first);
        BsonValue to = value(slope.input(), last);
        double run = position(last, slope.unitMillis()) - position(first, slope.unitMillis());
        if (!Values.isNumber(from) || !Values.isNumber(to) || run == 0) {
            return BsonNull.VALUE;
        }
        return new BsonDouble((Values.toDouble(to) - Values.toDouble(from)) / run);
    }

    /** {@code $integral}: the area under the line through the window's documents. */
    List<BsonValue> areas(Stage.WindowFields.Area area) {
        List<BsonValue> results = new ArrayList<>();
        WindowPlaces places = new WindowPlaces(partition, area.window(), sortedBy);
        for (int i = 0; i < partition.size(); i++) {
            context.interruption().check();
            places.moveTo(i);
            results.add(places.to() == places.from() ? BsonNull.VALUE : area(area, places.from(), places.to()));
        }
        return results;
    }

    private BsonValue area(Stage.WindowFields.Area area, int from, int to) {
        double sum = 0;
        double lastX = 0;
        double lastY = 0;
        boolean any = false;
        for (int i = from; i < to; i++) {
            BsonValue y = value(area.input(), i);
            if (!Values.isNumber(y)) {
                continue;
            }
            double x = position(i, area.unitMillis());
            if (any) {
                sum += (x - lastX) * (Values.toDouble(y) + lastY) / 2;
            }
            any = true;
            lastX = x;
            lastY = Values.toDouble(y);
        }
        return new BsonDouble(sum);
    }

    /** {@code $covariancePop} and {@code $covarianceSamp}, over pairs of which both are numbers. */
    List<BsonValue> covariances(Stage.WindowFields.Covariance covariance) {
        List<BsonValue> results = new ArrayList<>();
        WindowPlaces places = new WindowPlaces(partition, covariance.window(), sortedBy);
        for (int i = 0; i < partition.size(); i++) {
            context.interruption().check();
            places.moveTo(i);
            results.add(covariance(covariance, places.from(), places.to()));
        }
        return results;
    }

    private BsonValue covariance(Stage.WindowFields.Covariance covariance, int from, int to) {
        double meanX = 0;
        double meanY = 0;
        double moment = 0;
        long count = 0;
        for (int i = from; i < to; i++) {
            BsonValue x = value(covariance.one(), i);
            BsonValue y = value(covariance.other(), i);
            if (Values.isNumber(x) && Values.isNumber(y)) {
                // Welford's way: no large sums that cancel.
                count++;
                double before = Values.toDouble(x) - meanX;
                meanX += before / count;
                meanY += (Values.toDouble(y) - meanY) / count;
                moment += before * (Values.toDouble(y) - meanY);
            }
        }
        long divisor = covariance.sample() ? count - 1 : count;
        return divisor <= 0 ? BsonNull.VALUE : new BsonDouble(moment / divisor);
    }

    /** {@code $expMovingAvg}: null where there is no number, and what comes later goes on from before. */
    List<BsonValue> averages(Stage.WindowFields.MovingAverage average) {
        List<BsonValue> results = new ArrayList<>();
        BsonValue rest = Arithmetic.subtract(new BsonDouble(1), average.alpha());
        BsonValue now = null;
        for (int i = 0; i < partition.size(); i++) {
            BsonValue next = value(average.input(), i);
            if (!Values.isNumber(next)) {
                results.add(BsonNull.VALUE);
                continue;
            }
            now = now == null
                    ? next
                    : Arithmetic.add(Arithmetic.multiply(next, average.alpha()), Arithmetic.multiply(now, rest));
            results.add(now);
        }
        return results;
    }

    /** {@code $locf}: the last value there was. */
    List<BsonValue> carried(Expression input) {
        List<BsonValue> results = new ArrayList<>();
        BsonValue last = BsonNull.VALUE;
        for (int i = 0; i < partition.size(); i++) {
            BsonValue own = value(input, i);
            last = Values.isNullish(own) ? last : own;
            results.add(last);
        }
        return results;
    }

    /** {@code $linearFill}: on the line between the neighbours that are there. */
    List<BsonValue> interpolated(Expression input) {
        List<BsonValue> results = new ArrayList<>(Collections.nCopies(partition.size(), BsonNull.VALUE));
        double[] at = new double[partition.size()];
        int known = -1;
        for (int i = 0; i < at.length; i++) {
            at[i] = position(i, position(i).isDateTime() ? Optional.of(1L) : Optional.empty());
            if (i > 0 && at[i] == at[i - 1]) {
                throw FILL_REPEATED_SORT_VALUE.because("There can be no repeated values in the sort field");
            }
            BsonValue own = value(input, i);
            if (Values.isNullish(own)) {
                continue;
            }
            if (!Values.isNumber(own)) {
                throw TYPE_MISMATCH.because("$linearFill needs numbers, not %s", Values.show(own));
            }
            results.set(i, own);
            for (int gap = known + 1; known >= 0 && gap < i; gap++) {
                double left = Values.toDouble(results.get(known));
                double share = (at[gap] - at[known]) / (at[i] - at[known]);
                results.set(gap, new BsonDouble(left + share * (Values.toDouble(own) - left)));
            }
            known = i;
        }
        return results;
    }
}
