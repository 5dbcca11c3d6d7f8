package io.ostraka.query.text;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The languages of text indexes, by name and by code. */
public final class Languages {
    /** No language: words stay as they are, and none is left out. */
    public static final String NONE = "none";

    private static final Map<String, String> BY_CODE = Map.ofEntries(
            Map.entry("da", "danish"),
            Map.entry("nl", "dutch"),
            Map.entry("en", "english"),
            Map.entry("fi", "finnish"),
            Map.entry("fr", "french"),
            Map.entry("de", "german"),
            Map.entry("hu", "hungarian"),
            Map.entry("it", "italian"),
            Map.entry("nb", "norwegian"),
            Map.entry("pt", "portuguese"),
            Map.entry("ro", "romanian"),
            Map.entry("ru", "russian"),
            Map.entry("es", "spanish"),
            Map.entry("sv", "swedish"),
            Map.entry("tr", "turkish"));

    private Languages() {}

    /** The name of a language that is given by its name or its code, in any case. */
    public static Optional<String> name(String nameOrCode) {
        String lower = nameOrCode.toLowerCase(Locale.ROOT);
        if (lower.equals(NONE) || BY_CODE.containsValue(lower)) {
            return Optional.of(lower);
        }
        return Optional.ofNullable(BY_CODE.get(lower));
    }

    public static boolean isKnown(String nameOrCode) {
        return name(nameOrCode).isPresent();
    }
}
