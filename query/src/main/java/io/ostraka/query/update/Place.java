package io.ostraka.query.update;

import static io.ostraka.core.error.ErrorCode.CANNOT_BACKFILL_ARRAY;
import static io.ostraka.core.error.ErrorCode.PATH_NOT_VIABLE;

import io.ostraka.core.path.FieldPath;
import io.ostraka.query.value.Values;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** One path in a document that is being changed: read, written, or removed. */
final class Place {
    /** Nulls that a position past an array's end may bring. */
    private static final int BACKFILL_MAX = 1_500_000;

    private final BsonDocument root;
    private final FieldPath path;

    Place(BsonDocument root, FieldPath path) {
        this.root = root;
        this.path = path;
    }

    FieldPath path() {
        return path;
    }

    /** The value there, or missing. */
    BsonValue get() {
        BsonValue here = root;
        for (int i = 0; i < path.length() && here != null; i++) {
            here = step(here, i);
        }
        return here == null ? Values.MISSING : here;
    }

    private BsonValue step(BsonValue here, int part) {
        if (here.isDocument()) {
            return here.asDocument().get(path.part(part));
        }
        if (here.isArray()) {
            int index = path.index(part);
            return index >= 0 && index < here.asArray().size() ? here.asArray().get(index) : null;
        }
        return null;
    }

    /** Puts a value there, with the documents on the way to it. */
    void set(BsonValue value) {
        BsonValue here = root;
        for (int i = 0; i < path.length() - 1; i++) {
            BsonValue next = step(here, i);
            if (next == null) {
                next = new BsonDocument();
                put(here, i, next);
            }
            here = next;
        }
        put(here, path.length() - 1, value);
    }

    private void put(BsonValue here, int part, BsonValue value) {
        if (here.isDocument()) {
            here.asDocument().put(path.part(part), value);
            return;
        }
        int index = path.index(part);
        if (!here.isArray() || index < 0) {
            throw PATH_NOT_VIABLE.because(
                    "Cannot create field '%s' in element {%s: %s}",
                    path.part(part), part == 0 ? "" : path.part(part - 1), Values.show(here));
        }
        BsonArray array = here.asArray();
        if (index - array.size() > BACKFILL_MAX) {
            throw CANNOT_BACKFILL_ARRAY.because("can't backfill more than %d elements", BACKFILL_MAX);
        }
        while (array.size() <= index) {
            array.add(BsonNull.VALUE);
        }
        array.set(index, value);
    }

    /** Removes what is there; an element of an array becomes null, so that the others keep their positions. */
    void remove() {
        BsonValue here = root;
        for (int i = 0; i < path.length() - 1 && here != null; i++) {
            here = step(here, i);
        }
        int last = path.length() - 1;
        if (here != null && here.isDocument()) {
            here.asDocument().remove(path.last());
        } else if (here != null && here.isArray() && step(here, last) != null) {
            here.asArray().set(path.index(last), BsonNull.VALUE);
        }
    }

    /** Whether the path goes through an array. */
    boolean crossesArray() {
        BsonValue here = root;
        for (int i = 0; i < path.length() && here != null; i++) {
            if (here.isArray()) {
                return true;
            }
            here = step(here, i);
        }
        return false;
    }
}
