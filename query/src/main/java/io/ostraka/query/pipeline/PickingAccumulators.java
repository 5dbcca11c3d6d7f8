package io.ostraka.query.pipeline;

import io.ostraka.query.collation.Collation;
import io.ostraka.query.value.Values;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Accumulators that keep one of the values. */
final class PickingAccumulators {
    private PickingAccumulators() {}

    static final class First implements Accumulator {
        private BsonValue value = BsonNull.VALUE;
        private boolean any;

        @Override
        public void add(BsonValue next) {
            if (!any) {
                value = Values.isMissing(next) ? BsonNull.VALUE : next;
                any = true;
            }
        }

        @Override
        public BsonValue result() {
            return value;
        }

        @Override
        public BsonDocument partial() {
            return new BsonDocument("v", value).append("a", BsonBoolean.valueOf(any));
        }

        @Override
        public void combine(BsonDocument partial) {
            if (partial.getBoolean("a").getValue()) {
                add(partial.get("v"));
            }
        }
    }

    static final class Last implements Accumulator {
        private BsonValue value = BsonNull.VALUE;

        @Override
        public void add(BsonValue next) {
            value = Values.isMissing(next) ? BsonNull.VALUE : next;
        }

        @Override
        public BsonValue result() {
            return value;
        }

        @Override
        public BsonDocument partial() {
            return new BsonDocument("v", value);
        }

        @Override
        public void combine(BsonDocument partial) {
            value = partial.get("v");
        }
    }

    /** Null and missing values do not count. */
    static final class Extreme implements Accumulator {
        private final boolean greatest;
        private final Collation collation;
        private BsonValue value = BsonNull.VALUE;

        Extreme(boolean greatest, Collation collation) {
            this.collation = collation;
            this.greatest = greatest;
        }

        @Override
        public void add(BsonValue next) {
            if (Values.isNullish(next)) {
                return;
            }
            int order = value.isNull() ? 0 : collation.order().compare(next, value);
            if (value.isNull() || (greatest ? order > 0 : order < 0)) {
                value = next;
            }
        }

        @Override
        public BsonValue result() {
            return value;
        }

        @Override
        public BsonDocument partial() {
            return new BsonDocument("v", value);
        }

        @Override
        public void combine(BsonDocument partial) {
            add(partial.get("v"));
        }
    }
}
