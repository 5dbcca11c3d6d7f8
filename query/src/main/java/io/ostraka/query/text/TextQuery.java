package io.ostraka.query.text;

import io.ostraka.core.bson.RawDocument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What {@code $text} asks for: some of its words, all of its phrases, and none of what is refused.
 *
 * @param search as the client wrote it: words, phrases in quotes, and a minus before what must not be
 * @param language of the words; empty for the index's own
 * @param caseSensitive whether capital letters differ from small ones
 * @param diacriticSensitive whether letters with marks differ from those without
 */
public record TextQuery(String search, Optional<String> language, boolean caseSensitive, boolean diacriticSensitive) {
    /**
     * The parts of a search in the language of an index.
     *
     * @param stems of the words and of those in phrases, as keys of indexes have them
     * @param words the stems as documents must have them
     * @param refused stems that documents must not have
     */
    record Parts(
            Set<String> stems,
            Set<String> words,
            Set<String> refused,
            List<String> phrases,
            List<String> refusedPhrases) {}

    Language language(TextRules rules) {
        return Language.of(language.orElse(rules.language())).orElse(Language.NONE);
    }

    private Words.Care care() {
        return new Words.Care(caseSensitive, diacriticSensitive);
    }

    Parts parts(TextRules rules) {
        Parts parts = new Parts(
                new LinkedHashSet<>(),
                new LinkedHashSet<>(),
                new LinkedHashSet<>(),
                new ArrayList<>(),
                new ArrayList<>());
        Words words = new Words(language(rules));
        int at = 0;
        while (at < search.length()) {
            char next = search.charAt(at);
            boolean refused = next == '-'
                    && at + 1 < search.length()
                    && !Character.isWhitespace(search.charAt(at + 1))
                    && (at == 0 || Character.isWhitespace(search.charAt(at - 1)));
            int start = refused ? at + 1 : at;
            if (search.charAt(start) == '"') {
                int end = search.indexOf('"', start + 1);
                String phrase = search.substring(start + 1, end < 0 ? search.length() : end);
                if (!phrase.isBlank()) {
                    (refused ? parts.refusedPhrases : parts.phrases).add(seen(phrase));
                }
                if (!refused) {
                    add(words, phrase, parts);
                }
                at = end < 0 ? search.length() : end + 1;
                continue;
            }
            int end = start;
            while (end < search.length() && !Character.isWhitespace(search.charAt(end)) && search.charAt(end) != '"') {
                end++;
            }
            String word = search.substring(start, end);
            if (refused) {
                words.of(word, care()).forEach(each -> parts.refused.add(each.stem()));
            } else {
                add(words, word, parts);
            }
            at = Math.max(end, at + 1);
        }
        return parts;
    }

    private void add(Words words, String text, Parts parts) {
        words.of(text, care()).forEach(each -> parts.words.add(each.stem()));
        words.of(text, Words.Care.NONE).forEach(each -> parts.stems.add(each.stem()));
    }

    /** A text as phrases are looked for in it. */
    private String seen(String text) {
        String cased = caseSensitive ? text : text.toLowerCase(Locale.ROOT);
        return diacriticSensitive ? cased : Words.withoutMarks(cased);
    }

    /** The stems by which documents that may match are found in an index. */
    public Set<String> stems(TextRules rules) {
        return parts(rules).stems;
    }

    /** Looks at documents. Made once per query; one thread at a time. */
    public final class Match {
        private final TextRules rules;
        private final Parts parts;
        private final Map<Language, Words> byLanguage = new HashMap<>();

        private Match(TextRules rules) {
            this.rules = rules;
            parts = parts(rules);
        }

        /** How well a document matches, from above 0; nothing where it does not. */
        public Optional<Double> score(RawDocument document) {
            Set<String> phrasesLeft = new HashSet<>(parts.phrases);
            boolean[] refused = new boolean[1];
            Map<String, Double> scores = new HashMap<>();
            rules.read(document, (text, weight, language) -> {
                String seen = parts.phrases.isEmpty() && parts.refusedPhrases.isEmpty() ? "" : seen(text);
                phrasesLeft.removeIf(seen::contains);
                refused[0] |= parts.refusedPhrases.stream().anyMatch(seen::contains);
                List<Words.Word> words = byLanguage
                        .computeIfAbsent(Language.of(language).orElse(Language.NONE), Words::new)
                        .of(text, care());
                refused[0] |= words.stream().anyMatch(word -> parts.refused.contains(word.stem()));
                TextScore.add(words, weight, parts.words, scores);
            });
            if (refused[0] || !phrasesLeft.isEmpty() || scores.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(
                    scores.values().stream().mapToDouble(Double::doubleValue).sum());
        }
    }

    public Match match(TextRules rules) {
        return new Match(rules);
    }
}
