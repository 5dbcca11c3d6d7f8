package io.ostraka.query.run;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * What {@code $meta} tells of documents beside what is in them. Where somebody asks for it, it travels in a field of its
 * own at the end of the document, which no client is shown.
 */
public enum Metadata {
    /** How well the words match; the greatest first. */
    TEXT_SCORE("textScore", true),
    /** How far away it is; the nearest first. */
    GEO_NEAR_DISTANCE("geoNearDistance", false);

    private final String word;
    private final String field;
    private final boolean descending;

    Metadata(String word, boolean descending) {
        this.word = word;
        this.descending = descending;
        field = "$" + word;
    }

    /** As clients write it behind {@code $meta}. */
    public String word() {
        return word;
    }

    /** The field it travels in. */
    public String field() {
        return field;
    }

    /** Whether a sort by it begins with the greatest. */
    public boolean isDescending() {
        return descending;
    }

    public static Optional<Metadata> of(BsonValue word) {
        for (Metadata each : values()) {
            if (word instanceof BsonString text && text.getValue().equals(each.word)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Whether a field's name is one of these. */
    public static boolean isField(String name) {
        return name.equals(TEXT_SCORE.field) || name.equals(GEO_NEAR_DISTANCE.field);
    }

    /** Whether a document's field is one of these. */
    public static boolean isField(RawCursor field) {
        return field.nameEquals(TEXT_SCORE.field) || field.nameEquals(GEO_NEAR_DISTANCE.field);
    }

    /** All that some part of a command asks for. */
    public static Set<Metadata> named(BsonValue value) {
        Set<Metadata> found = EnumSet.noneOf(Metadata.class);
        collect(value, found);
        return found;
    }

    private static void collect(BsonValue value, Set<Metadata> found) {
        if (value instanceof BsonDocument document) {
            document.forEach((name, inner) -> {
                if (name.equals("$meta")) {
                    of(inner).ifPresent(found::add);
                } else {
                    collect(inner, found);
                }
            });
        } else if (value.isArray()) {
            value.asArray().forEach(each -> collect(each, found));
        }
    }

    /** A document that tells it. */
    public RawDocument with(RawDocument document, double value) {
        return new RawBuilder(document.size() + 32)
                .elements(document)
                .put(field, value)
                .build();
    }

    /** A document that tells nothing. */
    public static RawDocument without(RawDocument document) {
        if (document.find(TEXT_SCORE.field) == null && document.find(GEO_NEAR_DISTANCE.field) == null) {
            return document;
        }
        RawBuilder shown = new RawBuilder(document.size());
        RawCursor field = document.cursor();
        while (field.next()) {
            if (!isField(field)) {
                shown.element(field);
            }
        }
        return shown.build();
    }
}
