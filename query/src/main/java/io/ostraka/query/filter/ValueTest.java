package io.ostraka.query.filter;

import io.ostraka.query.geo.Area;
import io.ostraka.query.geo.Geometry;
import io.ostraka.query.geo.Near;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** A condition on one value, as it stands behind a field's name in a filter. */
public sealed interface ValueTest {
    enum Comparison {
        EQUAL,
        GREATER,
        GREATER_OR_EQUAL,
        LESS,
        LESS_OR_EQUAL
    }

    /** Which bits of a mask must be set or clear. */
    enum Bits {
        ALL_SET,
        ANY_SET,
        ALL_CLEAR,
        ANY_CLEAR
    }

    /** {@code $eq}, {@code $gt} and so on, within the operand's type. */
    record Compare(Comparison comparison, BsonValue operand) implements ValueTest {}

    /** {@code $in}: equal to one of the values, or matched by one of the patterns. */
    record In(List<BsonValue> values, List<Matches> patterns) implements ValueTest {
        public In {
            values = List.copyOf(values);
            patterns = List.copyOf(patterns);
        }
    }

    /** {@code $exists: true}. */
    record Exists() implements ValueTest {}

    /** {@code $type}, by BSON's type numbers; MinKey is -1. */
    record TypeIs(Set<Integer> types) implements ValueTest {
        public TypeIs {
            types = Set.copyOf(types);
        }
    }

    /** {@code $regex}. */
    record Matches(String pattern, String options) implements ValueTest {}

    /** {@code $mod}. */
    record Mod(long divisor, long remainder) implements ValueTest {}

    /** {@code $size}. */
    record Size(long count) implements ValueTest {}

    /** {@code $bitsAllSet} and its kin; positions count from the least bit. */
    record BitTest(Bits bits, List<Integer> positions) implements ValueTest {
        public BitTest {
            positions = List.copyOf(positions);
        }
    }

    /**
     * {@code $geoWithin}.
     *
     * @param source as the client wrote it
     */
    record GeoWithin(Area area, BsonValue source) implements ValueTest {}

    /**
     * {@code $geoIntersects}.
     *
     * @param source as the client wrote it
     */
    record GeoIntersects(Geometry geometry, BsonValue source) implements ValueTest {}

    /**
     * {@code $near} and {@code $nearSphere}: somewhere in a range of distances, and sorted by them.
     *
     * @param source as the client wrote it, with its name
     */
    record IsNear(Near near, BsonDocument source) implements ValueTest {}

    /** {@code $elemMatch} with conditions on fields of the elements. */
    record ElementMatches(Filter filter) implements ValueTest {}

    /** {@code $elemMatch} with conditions on the elements themselves. */
    record ElementIs(List<ValueTest> all) implements ValueTest {
        public ElementIs {
            all = List.copyOf(all);
        }
    }

    /** {@code $all}: each of these holds, for one element or another. Nothing matches where there is none. */
    record AllOf(List<ValueTest> all) implements ValueTest {
        public AllOf {
            all = List.copyOf(all);
        }
    }

    /** {@code $not}: not all of these hold. */
    record Not(List<ValueTest> all) implements ValueTest {
        public Not {
            all = List.copyOf(all);
        }
    }
}
