package io.ostraka.router.gather;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.GeoTests;
import io.ostraka.query.geo.Near;
import io.ostraka.query.sort.SortPattern;
import org.bson.BsonDouble;

/** The order in which each shard gives its documents, and in which they are merged. */
@FunctionalInterface
public interface MergeOrder {
    /** Bytes that sort as the documents do. */
    byte[] keyOf(RawDocument document);

    /** The order of a sort. */
    static MergeOrder by(SortPattern sort, Collation collation) {
        return document -> sort.keyOf(document, collation).bytes();
    }

    /** Nearest first. */
    static MergeOrder byDistance(FieldPath path, Near near) {
        return document -> {
            double distance = GeoTests.nearest(document, path, near)
                    .map(GeoTests.Nearest::distance)
                    .orElse(Double.POSITIVE_INFINITY);
            return KeyString.of(new BsonDouble(distance)).bytes();
        };
    }
}
