package io.ostraka.query.filter;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;

/**
 * How a filter's path meets arrays: a path goes through an array into each of its documents, and by position if its
 * next part is a number; at its end an array stands for its elements and for itself.
 */
final class PathWalk {
    private PathWalk() {}

    /** A test of one value; null is a missing one. */
    interface CursorTest {
        boolean test(RawCursor valueOrNull);

        /** Whether an array at the path's end is also tested element by element. */
        default boolean looksIntoArrays() {
            return true;
        }
    }

    /** Whether any value at a path passes. */
    static boolean any(RawDocument document, FieldPath path, CursorTest test) {
        return any(document, path, 0, test);
    }

    private static boolean any(RawDocument document, FieldPath path, int part, CursorTest test) {
        RawCursor found = document.find(path.part(part));
        return found == null ? test.test(null) : at(found, path, part, test);
    }

    private static boolean at(RawCursor found, FieldPath path, int part, CursorTest test) {
        if (part == path.length() - 1) {
            return atEnd(found, test);
        }
        if (found.isDocument()) {
            return any(found.document(), path, part + 1, test);
        }
        if (!found.isArray()) {
            return test.test(null);
        }
        int position = path.index(part + 1);
        RawCursor element = found.document().cursor();
        for (int i = 0; element.next(); i++) {
            if (element.isDocument() && any(element.document(), path, part + 1, test)) {
                return true;
            }
            if (i == position && at(element, path, part + 1, test)) {
                return true;
            }
        }
        return false;
    }

    private static boolean atEnd(RawCursor found, CursorTest test) {
        if (found.isArray() && test.looksIntoArrays()) {
            RawCursor element = found.document().cursor();
            while (element.next()) {
                if (test.test(element)) {
                    return true;
                }
            }
        }
        return test.test(found);
    }
}
