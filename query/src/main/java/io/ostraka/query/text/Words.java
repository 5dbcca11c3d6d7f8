package io.ostraka.query.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.WordlistLoader;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.tartarus.snowball.SnowballStemmer;

/**
 * The words of a text in one language: parted at what is neither letter nor digit, without those that say nothing, and
 * reduced to their stems. One thread, as stemmers keep the word they are at.
 */
final class Words {
    /** Which differences between words are kept. */
    record Care(boolean ofCase, boolean ofMarks) {
        static final Care NONE = new Care(false, false);
    }

    /** A word as it stands in the text, and what it is reduced to. */
    record Word(String written, String stem) {}

    private final CharArraySet stopWords;
    private final Optional<SnowballStemmer> stemmer;

    Words(Language language) {
        stopWords = language.stopWords();
        stemmer = language.stemmer();
    }

    /** The words of a text, in their order. */
    List<Word> of(String text, Care care) {
        List<Word> words = new ArrayList<>();
        int start = -1;
        for (int i = 0; i <= text.length(); ) {
            int point = i < text.length() ? text.codePointAt(i) : ' ';
            boolean within = isWithinWord(point, text, i, start);
            if (within && start < 0) {
                start = i;
            } else if (!within && start >= 0) {
                add(text.substring(start, i), care, words);
                start = -1;
            }
            i += Character.charCount(point);
        }
        return words;
    }

    /** An apostrophe is in a word where letters are on both sides of it. */
    private static boolean isWithinWord(int point, String text, int at, int start) {
        if (point == '\'' || point == '\u2019') {
            return start >= 0 && at + 1 < text.length() && Character.isLetter(text.codePointAt(at + 1));
        }
        return Character.isLetterOrDigit(point)
                || point == '_'
                || Character.getType(point) == Character.NON_SPACING_MARK
                || Character.getType(point) == Character.COMBINING_SPACING_MARK;
    }

    private void add(String written, Care care, List<Word> words) {
        String lower = written.toLowerCase(Locale.ROOT).replace('\u2019', '\'');
        if (!stopWords.contains(lower)) {
            String kept = stemmed(care.ofCase ? written : lower);
            words.add(new Word(care.ofCase ? written : lower, care.ofMarks ? kept : withoutMarks(kept)));
        }
    }

    private String stemmed(String word) {
        if (stemmer.isEmpty()) {
            return word;
        }
        SnowballStemmer each = stemmer.get();
        each.setCurrent(word);
        each.stem();
        return each.getCurrent();
    }

    /** A text whose letters have lost what is over and under them. */
    static String withoutMarks(String text) {
        String composed = java.text.Normalizer.normalize(text, java.text.Normalizer.Form.NFC);
        char[] folded = new char[4 * composed.length()];
        int length = ASCIIFoldingFilter.foldToASCII(composed.toCharArray(), 0, folded, 0, composed.length());
        return new String(folded, 0, length);
    }

    /** Reads a list of words that Lucene has in a file beside one of its classes. */
    static CharArraySet list(Class<?> beside, String file) {
        try (InputStream in = beside.getResourceAsStream(file);
                InputStreamReader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            return WordlistLoader.getSnowballWordSet(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
