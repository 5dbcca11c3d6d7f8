package io.ostraka.query.index;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.text.TextRules;
import java.util.Optional;

/** What the keys of an index are made of, with the options that only such an index has. */
public sealed interface AccessMethod {
    /** Values of fields, or hashes of them. */
    record Ordered() implements AccessMethod {}

    /**
     * Paths and values.
     *
     * @param projection which fields are meant, as the client wrote it; empty for all but {@code _id}
     */
    record Wildcard(Optional<RawDocument> projection) implements AccessMethod {}

    /** Words. */
    record Text(TextRules rules) implements AccessMethod {
        static final int VERSION = 3;
    }

    /**
     * Cells of a square of the plane.
     *
     * @param bits of each coordinate
     * @param min of each coordinate
     * @param max of each coordinate, itself outside
     */
    record Planar(int bits, double min, double max) implements AccessMethod {
        public static final Planar DEFAULT = new Planar(26, -180, 180);
    }

    /** Cells of the earth's surface. */
    record Sphere(int version) implements AccessMethod {
        static final int VERSION = 3;
    }

    /** Adds the options to the document that {@code listIndexes} shows. */
    default void addTo(RawBuilder document) {
        switch (this) {
            case Ordered _ -> {}
            case Wildcard(var projection) -> projection.ifPresent(each -> document.put("wildcardProjection", each));
            case Text(var rules) -> {
                document.openDocument("weights");
                rules.weights().forEach(document::put);
                document.close()
                        .put("default_language", rules.language())
                        .put("language_override", rules.override())
                        .put("textIndexVersion", Text.VERSION);
            }
            case Planar planar -> {
                if (!planar.equals(Planar.DEFAULT)) {
                    document.put("bits", planar.bits).put("min", planar.min).put("max", planar.max);
                }
            }
            case Sphere(var version) -> document.put("2dsphereIndexVersion", version);
        }
    }
}
