package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.DATE_UNIT_INVALID;
import static io.ostraka.core.error.ErrorCode.WINDOW_RANGE_NEEDS_DATES;
import static io.ostraka.core.error.ErrorCode.WINDOW_RANGE_NEEDS_NUMBERS;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.value.Arithmetic;
import io.ostraka.query.value.Values;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonValue;

/** Which documents of a partition are in the window of each. The windows of later documents begin and end no earlier. */
final class WindowPlaces {
    private final List<RawDocument> partition;
    private final Stage.WindowFields.Window window;
    private final BsonValue[] values;
    private int from;
    private int to;

    /** @param sortedBy the field documents are sorted by, for a range */
    WindowPlaces(List<RawDocument> partition, Stage.WindowFields.Window window, Optional<FieldPath> sortedBy) {
        this.partition = partition;
        this.window = window;
        this.values = window instanceof Stage.WindowFields.Range range && range.isBounded()
                ? values(partition, sortedBy.orElseThrow(), range.unit().isPresent())
                : new BsonValue[0];
    }

    private static BsonValue[] values(List<RawDocument> partition, FieldPath path, boolean dates) {
        BsonValue[] values = new BsonValue[partition.size()];
        for (int i = 0; i < values.length; i++) {
            RawCursor found = path.find(partition.get(i));
            BsonValue value = found == null ? Values.MISSING : found.value();
            if (dates && !value.isDateTime()) {
                throw WINDOW_RANGE_NEEDS_DATES.because(
                        "Invalid range: Expected the sortBy field to be a Date, but it was %s", Values.typeName(value));
            }
            if (!dates && !Values.isNumber(value)) {
                throw WINDOW_RANGE_NEEDS_NUMBERS.because(
                        "Invalid range: Expected the sortBy field to be a number, but it was %s",
                        Values.typeName(value));
            }
            values[i] = value;
        }
        return values;
    }

    /** Moves to the window of a document; asked in the order of documents. */
    void moveTo(int at) {
        switch (window) {
            case Stage.WindowFields.Documents(var lower, var upper) -> {
                from = Math.clamp(place(at, lower, 0), 0, partition.size());
                to = Math.clamp(place(at, upper, partition.size() - 1) + 1, from, partition.size());
            }
            case Stage.WindowFields.Range range -> {
                if (range.lower().isPresent()) {
                    BsonValue least = plus(values[at], range.lower().get(), range.unit());
                    while (from < values.length && ValueOrder.ORDER.compare(values[from], least) < 0) {
                        from++;
                    }
                }
                if (range.upper().isPresent()) {
                    BsonValue most = plus(values[at], range.upper().get(), range.unit());
                    while (to < values.length && ValueOrder.ORDER.compare(values[to], most) <= 0) {
                        to++;
                    }
                } else {
                    to = partition.size();
                }
                to = Math.max(from, to);
            }
        }
    }

    private int place(int at, long bound, int unbounded) {
        return bound == Long.MIN_VALUE || bound == Long.MAX_VALUE
                ? unbounded
                : (int) Math.clamp(at + bound, -1L, (long) partition.size());
    }

    private static BsonValue plus(BsonValue value, BsonValue bound, Optional<String> unit) {
        if (unit.isEmpty()) {
            return Arithmetic.add(value, bound);
        }
        ZonedDateTime date = Instant.ofEpochMilli(value.asDateTime().getValue()).atZone(ZoneOffset.UTC);
        long amount = Values.toLong(bound);
        try {
            ZonedDateTime moved = unit.get().equals("quarter")
                    ? date.plusMonths(Math.multiplyExact(3, amount))
                    : date.plus(amount, unit(unit.get()).orElseThrow());
            return new BsonDateTime(moved.toInstant().toEpochMilli());
        } catch (DateTimeException | ArithmeticException e) {
            throw DATE_UNIT_INVALID.because("a bound of a window lies beyond the dates there are");
        }
    }

    /** The unit of a name, but for quarters, which are three months. */
    static Optional<ChronoUnit> unit(String name) {
        return switch (name) {
            case "millisecond" -> Optional.of(ChronoUnit.MILLIS);
            case "second" -> Optional.of(ChronoUnit.SECONDS);
            case "minute" -> Optional.of(ChronoUnit.MINUTES);
            case "hour" -> Optional.of(ChronoUnit.HOURS);
            case "day" -> Optional.of(ChronoUnit.DAYS);
            case "week" -> Optional.of(ChronoUnit.WEEKS);
            case "month", "quarter" -> Optional.of(ChronoUnit.MONTHS);
            case "year" -> Optional.of(ChronoUnit.YEARS);
            default -> Optional.empty();
        };
    }

    /** The first document of the window. */
    int from() {
        return from;
    }

    /** The first document behind the window. */
    int to() {
        return to;
    }
}
