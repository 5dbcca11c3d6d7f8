package io.ostraka.query.execute;

import static io.ostraka.core.error.ErrorCode.DISTINCT_TOO_BIG;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.collation.Collation;
import java.util.List;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonValue;

/**
 * The different values of a path, for {@code distinct}: gathered from documents on a shard, and again from the shards'
 * answers on a router. An array stands for its elements. Values come in their order. One thread.
 */
public final class DistinctValues {
    /** Bytes the values may have together, as they are one reply. */
    private static final long BYTES_MAX = 16 << 20;

    private final FieldPath path;
    private final Collation collation;
    private final TreeMap<KeyString, BsonValue> values = new TreeMap<>();
    private long bytes;

    public DistinctValues(FieldPath path) {
        this(path, Collation.SIMPLE);
    }

    /** @param collation of strings equal under it the first counts */
    public DistinctValues(FieldPath path, Collation collation) {
        this.path = path;
        this.collation = collation;
    }

    /** Takes in the values one document has. */
    public void add(RawDocument document) {
        walk(document, 0);
    }

    /** Takes in values that were gathered elsewhere. */
    public void addAll(Iterable<BsonValue> gathered) {
        gathered.forEach(value -> add(RawCursor.of(value)));
    }

    /** All values so far. */
    public BsonArray values() {
        return new BsonArray(List.copyOf(values.values()));
    }

    private void walk(RawDocument document, int part) {
        RawCursor found = document.find(path.part(part));
        if (found != null) {
            at(found, part);
        }
    }

    private void at(RawCursor found, int part) {
        boolean end = part == path.length() - 1;
        if (!found.isArray()) {
            if (end) {
                add(found);
            } else if (found.isDocument()) {
                walk(found.document(), part + 1);
            }
            return;
        }
        RawCursor element = found.document().cursor();
        for (int i = 0; element.next(); i++) {
            if (end) {
                add(element);
            } else if (path.index(part + 1) == i) {
                at(element, part + 1);
            } else if (element.isDocument()) {
                walk(element.document(), part + 1);
            }
        }
    }

    private void add(RawCursor value) {
        KeyString key = KeyString.builder().add(collation.fold(value), false).build();
        if (!values.containsKey(key)) {
            bytes += value.valueSize() + 8;
            if (bytes > BYTES_MAX) {
                throw DISTINCT_TOO_BIG.because("distinct too big, 16mb cap");
            }
            values.put(key, value.value());
        }
    }
}
