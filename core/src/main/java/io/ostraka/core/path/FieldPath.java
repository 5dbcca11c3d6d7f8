package io.ostraka.core.path;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;

/**
 * A path with dots, split: {@code "a.b.0"}. Parts may be empty here; who must refuse that does so with their own error.
 */
public final class FieldPath implements Comparable<FieldPath> {
    private final String text;
    private final String[] parts;
    private final int[] indexes;

    private FieldPath(String text, String[] parts) {
        this.text = text;
        this.parts = parts;
        this.indexes = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            indexes[i] = parseIndex(parts[i]);
        }
    }

    public static FieldPath of(String text) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', from)) {
            parts.add(text.substring(from, dot));
            from = dot + 1;
        }
        parts.add(text.substring(from));
        return new FieldPath(text, parts.toArray(String[]::new));
    }

    private static int parseIndex(String part) {
        int length = part.length();
        if (length == 0 || length > 9 || length > 1 && part.charAt(0) == '0') {
            return -1;
        }
        int index = 0;
        for (int i = 0; i < length; i++) {
            int digit = part.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            index = index * 10 + digit;
        }
        return index;
    }

    public String text() {
        return text;
    }

    /** How many parts; at least one. */
    public int length() {
        return parts.length;
    }

    public String part(int at) {
        return parts[at];
    }

    public String first() {
        return parts[0];
    }

    public String last() {
        return parts[parts.length - 1];
    }

    /** The part as an array position, or -1 where it is none. */
    public int index(int at) {
        return indexes[at];
    }

    /** Whether any part is empty. */
    public boolean hasEmptyPart() {
        for (String part : parts) {
            if (part.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The first parts, {@code count} of them, at least one. */
    public FieldPath prefix(int count) {
        return of(String.join(".", List.of(parts).subList(0, count)));
    }

    /** The path without its first parts; at least one is left. */
    public FieldPath from(int part) {
        return of(String.join(".", List.of(parts).subList(part, parts.length)));
    }

    /** This path with another one behind it. */
    public FieldPath then(String more) {
        return of(text + "." + more);
    }

    /** Whether this path is the other one or leads to it. */
    public boolean isPrefixOf(FieldPath other) {
        if (parts.length > other.parts.length) {
            return false;
        }
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].equals(other.parts[i])) {
                return false;
            }
        }
        return true;
    }

    /** A cursor on the value at this path, through documents only and not into arrays; null where there is none. */
    public RawCursor find(RawDocument document) {
        RawCursor cursor = document.find(parts[0]);
        for (int i = 1; i < parts.length && cursor != null; i++) {
            cursor = cursor.isDocument() ? cursor.document().find(parts[i]) : null;
        }
        return cursor;
    }

    @Override
    public int compareTo(FieldPath other) {
        return text.compareTo(other.text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldPath that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
