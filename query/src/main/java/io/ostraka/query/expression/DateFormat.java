package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.DATE_FORMAT_INVALID;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;
import java.util.OptionalLong;

/** Dates as text by a pattern of percent signs ({@code %Y-%m-%d}). */
final class DateFormat {
    /** The form dates take without a pattern. */
    static final DateFormat ISO = new DateFormat("%Y-%m-%dT%H:%M:%S.%LZ");

    private static final DateTimeFormatter LENIENT = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart()
            .optionalStart()
            .appendLiteral('T')
            .optionalEnd()
            .optionalStart()
            .appendLiteral(' ')
            .optionalEnd()
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HH:mm", "Z")
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HHmm", "Z")
            .optionalEnd()
            .toFormatter(Locale.ROOT);

    private final String pattern;

    private DateFormat(String pattern) {
        this.pattern = pattern;
    }

    static DateFormat of(String pattern) {
        return new DateFormat(pattern);
    }

    String format(long millis, ZoneId zone) {
        ZonedDateTime date = Instant.ofEpochMilli(millis).atZone(zone);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '%') {
                text.append(c);
            } else if (++i == pattern.length()) {
                throw DATE_FORMAT_INVALID.because("Unmatched '%%' at end of format string");
            } else {
                part(pattern.charAt(i), date, text);
            }
        }
        return text.toString();
    }

    private static void part(char specifier, ZonedDateTime date, StringBuilder text) {
        switch (specifier) {
            case '%' -> text.append('%');
            case 'Y' -> text.append(padded(date.getYear(), 4));
            case 'm' -> text.append(padded(date.getMonthValue(), 2));
            case 'd' -> text.append(padded(date.getDayOfMonth(), 2));
            case 'H' -> text.append(padded(date.getHour(), 2));
            case 'M' -> text.append(padded(date.getMinute(), 2));
            case 'S' -> text.append(padded(date.getSecond(), 2));
            case 'L' -> text.append(padded(date.get(ChronoField.MILLI_OF_SECOND), 3));
            case 'j' -> text.append(padded(date.getDayOfYear(), 3));
            case 'w' -> text.append(date.getDayOfWeek().getValue() % 7 + 1);
            case 'u' -> text.append(date.getDayOfWeek().getValue());
            case 'U' -> text.append(padded(week(date), 2));
            case 'V' -> text.append(padded(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2));
            case 'G' -> text.append(padded(date.get(IsoFields.WEEK_BASED_YEAR), 4));
            case 'b' ->
                text.append(DateTimeFormatter.ofPattern("MMM", Locale.ENGLISH).format(date));
            case 'B' ->
                text.append(DateTimeFormatter.ofPattern("MMMM", Locale.ENGLISH).format(date));
            case 'z' ->
                text.append(DateTimeFormatter.ofPattern("xx", Locale.ROOT).format(date));
            case 'Z' -> text.append(date.getOffset().getTotalSeconds() / 60);
            default -> throw DATE_FORMAT_INVALID.because("Invalid format character '%%%s' in format string", specifier);
        }
    }

    /** Weeks begin on Sunday; days before the first one are in week 0. */
    static int week(ZonedDateTime date) {
        return (date.getDayOfYear() + 6 - date.getDayOfWeek().getValue() % 7) / 7;
    }

    private static String padded(int number, int width) {
        String digits = Integer.toString(number);
        return "0".repeat(Math.max(0, width - digits.length())) + digits;
    }

    /** The milliseconds of an ISO date with or without time and offset, or nothing where it is none. */
    static OptionalLong parseIso(String text, ZoneId zone) {
        try {
            var parsed = LENIENT.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
            ZonedDateTime date = switch (parsed) {
                case OffsetDateTime offset -> offset.toZonedDateTime();
                case LocalDateTime local -> local.atZone(zone);
                default -> ((LocalDate) parsed).atStartOfDay(zone);
            };
            return OptionalLong.of(date.toInstant().toEpochMilli());
        } catch (DateTimeParseException e) {
            return OptionalLong.empty();
        }
    }

    static java.util.Optional<Long> parse(String text, ZoneId zone) {
        OptionalLong millis = parseIso(text, zone);
        return millis.isPresent() ? java.util.Optional.of(millis.getAsLong()) : java.util.Optional.empty();
    }

    /** The milliseconds of a text in this pattern, or nothing where it does not follow it. */
    OptionalLong read(String text, ZoneId zone) {
        try {
            return new Reading(text).read(zone);
        } catch (DateTimeException | NumberFormatException | StringIndexOutOfBoundsException e) {
            return OptionalLong.empty();
        }
    }

    /** One text being read. */
    private final class Reading {
        private final String text;
        private int at;
        private int year = 1970;
        private int month = 1;
        private int day = 1;
        private int hour;
        private int minute;
        private int second;
        private int millis;
        private ZoneId zone;

        private Reading(String text) {
            this.text = text;
        }

        private OptionalLong read(ZoneId given) {
            zone = given;
            for (int i = 0; i < pattern.length(); i++) {
                char c = pattern.charAt(i);
                if (c == '%' && i + 1 < pattern.length()) {
                    field(pattern.charAt(++i));
                } else if (text.charAt(at++) != c) {
                    return OptionalLong.empty();
                }
            }
            if (at != text.length()) {
                return OptionalLong.empty();
            }
            return OptionalLong.of(ZonedDateTime.of(year, month, day, hour, minute, second, millis * 1_000_000, zone)
                    .toInstant()
                    .toEpochMilli());
        }

        private int digits(int count) {
            int number = Integer.parseInt(text.substring(at, at + count));
            at += count;
            return number;
        }

        private void field(char specifier) {
            switch (specifier) {
                case 'Y' -> year = digits(4);
                case 'm' -> month = digits(2);
                case 'd' -> day = digits(2);
                case 'H' -> hour = digits(2);
                case 'M' -> minute = digits(2);
                case 'S' -> second = digits(2);
                case 'L' -> millis = digits(3);
                case 'z' -> {
                    int length = text.charAt(at) == 'Z' ? 1 : text.indexOf(':', at) > 0 ? 6 : 5;
                    zone = ZoneId.of(text.substring(at, at + length));
                    at += length;
                }
                default ->
                    throw DATE_FORMAT_INVALID.because("Invalid format character '%%%s' in format string", specifier);
            }
        }
    }
}
