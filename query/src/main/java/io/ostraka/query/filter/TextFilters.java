package io.ostraka.query.filter;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.INDEX_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.NO_SUCH_KEY;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.query.text.Language;
import io.ostraka.query.text.TextQuery;
import io.ostraka.query.text.TextRules;
import io.ostraka.query.value.Values;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads {@code $text}, and gives it the rules of the index that answers it. */
public final class TextFilters {
    private static final Set<String> WORDS = Set.of("$search", "$language", "$caseSensitive", "$diacriticSensitive");

    private TextFilters() {}

    static Filter parse(BsonValue argument) {
        if (!argument.isDocument()) {
            throw BAD_VALUE.because("$text expects an object");
        }
        BsonDocument words = argument.asDocument();
        BsonValue search = words.get("$search");
        if (search == null) {
            throw NO_SUCH_KEY.because("Missing expected field \"$search\"");
        }
        for (String name : words.keySet()) {
            if (!WORDS.contains(name)) {
                throw BAD_VALUE.because("extra fields in $text: %s", name);
            }
        }
        Optional<String> language = Optional.ofNullable(words.get("$language")).map(each -> string("$language", each));
        if (language.isPresent() && Language.of(language.get()).isEmpty()) {
            throw BAD_VALUE.because("unsupported language: \"%s\" for text index version 3", language.get());
        }
        return new Filter.Text(
                new TextQuery(
                        string("$search", search),
                        language,
                        flag("$caseSensitive", words),
                        flag("$diacriticSensitive", words)),
                Optional.empty(),
                argument);
    }

    private static String string(String name, BsonValue value) {
        if (!value.isString()) {
            throw TYPE_MISMATCH.because(
                    "\"%s\" had the wrong type. Expected string, found %s", name, Values.typeName(value));
        }
        return value.asString().getValue();
    }

    private static boolean flag(String name, BsonDocument words) {
        BsonValue value = words.get(name);
        if (value != null && !value.isBoolean()) {
            throw TYPE_MISMATCH.because(
                    "\"%s\" had the wrong type. Expected bool, found %s", name, Values.typeName(value));
        }
        return value != null && value.asBoolean().getValue();
    }

    /** Whether a filter asks for words anywhere. */
    public static boolean isIn(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) -> all.stream().anyMatch(TextFilters::isIn);
            case Filter.Or(var any) -> any.stream().anyMatch(TextFilters::isIn);
            case Filter.Nor(var none) -> none.stream().anyMatch(TextFilters::isIn);
            case Filter.Text _ -> true;
            case Filter.Field _, Filter.Expr _, Filter.Schema _, Filter.Always _ -> false;
        };
    }

    /** The condition that every matching document must meet, if there is one. */
    public static Optional<Filter.Text> required(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) ->
                all.stream().flatMap(part -> required(part).stream()).findFirst();
            case Filter.Text text -> Optional.of(text);
            case Filter.Or _, Filter.Nor _, Filter.Field _, Filter.Expr _, Filter.Schema _, Filter.Always _ ->
                Optional.empty();
        };
    }

    /** The condition wherever it stands, if there is one. */
    public static Optional<Filter.Text> any(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) -> first(all);
            case Filter.Or(var some) -> first(some);
            case Filter.Text text -> Optional.of(text);
            case Filter.Nor _, Filter.Field _, Filter.Expr _, Filter.Schema _, Filter.Always _ -> Optional.empty();
        };
    }

    private static Optional<Filter.Text> first(List<Filter> filters) {
        return filters.stream().flatMap(part -> any(part).stream()).findFirst();
    }

    /** The filter with an index's rules. */
    public static Filter on(Filter filter, TextRules rules) {
        return switch (filter) {
            case Filter.And(var all) ->
                new Filter.And(all.stream().map(part -> on(part, rules)).toList());
            case Filter.Or(var any) ->
                new Filter.Or(any.stream().map(part -> on(part, rules)).toList());
            case Filter.Text text -> new Filter.Text(text.query(), Optional.of(rules), text.source());
            case Filter.Nor _, Filter.Field _, Filter.Expr _, Filter.Schema _, Filter.Always _ -> filter;
        };
    }

    /** The filter without the condition that must be met. */
    public static Filter rest(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) ->
                new Filter.And(all.stream()
                        .map(TextFilters::rest)
                        .filter(part -> !part.isEverything())
                        .toList());
            case Filter.Text _ -> Filter.EVERYTHING;
            case Filter.Or _, Filter.Nor _, Filter.Field _, Filter.Expr _, Filter.Schema _, Filter.Always _ -> filter;
        };
    }

    /** @throws io.ostraka.core.error.CommandException 27 where no index has given its rules */
    public static TextRules rules(Filter.Text text) {
        return text.rules().orElseThrow(TextFilters::noIndex);
    }

    /** What is wrong where a collection has no index of words. */
    public static io.ostraka.core.error.CommandException noIndex() {
        return INDEX_NOT_FOUND.because("text index required for $text query");
    }
}
