package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.MERGE_OBJECTS_NEEDS_OBJECT;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.value.Values;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Accumulators that keep many values. */
final class CollectingAccumulators {
    private CollectingAccumulators() {}

    static final class Push implements Accumulator {
        private final BsonArray values = new BsonArray();
        private long bytes;

        @Override
        public void add(BsonValue value) {
            if (!Values.isMissing(value)) {
                values.add(value);
                bytes += RawCursor.of(value).elementSize() + 32L;
            }
        }

        @Override
        public BsonValue result() {
            return values;
        }

        @Override
        public BsonDocument partial() {
            return new BsonDocument("v", values);
        }

        @Override
        public void combine(BsonDocument partial) {
            partial.getArray("v").forEach(this::add);
        }

        @Override
        public long bytes() {
            return 64 + bytes;
        }
    }

    static final class AddToSet implements Accumulator {
        private final Map<KeyString, BsonValue> values = new LinkedHashMap<>();
        private final Collation collation;
        private long bytes;

        AddToSet(Collation collation) {
            this.collation = collation;
        }

        @Override
        public void add(BsonValue value) {
            if (!Values.isMissing(value)) {
                KeyString key = collation.key(value);
                if (values.putIfAbsent(key, value) == null) {
                    bytes += 2L * key.bytes().length + 96;
                }
            }
        }

        @Override
        public BsonValue result() {
            return new BsonArray(java.util.List.copyOf(values.values()));
        }

        @Override
        public BsonDocument partial() {
            return new BsonDocument("v", result());
        }

        @Override
        public void combine(BsonDocument partial) {
            partial.getArray("v").forEach(this::add);
        }

        @Override
        public long bytes() {
            return 64 + bytes;
        }
    }

    static final class MergeObjects implements Accumulator {
        private final BsonDocument merged = new BsonDocument();
        private long bytes;

        @Override
        public void add(BsonValue value) {
            if (Values.isNullish(value)) {
                return;
            }
            if (!value.isDocument()) {
                throw MERGE_OBJECTS_NEEDS_OBJECT.because(
                        "$mergeObjects requires object inputs, but input %s is of type %s",
                        Values.show(value), Values.typeName(value));
            }
            merged.putAll(value.asDocument());
            bytes += RawCursor.of(value).elementSize();
        }

        @Override
        public BsonValue result() {
            return merged;
        }

        @Override
        public BsonDocument partial() {
            return new BsonDocument("v", merged);
        }

        @Override
        public void combine(BsonDocument partial) {
            add(partial.get("v"));
        }

        @Override
        public long bytes() {
            return 64 + bytes;
        }
    }
}
