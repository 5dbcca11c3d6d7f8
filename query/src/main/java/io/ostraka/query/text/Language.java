package io.ostraka.query.text;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
import org.tartarus.snowball.SnowballStemmer;
import org.tartarus.snowball.ext.DanishStemmer;
import org.tartarus.snowball.ext.DutchStemmer;
import org.tartarus.snowball.ext.EnglishStemmer;
import org.tartarus.snowball.ext.FinnishStemmer;
import org.tartarus.snowball.ext.FrenchStemmer;
import org.tartarus.snowball.ext.GermanStemmer;
import org.tartarus.snowball.ext.HungarianStemmer;
import org.tartarus.snowball.ext.ItalianStemmer;
import org.tartarus.snowball.ext.NorwegianStemmer;
import org.tartarus.snowball.ext.PortugueseStemmer;
import org.tartarus.snowball.ext.RomanianStemmer;
import org.tartarus.snowball.ext.RussianStemmer;
import org.tartarus.snowball.ext.SpanishStemmer;
import org.tartarus.snowball.ext.SwedishStemmer;
import org.tartarus.snowball.ext.TurkishStemmer;

/** A language of text indexes. */
public enum Language {
    /** No language: words stay as they are, and none is left out. */
    NONE("none", null),
    DANISH("da", DanishStemmer::new),
    DUTCH("nl", DutchStemmer::new),
    ENGLISH("en", EnglishStemmer::new),
    FINNISH("fi", FinnishStemmer::new),
    FRENCH("fr", FrenchStemmer::new),
    GERMAN("de", GermanStemmer::new),
    HUNGARIAN("hu", HungarianStemmer::new),
    ITALIAN("it", ItalianStemmer::new),
    NORWEGIAN("nb", NorwegianStemmer::new),
    PORTUGUESE("pt", PortugueseStemmer::new),
    ROMANIAN("ro", RomanianStemmer::new),
    RUSSIAN("ru", RussianStemmer::new),
    SPANISH("es", SpanishStemmer::new),
    SWEDISH("sv", SwedishStemmer::new),
    TURKISH("tr", TurkishStemmer::new);

    private final String code;
    private final Supplier<SnowballStemmer> stemmer;
    private final CharArraySet stopWords;

    Language(String code, Supplier<SnowballStemmer> stemmer) {
        this.code = code;
        this.stemmer = stemmer;
        stopWords = switch (code) {
            case "none" -> CharArraySet.EMPTY_SET;
            case "ro" -> RomanianAnalyzer.getDefaultStopSet();
            case "tr" -> TurkishAnalyzer.getDefaultStopSet();
            default -> Words.list(SnowballFilter.class, word(name()) + "_stop.txt");
        };
    }

    private static String word(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** The language that is given by its name or its code, in any case. */
    public static Optional<Language> of(String nameOrCode) {
        String lower = word(nameOrCode);
        for (Language language : values()) {
            if (word(language.name()).equals(lower) || language.code.equals(lower)) {
                return Optional.of(language);
            }
        }
        return Optional.empty();
    }

    CharArraySet stopWords() {
        return stopWords;
    }

    /** A new one, for one thread. */
    Optional<SnowballStemmer> stemmer() {
        return stemmer == null ? Optional.empty() : Optional.of(stemmer.get());
    }
}
