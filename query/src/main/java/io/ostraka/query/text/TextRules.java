package io.ostraka.query.text;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which strings of documents a text index is about.
 *
 * @param weights of each path, from 1; {@code $**} is all strings
 * @param language of documents that name none
 * @param override the field in which a document, or one within it, names its language
 */
public record TextRules(Map<String, Integer> weights, String language, String override) {
    /** The weight of all strings, where there is one. */
    private static final String ALL = "$**";

    /** What is done with each string. */
    @FunctionalInterface
    public interface Reader {
        /** @param language as the document, or the index, names it */
        void read(String text, int weight, String language);
    }

    public TextRules {
        weights = Collections.unmodifiableMap(new TreeMap<>(weights));
    }

    /** Reads all strings of a document that count. */
    public void read(RawDocument document, Reader reader) {
        new Walk(reader).document(document, "", language);
    }

    private final class Walk {
        private final Reader reader;
        private final Optional<Integer> all = Optional.ofNullable(weights.get(ALL));

        Walk(Reader reader) {
            this.reader = reader;
        }

        private void document(RawDocument document, String prefix, String outer) {
            RawCursor named = document.find(override);
            String language = named != null && named.value().isString() ? named.string() : outer;
            RawCursor field = document.cursor();
            while (field.next()) {
                String path = prefix + field.name();
                Integer weight = weights.getOrDefault(path, all.orElse(null));
                if (weight != null || mayHaveBelow(path)) {
                    value(field, path, weight, language);
                }
            }
        }

        private boolean mayHaveBelow(String path) {
            return weights.keySet().stream()
                    .anyMatch(each -> each.startsWith(path)
                            && each.length() > path.length()
                            && each.charAt(path.length()) == '.');
        }

        private void value(RawCursor value, String path, Integer weight, String language) {
            if (value.isArray()) {
                RawCursor element = value.document().cursor();
                while (element.next()) {
                    if (!element.isArray()) {
                        value(element, path, weight, language);
                    }
                }
            } else if (value.isDocument()) {
                document(value.document(), path + ".", language);
            } else if (weight != null && value.type() == org.bson.BsonType.STRING && !isLanguage(path)) {
                reader.read(value.string(), weight, language);
            }
        }

        private boolean isLanguage(String path) {
            return !weights.containsKey(path) && FieldPath.of(path).last().equals(override);
        }
    }
}
