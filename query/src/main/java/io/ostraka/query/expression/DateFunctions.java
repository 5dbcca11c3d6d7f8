package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.CONVERSION_FAILURE;
import static io.ostraka.core.error.ErrorCode.DATE_NEEDS_STRING;
import static io.ostraka.core.error.ErrorCode.DATE_UNIT_INVALID;
import static io.ostraka.core.error.ErrorCode.TIME_ZONE_INVALID;
import static io.ostraka.core.error.ErrorCode.WRONG_DATE_ARGUMENT;

import io.ostraka.query.value.Values;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Functions of dates, in UTC or a given time zone. */
final class DateFunctions {
    /** What a part of a date is asked with. */
    static final List<String> PART_ARGUMENTS = List.of("date", "timezone");

    static final List<Function> ALL = List.of(
            part("$dayOfMonth", date -> date.getDayOfMonth()),
            part("$dayOfWeek", date -> date.getDayOfWeek().getValue() % 7 + 1),
            part("$dayOfYear", date -> date.getDayOfYear()),
            part("$hour", date -> date.getHour()),
            part("$isoDayOfWeek", date -> date.getDayOfWeek().getValue()),
            part("$isoWeek", date -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)),
            part("$isoWeekYear", date -> date.get(IsoFields.WEEK_BASED_YEAR)),
            part("$millisecond", date -> date.get(ChronoField.MILLI_OF_SECOND)),
            part("$minute", date -> date.getMinute()),
            part("$month", date -> date.getMonthValue()),
            part("$second", date -> date.getSecond()),
            part("$week", date -> DateFormat.week(date)),
            part("$year", date -> date.getYear()),
            Function.named(
                    "$dateAdd",
                    3,
                    List.of("startDate", "unit", "amount", "timezone"),
                    (arguments, _) -> add("$dateAdd", arguments, 1)),
            Function.named(
                    "$dateSubtract",
                    3,
                    List.of("startDate", "unit", "amount", "timezone"),
                    (arguments, _) -> add("$dateSubtract", arguments, -1)),
            Function.named(
                    "$dateDiff",
                    3,
                    List.of("startDate", "endDate", "unit", "timezone", "startOfWeek"),
                    (arguments, _) -> difference(arguments)),
            Function.named(
                    "$dateFromParts",
                    1,
                    List.of("year", "month", "day", "hour", "minute", "second", "millisecond", "timezone"),
                    (arguments, _) -> fromParts(arguments)),
            Function.named(
                    "$dateFromString",
                    1,
                    List.of("dateString", "format", "timezone", "onError", "onNull"),
                    (arguments, _) -> fromString(arguments)),
            Function.named("$dateToParts", 1, List.of("date", "timezone"), (arguments, _) -> toParts(arguments)),
            Function.named(
                    "$dateToString",
                    1,
                    List.of("date", "format", "timezone", "onNull"),
                    (arguments, _) -> toText(arguments)),
            Function.named(
                    "$dateTrunc",
                    2,
                    List.of("date", "unit", "binSize", "timezone", "startOfWeek"),
                    (arguments, _) -> truncate(arguments)),
            Function.unary(
                    "$tsIncrement",
                    value -> Values.isNullish(value)
                            ? BsonNull.VALUE
                            : new BsonInt64(timestamp("$tsIncrement", value).getInc() & 0xFFFFFFFFL)),
            Function.unary(
                    "$tsSecond",
                    value -> Values.isNullish(value)
                            ? BsonNull.VALUE
                            : new BsonInt64(timestamp("$tsSecond", value).getTime() & 0xFFFFFFFFL)));

    private DateFunctions() {}

    private static org.bson.BsonTimestamp timestamp(String name, BsonValue value) {
        if (!value.isTimestamp()) {
            throw DATE_NEEDS_STRING.because("%s needs a timestamp, found %s", name, Values.typeName(value));
        }
        return value.asTimestamp();
    }

    private static Function part(String name, ToLongFunction<ZonedDateTime> part) {
        return Function.named(name, 1, PART_ARGUMENTS, (arguments, _) -> {
            if (Values.isNullish(arguments[0]) || arguments[1].isNull()) {
                return BsonNull.VALUE;
            }
            return Values.integer(part.applyAsLong(date(arguments[0], arguments[1])));
        });
    }

    private static ZonedDateTime date(BsonValue value, BsonValue zone) {
        return Instant.ofEpochMilli(millis(value)).atZone(zone(zone));
    }

    private static long millis(BsonValue value) {
        return switch (value.getBsonType()) {
            case DATE_TIME -> value.asDateTime().getValue();
            case TIMESTAMP -> value.asTimestamp().getTime() * 1000L;
            case OBJECT_ID -> value.asObjectId().getValue().getDate().getTime();
            default ->
                throw WRONG_DATE_ARGUMENT.because("can't convert from BSON type %s to Date", Values.typeName(value));
        };
    }

    private static ZoneId zone(BsonValue zone) {
        if (Values.isMissing(zone)) {
            return ZoneOffset.UTC;
        }
        if (!zone.isString()) {
            throw TIME_ZONE_INVALID.because("timezone must evaluate to a string, found %s", Values.typeName(zone));
        }
        try {
            return ZoneId.of(zone.asString().getValue());
        } catch (DateTimeException e) {
            throw TIME_ZONE_INVALID.because(
                    "unrecognized time zone identifier: \"%s\"", zone.asString().getValue());
        }
    }

    private static ChronoUnit unit(String name, BsonValue unit) {
        if (!unit.isString()) {
            throw DATE_UNIT_INVALID.because(
                    "%s requires 'unit' to be a string, but got %s", name, Values.typeName(unit));
        }
        return switch (unit.asString().getValue()) {
            case "millisecond" -> ChronoUnit.MILLIS;
            case "second" -> ChronoUnit.SECONDS;
            case "minute" -> ChronoUnit.MINUTES;
            case "hour" -> ChronoUnit.HOURS;
            case "day" -> ChronoUnit.DAYS;
            case "week" -> ChronoUnit.WEEKS;
            case "month" -> ChronoUnit.MONTHS;
            case "quarter" -> ChronoUnit.FOREVER;
            case "year" -> ChronoUnit.YEARS;
            default ->
                throw DATE_UNIT_INVALID.because(
                        "unknown time unit value: %s", unit.asString().getValue());
        };
    }

    private static BsonValue at(ZonedDateTime date) {
        return new BsonDateTime(date.toInstant().toEpochMilli());
    }

    private static BsonValue add(String name, BsonValue[] arguments, int sign) {
        for (int i = 0; i < 3; i++) {
            if (Values.isNullish(arguments[i])) {
                return BsonNull.VALUE;
            }
        }
        if (!Values.isNumber(arguments[2]) || !Values.isWhole(arguments[2])) {
            throw DATE_UNIT_INVALID.because("%s expects integer amount of time units", name);
        }
        ChronoUnit unit = unit(name, arguments[1]);
        long amount = sign * Values.toLong(arguments[2]);
        try {
            ZonedDateTime start = date(arguments[0], arguments[3]);
            return at(
                    unit == ChronoUnit.FOREVER
                            ? start.plusMonths(Math.multiplyExact(3, amount))
                            : start.plus(amount, unit));
        } catch (DateTimeException | ArithmeticException e) {
            throw DATE_UNIT_INVALID.because("%s overflowed", name);
        }
    }

    private static BsonValue difference(BsonValue[] arguments) {
        for (int i = 0; i < 3; i++) {
            if (Values.isNullish(arguments[i])) {
                return BsonNull.VALUE;
            }
        }
        ChronoUnit unit = unit("$dateDiff", arguments[2]);
        DayOfWeek week = weekStart(arguments[4]);
        ZonedDateTime from = floor(date(arguments[0], arguments[3]), unit, week);
        ZonedDateTime to = floor(date(arguments[1], arguments[3]), unit, week);
        if (unit == ChronoUnit.FOREVER) {
            return new BsonInt64(ChronoUnit.MONTHS.between(from, to) / 3);
        }
        return new BsonInt64(unit.between(from, to));
    }

    private static DayOfWeek weekStart(BsonValue value) {
        if (Values.isMissing(value)) {
            return DayOfWeek.SUNDAY;
        }
        if (value.isString()) {
            String text = value.asString().getValue().toUpperCase(Locale.ROOT);
            for (DayOfWeek day : DayOfWeek.values()) {
                if (day.name().equals(text) || day.name().substring(0, 3).equals(text)) {
                    return day;
                }
            }
        }
        throw DATE_UNIT_INVALID.because("startOfWeek must be a day of the week, found %s", Values.show(value));
    }

    private static ZonedDateTime floor(ZonedDateTime date, ChronoUnit unit, DayOfWeek week) {
        ZonedDateTime day = date.truncatedTo(ChronoUnit.DAYS);
        return switch (unit) {
            case WEEKS -> day.with(TemporalAdjusters.previousOrSame(week));
            case MONTHS -> day.withDayOfMonth(1);
            case FOREVER -> day.withDayOfMonth(1).withMonth((day.getMonthValue() - 1) / 3 * 3 + 1);
            case YEARS -> day.withDayOfYear(1);
            default -> date.truncatedTo(unit);
        };
    }

    private static BsonValue truncate(BsonValue[] arguments) {
        if (Values.isNullish(arguments[0]) || Values.isNullish(arguments[1])) {
            return BsonNull.VALUE;
        }
        ChronoUnit unit = unit("$dateTrunc", arguments[1]);
        long bin = 1;
        if (!Values.isMissing(arguments[2])) {
            if (!Values.isNumber(arguments[2])
                    || !Values.isWhole(arguments[2])
                    || Values.toLong(arguments[2]) <= 0
                    || Values.toLong(arguments[2]) > 100_000_000_000L) {
                throw DATE_UNIT_INVALID.because("$dateTrunc requires 'binSize' to be a positive whole number");
            }
            bin = Values.toLong(arguments[2]);
        }
        DayOfWeek week = weekStart(arguments[4]);
        ZonedDateTime date = floor(date(arguments[0], arguments[3]), unit, week);
        if (bin == 1) {
            return at(date);
        }
        // Bins are counted from the year 2000, weeks from its first such day.
        ZonedDateTime origin = LocalDate.of(2000, 1, 1).atStartOfDay(date.getZone());
        if (unit == ChronoUnit.WEEKS) {
            origin = origin.with(TemporalAdjusters.nextOrSame(week));
        }
        ChronoUnit step = unit == ChronoUnit.FOREVER ? ChronoUnit.MONTHS : unit;
        long size = unit == ChronoUnit.FOREVER ? bin * 3 : bin;
        long distance = step.between(origin, date);
        return at(origin.plus(Math.floorDiv(distance, size) * size, step));
    }

    private static BsonValue fromParts(BsonValue[] arguments) {
        int[] defaults = {1970, 1, 1, 0, 0, 0, 0};
        long[] parts = new long[7];
        for (int i = 0; i < 7; i++) {
            if (arguments[i].isNull()) {
                return BsonNull.VALUE;
            }
            if (Values.isMissing(arguments[i])) {
                parts[i] = defaults[i];
            } else if (Values.isNumber(arguments[i]) && Values.isWhole(arguments[i])) {
                parts[i] = Values.toLong(arguments[i]);
            } else {
                throw DATE_NEEDS_STRING.because(
                        "$dateFromParts needs whole numbers, found %s", Values.show(arguments[i]));
            }
        }
        try {
            return at(ZonedDateTime.of((int) parts[0], 1, 1, 0, 0, 0, 0, zone(arguments[7]))
                    .plusMonths(parts[1] - 1)
                    .plusDays(parts[2] - 1)
                    .plusHours(parts[3])
                    .plusMinutes(parts[4])
                    .plusSeconds(parts[5])
                    .plus(parts[6], ChronoUnit.MILLIS));
        } catch (DateTimeException | ArithmeticException e) {
            throw DATE_NEEDS_STRING.because("$dateFromParts gives a date out of range");
        }
    }

    private static BsonValue fromString(BsonValue[] arguments) {
        if (Values.isNullish(arguments[0])) {
            return Values.isMissing(arguments[4]) ? BsonNull.VALUE : arguments[4];
        }
        OptionalLong millis = OptionalLong.empty();
        if (arguments[0].isString()) {
            String text = arguments[0].asString().getValue();
            ZoneId zone = zone(arguments[2]);
            millis = arguments[1].isString()
                    ? DateFormat.of(arguments[1].asString().getValue()).read(text, zone)
                    : DateFormat.parseIso(text, zone);
        }
        if (millis.isPresent()) {
            return new BsonDateTime(millis.getAsLong());
        }
        if (!Values.isMissing(arguments[3])) {
            return arguments[3];
        }
        throw CONVERSION_FAILURE.because("Error parsing date string %s", Values.show(arguments[0]));
    }

    private static BsonValue toParts(BsonValue[] arguments) {
        if (Values.isNullish(arguments[0])) {
            return BsonNull.VALUE;
        }
        ZonedDateTime date = date(arguments[0], arguments[1]);
        return new BsonDocument("year", new BsonInt32(date.getYear()))
                .append("month", new BsonInt32(date.getMonthValue()))
                .append("day", new BsonInt32(date.getDayOfMonth()))
                .append("hour", new BsonInt32(date.getHour()))
                .append("minute", new BsonInt32(date.getMinute()))
                .append("second", new BsonInt32(date.getSecond()))
                .append("millisecond", new BsonInt32(date.get(ChronoField.MILLI_OF_SECOND)));
    }

    private static BsonValue toText(BsonValue[] arguments) {
        if (Values.isNullish(arguments[0])) {
            return Values.isMissing(arguments[3]) ? BsonNull.VALUE : arguments[3];
        }
        DateFormat format = DateFormat.ISO;
        if (!Values.isMissing(arguments[1])) {
            if (arguments[1].isNull()) {
                return BsonNull.VALUE;
            }
            if (!arguments[1].isString()) {
                throw DATE_NEEDS_STRING.because(
                        "$dateToString requires that 'format' be a string, found: %s", Values.typeName(arguments[1]));
            }
            format = DateFormat.of(arguments[1].asString().getValue());
        }
        return new BsonString(format.format(millis(arguments[0]), zone(arguments[2])));
    }
}
