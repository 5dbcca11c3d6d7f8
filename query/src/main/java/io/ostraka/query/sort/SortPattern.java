package io.ostraka.query.sort;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.META_UNKNOWN;
import static io.ostraka.core.error.ErrorCode.SORT_DIRECTION_INVALID;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.KeyStringBuilder;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonNull;
import org.bson.BsonUndefined;
import org.bson.BsonValue;

/**
 * What documents are sorted by. Of an array the smallest element counts ascending, the greatest descending; a missing
 * value sorts as null, an empty array before it.
 */
public record SortPattern(List<Part> parts) {
    private static final int PARTS_MAX = 32;

    /** One field and its direction. */
    public record Part(FieldPath path, boolean descending) {}

    /** The order documents are found in. */
    public static final SortPattern NATURAL = new SortPattern(List.of());

    public SortPattern {
        parts = List.copyOf(parts);
    }

    /** Whether nothing is asked for. {@code {$natural: 1}} is a hint, which who plans must look for. */
    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /** Reads a sort document. {@code $natural} gives no parts. */
    public static SortPattern parse(RawDocument document) {
        List<Part> parts = new ArrayList<>();
        RawCursor cursor = document.cursor();
        while (cursor.next()) {
            String name = cursor.name();
            BsonValue value = cursor.value();
            if (name.equals("$natural")) {
                direction(value);
                continue;
            }
            if (value.isDocument()) {
                if (value.asDocument().size() == 1 && value.asDocument().containsKey("$meta")) {
                    parts.add(metadata(value.asDocument().get("$meta")));
                    continue;
                }
                throw SORT_DIRECTION_INVALID.because("Illegal key in $sort specification: %s", name);
            }
            FieldPath path = FieldPath.of(name);
            if (path.hasEmptyPart()) {
                throw BAD_VALUE.because("FieldPath field names may not be empty strings: '%s'", name);
            }
            if (name.startsWith("$")) {
                throw BAD_VALUE.because("Field names in a sort may not start with '$': %s", name);
            }
            parts.add(new Part(path, direction(value)));
        }
        if (parts.size() > PARTS_MAX) {
            throw BAD_VALUE.because("too many compound keys");
        }
        return new SortPattern(parts);
    }

    private static Part metadata(BsonValue word) {
        Metadata metadata = Metadata.of(word)
                .orElseThrow(() -> META_UNKNOWN.because("Illegal $meta sort: $meta: %s", Values.show(word)));
        return new Part(FieldPath.of(metadata.field()), metadata.isDescending());
    }

    /** What of documents it sorts by beside what is in them. */
    public Set<Metadata> metadata() {
        Set<Metadata> found = EnumSet.noneOf(Metadata.class);
        for (Metadata each : Metadata.values()) {
            if (parts.stream().anyMatch(part -> part.path.text().equals(each.field()))) {
                found.add(each);
            }
        }
        return found;
    }

    /** The direction a sort document asks of the collection's own order: 1, -1, or 0 where it asks for none. */
    public static int naturalDirection(RawDocument document) {
        RawCursor natural = document.find("$natural");
        if (natural == null) {
            return 0;
        }
        return direction(natural.value()) ? -1 : 1;
    }

    /** True for descending. */
    private static boolean direction(BsonValue value) {
        if (!Values.isNumber(value) || Math.abs(Values.toDouble(value)) != 1) {
            throw SORT_DIRECTION_INVALID.because("$sort key ordering must be 1 (for ascending) or -1 (for descending)");
        }
        return Values.toDouble(value) < 0;
    }

    /** A key whose unsigned bytes order documents as this pattern does, strings by their bytes. */
    public KeyString keyOf(RawDocument document) {
        return keyOf(document, Collation.SIMPLE);
    }

    /** A key whose unsigned bytes order documents as this pattern does. */
    public KeyString keyOf(RawDocument document, Collation collation) {
        KeyStringBuilder builder = KeyString.builder();
        for (Part part : parts) {
            Extreme extreme = new Extreme(part.descending, collation);
            extreme.walk(document, part.path, 0);
            builder.add(extreme.best, part.descending);
        }
        return builder.build();
    }

    /** The pattern as a document. */
    public RawDocument toDocument() {
        RawBuilder builder = new RawBuilder();
        for (Part part : parts) {
            String name = part.path.text();
            if (Metadata.isField(name)) {
                builder.openDocument(name).put("$meta", name.substring(1)).close();
            } else {
                builder.put(name, part.descending ? -1 : 1);
            }
        }
        return builder.build();
    }

    /** Finds the value that counts among those at a path. */
    private static final class Extreme {
        private static final RawCursor MISSING = RawCursor.of(BsonNull.VALUE);
        private static final RawCursor EMPTY_ARRAY = RawCursor.of(new BsonUndefined());

        private final boolean greatest;
        private final Collation collation;
        private RawCursor best;

        private Extreme(boolean greatest, Collation collation) {
            this.greatest = greatest;
            this.collation = collation;
        }

        private void walk(RawDocument document, FieldPath path, int part) {
            RawCursor found = document.find(path.part(part));
            if (found == null) {
                offer(MISSING);
            } else {
                at(found, path, part);
            }
        }

        private void at(RawCursor found, FieldPath path, int part) {
            if (part == path.length() - 1) {
                end(found);
            } else if (found.isDocument()) {
                walk(found.document(), path, part + 1);
            } else if (found.isArray()) {
                into(found, path, part + 1);
            } else {
                offer(MISSING);
            }
        }

        private void into(RawCursor array, FieldPath path, int part) {
            RawCursor positioned =
                    path.index(part) < 0 ? null : array.document().find(path.part(part));
            if (positioned != null) {
                at(positioned, path, part);
                return;
            }
            RawCursor element = array.document().cursor();
            boolean any = false;
            while (element.next()) {
                any = true;
                if (element.isDocument()) {
                    walk(element.document(), path, part);
                } else {
                    offer(MISSING);
                }
            }
            if (!any) {
                offer(MISSING);
            }
        }

        private void end(RawCursor value) {
            if (!value.isArray()) {
                offer(value);
                return;
            }
            RawCursor element = value.document().cursor();
            boolean any = false;
            while (element.next()) {
                any = true;
                offer(element.copy());
            }
            if (!any) {
                offer(EMPTY_ARRAY);
            }
        }

        private void offer(RawCursor found) {
            RawCursor value = collation.fold(found);
            if (best == null) {
                best = value;
                return;
            }
            int order = ValueOrder.compare(value, best);
            if (greatest ? order > 0 : order < 0) {
                best = value;
            }
        }
    }
}
