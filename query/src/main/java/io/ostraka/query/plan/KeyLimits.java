package io.ostraka.query.plan;

import static io.ostraka.core.error.ErrorCode.MIN_MAX_FIELDS_DIFFER;
import static io.ostraka.core.error.ErrorCode.MIN_MAX_NOT_OF_INDEX;
import static io.ostraka.core.error.ErrorCode.MIN_NOT_BEFORE_MAX;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.KeyStringBuilder;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.Intervals;
import io.ostraka.query.index.IndexBounds;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexField;
import io.ostraka.query.index.KeyRange;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;

/**
 * {@code min} and {@code max} of a find: from one key of the hinted index, included, to another, which is not.
 *
 * @param min values of all fields of the index, by their names
 * @param max the same
 */
public record KeyLimits(Optional<RawDocument> min, Optional<RawDocument> max) {
    public KeyLimits {
        if (min.isPresent()
                && max.isPresent()
                && !min.get().toBson().keySet().equals(max.get().toBson().keySet())) {
            throw MIN_MAX_FIELDS_DIFFER.because("min and max must have the same field names");
        }
    }

    /** @throws io.ostraka.core.error.CommandException 51174 for an index of other fields */
    IndexBounds on(IndexDefinition index) {
        byte[] low = key(min, index, false);
        byte[] high = key(max, index, true);
        if (Arrays.compareUnsigned(low, high) >= 0) {
            throw MIN_NOT_BEFORE_MAX.because(
                    "The value provided for the key pattern must be less for 'min' than for 'max'");
        }
        return new IndexBounds(
                index.fields(),
                Collections.nCopies(index.fields().size(), Intervals.ALL),
                0,
                List.of(new KeyRange(low, high)));
    }

    private static byte[] key(Optional<RawDocument> limit, IndexDefinition index, boolean last) {
        KeyStringBuilder key = KeyString.builder();
        if (limit.isEmpty()) {
            key.add(last ? new BsonMaxKey() : new BsonMinKey(), false);
            return last ? key.after() : key.before();
        }
        Collation collation = index.collation();
        RawCursor value = limit.get().cursor();
        for (IndexField field : index.fields()) {
            if (!value.next() || !field.isValue() || !field.path().text().equals(value.name())) {
                throw differs(limit.get(), index);
            }
            key.add(collation.fold(value.copy()), field.isDescending());
        }
        if (value.next()) {
            throw differs(limit.get(), index);
        }
        return key.before();
    }

    private static io.ostraka.core.error.CommandException differs(RawDocument limit, IndexDefinition index) {
        return MIN_MAX_NOT_OF_INDEX.because(
                "The index chosen is not compatible with min/max: %s does not have the fields of %s in their order",
                limit, index.keyPattern());
    }
}
