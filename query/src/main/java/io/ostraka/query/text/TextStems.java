package io.ostraka.query.text;

import static io.ostraka.core.error.ErrorCode.TEXT_LANGUAGE_UNSUPPORTED;

import io.ostraka.core.bson.RawDocument;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The stems that a text index has of documents. */
public final class TextStems {
    /** Characters of a stem that are told apart: longer ones are cut, so that no key is too long. */
    private static final int STEM_MAX = 256;

    private TextStems() {}

    /** The stem as keys have it. */
    public static String key(String stem) {
        return stem.length() <= STEM_MAX ? stem : stem.substring(0, STEM_MAX);
    }

    /** All stems of a document, each once. */
    public static Set<String> of(RawDocument document, TextRules rules) {
        Set<String> stems = new LinkedHashSet<>();
        Map<Language, Words> byLanguage = new HashMap<>();
        rules.read(document, (text, _, name) -> {
            Language language = Language.of(name)
                    .orElseThrow(() -> TEXT_LANGUAGE_UNSUPPORTED.because("language override unsupported: %s", name));
            byLanguage
                    .computeIfAbsent(language, Words::new)
                    .of(text, Words.Care.NONE)
                    .forEach(word -> stems.add(key(word.stem())));
        });
        return stems;
    }
}
