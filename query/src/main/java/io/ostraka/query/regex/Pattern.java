package io.ostraka.query.regex;

import static io.ostraka.core.error.ErrorCode.EXCEEDED_TIME_LIMIT;
import static io.ostraka.core.error.ErrorCode.INTERRUPTED;
import static io.ostraka.core.error.ErrorCode.INVALID_REGEX;

import io.ostraka.core.bson.Bytes;
import io.ostraka.core.bson.RawCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jcodings.specific.UTF8Encoding;
import org.joni.Matcher;
import org.joni.Option;
import org.joni.Regex;
import org.joni.Region;
import org.joni.Syntax;
import org.joni.WarnCallback;
import org.joni.exception.JOniException;

/**
 * A compiled regular expression in Perl's syntax, run on UTF-8 bytes as they lie in the document. A pattern that runs
 * wild on one value is stopped, and so is one whose thread is interrupted.
 */
public final class Pattern {
    /** Longest a pattern may work on one value. */
    private static final long VALUE_NANOS_MAX = 2_000_000_000L;

    private static final int LENGTH_MAX = 32_764;

    private final Regex regex;
    private final Optional<String> prefix;

    private Pattern(Regex regex, Optional<String> prefix) {
        this.regex = regex;
        this.prefix = prefix;
    }

    /**
     * Compiles a pattern.
     *
     * @param options of {@code i m s x u}; others are ignored here and refused by who reads them
     * @throws io.ostraka.core.error.CommandException 51091 if it is no pattern
     */
    public static Pattern of(String pattern, String options) {
        byte[] utf8 = pattern.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > LENGTH_MAX) {
            throw INVALID_REGEX.because("Regular expression is invalid: pattern is longer than %d bytes", LENGTH_MAX);
        }
        int flags = Option.CAPTURE_GROUP;
        flags |= options.indexOf('i') >= 0 ? Option.IGNORECASE : 0;
        flags |= options.indexOf('m') >= 0 ? Option.NEGATE_SINGLELINE : Option.SINGLELINE;
        flags |= options.indexOf('s') >= 0 ? Option.MULTILINE : 0; // in this library's words: dot matches newline
        flags |= options.indexOf('x') >= 0 ? Option.EXTEND : 0;
        try {
            Regex regex =
                    new Regex(utf8, 0, utf8.length, flags, UTF8Encoding.INSTANCE, Syntax.PerlNG, WarnCallback.NONE);
            return new Pattern(regex, prefixOf(pattern, options));
        } catch (JOniException | ArrayIndexOutOfBoundsException | StackOverflowError e) {
            throw INVALID_REGEX.because("Regular expression is invalid: %s", String.valueOf(e.getMessage()));
        }
    }

    /** The text every match begins with, where the pattern is anchored at the start and says so plainly. */
    public Optional<String> prefix() {
        return prefix;
    }

    private static Optional<String> prefixOf(String pattern, String options) {
        if (!pattern.startsWith("^") || !options.isEmpty() || pattern.indexOf('|') >= 0) {
            return Optional.empty();
        }
        StringBuilder prefix = new StringBuilder();
        for (int i = 1; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if ("\\^$.[]()*+?{}#".indexOf(c) >= 0) {
                if ("*?{".indexOf(c) >= 0 && !prefix.isEmpty()) {
                    prefix.setLength(prefix.offsetByCodePoints(prefix.length(), -1));
                }
                break;
            }
            prefix.append(c);
        }
        return prefix.isEmpty() ? Optional.empty() : Optional.of(prefix.toString());
    }

    /** Whether a string or symbol a cursor stands on has a match anywhere. */
    public boolean find(RawCursor text) {
        int from = text.valueOffset() + 4;
        int to = from + Bytes.getInt(text.array(), text.valueOffset()) - 1;
        return search(regex.matcherNoRegion(text.array(), from, to, VALUE_NANOS_MAX), from, to);
    }

    /**
     * Where a pattern was found, in bytes of the whole text.
     *
     * @param groups begin and end of each group in turn; -1 where a group took no part
     */
    public record Match(int begin, int end, List<Integer> groups) {
        public Match {
            groups = List.copyOf(groups);
        }
    }

    /** The first match in UTF-8 text that begins at or after a position. */
    public Optional<Match> find(byte[] utf8, int from) {
        Matcher matcher = regex.matcher(utf8, 0, utf8.length, VALUE_NANOS_MAX);
        if (!search(matcher, from, utf8.length)) {
            return Optional.empty();
        }
        Region region = matcher.getRegion();
        List<Integer> groups = new ArrayList<>();
        for (int i = 1; region != null && i < region.getNumRegs(); i++) {
            groups.add(region.getBeg(i));
            groups.add(region.getEnd(i));
        }
        return Optional.of(new Match(matcher.getBegin(), matcher.getEnd(), groups));
    }

    private static boolean search(Matcher matcher, int from, int to) {
        try {
            return matcher.searchInterruptible(from, to, Option.DEFAULT) >= 0;
        } catch (InterruptedException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw INTERRUPTED.because("operation was interrupted in a regular expression");
            }
            throw EXCEEDED_TIME_LIMIT.because("a regular expression took too long on one value; make it simpler");
        } catch (StackOverflowError e) {
            throw INVALID_REGEX.because("a regular expression nests too deeply for this value");
        }
    }
}
