package io.ostraka.query.index;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyStringBuilder;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.collation.Collation;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonMinKey;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The paths and values of a wildcard. A document within has none of its own, but that of its fields, unless it is empty;
 * an array has those of its elements, at its own path. An array in an array is taken whole.
 *
 * @param always whether a document without any has a key for the sake of other fields
 */
record WildcardKeys(WildcardFields fields, Collation collation, boolean always) implements DerivedKeys {
    /** What stands for a document without any such value: the path, and then the value. */
    private static final BsonValue NOTHING = new BsonMinKey();

    /** The part of one path and value. */
    private record At(String path, RawCursor valueOrEmptyArray) implements Part {
        @Override
        public void addTo(KeyStringBuilder key, boolean descending) {
            key.add(new BsonString(path), false);
            if (valueOrEmptyArray == null) {
                key.addUndefined(descending);
            } else {
                key.add(valueOrEmptyArray, descending);
            }
        }
    }

    @Override
    public Parts of(RawDocument document) {
        Walk walk = new Walk();
        walk.document(document, "");
        if (!walk.found.isEmpty()) {
            return new Parts(walk.found, false, walk.array);
        }
        Part nothing = (key, descending) -> key.add(NOTHING, false).add(NOTHING, descending);
        return new Parts(List.of(nothing), !always, false);
    }

    private final class Walk {
        private final List<Part> found = new ArrayList<>();
        private boolean array;

        private void document(RawDocument document, String prefix) {
            RawCursor field = document.cursor();
            while (field.next()) {
                String path = prefix + field.name();
                if (!field.name().isEmpty() && fields.mayHaveBelow(FieldPath.of(path))) {
                    value(field.copy(), path, false);
                }
            }
        }

        private void value(RawCursor value, String path, boolean element) {
            if (value.isDocument() && !value.document().isEmpty()) {
                document(value.document(), path + ".");
            } else if (value.isArray() && !element) {
                array(value, path);
            } else if (fields.has(FieldPath.of(path))) {
                found.add(new At(path, collation.fold(value)));
            }
        }

        private void array(RawCursor value, String path) {
            array = true;
            RawCursor element = value.document().cursor();
            boolean any = false;
            while (element.next()) {
                any = true;
                value(element.copy(), path, true);
            }
            if (!any && fields.has(FieldPath.of(path))) {
                found.add(new At(path, null));
            }
        }
    }
}
