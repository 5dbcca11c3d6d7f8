package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.REGEX_FUNCTION_INVALID;

import io.ostraka.query.regex.Pattern;
import io.ostraka.query.value.Values;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Functions of regular expressions. */
final class RegexFunctions {
    private static final List<String> NAMES = List.of("input", "regex", "options");

    static final List<Function> ALL = List.of(
            Function.named("$regexFind", 2, NAMES, (arguments, _) -> {
                BsonArray found = find("$regexFind", arguments, 1);
                return found.isEmpty() ? BsonNull.VALUE : found.get(0);
            }),
            Function.named("$regexFindAll", 2, NAMES, (arguments, _) -> find("$regexFindAll", arguments, 1_000_000)),
            Function.named(
                    "$regexMatch",
                    2,
                    NAMES,
                    (arguments, _) ->
                            Values.of(!find("$regexMatch", arguments, 1).isEmpty())));

    private RegexFunctions() {}

    private static BsonArray find(String name, BsonValue[] arguments, int most) {
        BsonArray all = new BsonArray();
        if (Values.isNullish(arguments[0]) || Values.isNullish(arguments[1])) {
            return all;
        }
        Pattern pattern = pattern(name, arguments);
        if (!arguments[0].isString()) {
            throw REGEX_FUNCTION_INVALID.because(
                    "%s needs 'input' to be of type string, found %s", name, Values.typeName(arguments[0]));
        }
        byte[] utf8 = arguments[0].asString().getValue().getBytes(StandardCharsets.UTF_8);
        int from = 0;
        while (from <= utf8.length && all.size() < most) {
            Optional<Pattern.Match> match = pattern.find(utf8, from);
            if (match.isEmpty()) {
                break;
            }
            all.add(describe(utf8, match.get()));
            int end = match.get().end();
            from = end > match.get().begin() ? end : next(utf8, end);
        }
        return all;
    }

    private static int next(byte[] utf8, int at) {
        int next = at + 1;
        while (next < utf8.length && (utf8[next] & 0xC0) == 0x80) {
            next++;
        }
        return next;
    }

    private static BsonDocument describe(byte[] utf8, Pattern.Match match) {
        BsonArray captures = new BsonArray();
        for (int i = 0; i < match.groups().size(); i += 2) {
            int begin = match.groups().get(i);
            captures.add(
                    begin < 0
                            ? BsonNull.VALUE
                            : text(utf8, begin, match.groups().get(i + 1)));
        }
        String before = text(utf8, 0, match.begin()).getValue();
        return new BsonDocument("match", text(utf8, match.begin(), match.end()))
                .append("idx", new BsonInt32(before.codePointCount(0, before.length())))
                .append("captures", captures);
    }

    private static BsonString text(byte[] utf8, int begin, int end) {
        return new BsonString(new String(utf8, begin, end - begin, StandardCharsets.UTF_8));
    }

    private static Pattern pattern(String name, BsonValue[] arguments) {
        String options = arguments[2].isString() ? arguments[2].asString().getValue() : "";
        if (!Values.isNullish(arguments[2]) && !arguments[2].isString()) {
            throw REGEX_FUNCTION_INVALID.because("%s needs 'options' to be of type string", name);
        }
        if (arguments[1].isRegularExpression()) {
            String own = arguments[1].asRegularExpression().getOptions();
            if (!own.isEmpty() && !options.isEmpty()) {
                throw REGEX_FUNCTION_INVALID.because("%s: found regex option(s) in both 'regex' and 'options'", name);
            }
            return Pattern.of(arguments[1].asRegularExpression().getPattern(), own + options);
        }
        if (!arguments[1].isString()) {
            throw REGEX_FUNCTION_INVALID.because(
                    "%s needs 'regex' to be of type string or regex, found %s", name, Values.typeName(arguments[1]));
        }
        return Pattern.of(arguments[1].asString().getValue(), options);
    }
}
