package io.ostraka.query.index;

import static io.ostraka.core.error.ErrorCode.GEO_KEYS;
import static io.ostraka.core.error.ErrorCode.GEO_NOT_PAIR;
import static io.ostraka.core.error.ErrorCode.GEO_OUT_OF_BOUNDS;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.GeoTests;
import io.ostraka.query.geo.Geometry;
import io.ostraka.query.geo.GeometryParser.NoGeometry;
import io.ostraka.query.geo.PlaneCells;
import io.ostraka.query.geo.SphereCells;
import io.ostraka.query.geo.StoredGeometry;
import io.ostraka.query.value.Values;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonValue;

/** The cells a document's places lie in. */
final class GeoKeys {
    private GeoKeys() {}

    /** Of GeoJSON and of pairs of numbers, on the sphere. */
    record OnSphere(FieldPath path) implements DerivedKeys {
        @Override
        public Parts of(RawDocument document) {
            Set<Long> cells = new LinkedHashSet<>();
            for (BsonValue value : GeoTests.values(document, path)) {
                if (isEmpty(value)) {
                    continue;
                }
                try {
                    for (Geometry geometry : StoredGeometry.all(value)) {
                        if (!geometry.onSphere()) {
                            throw GEO_KEYS.because(
                                    "Can't extract geo keys: %s  longitude/latitude is out of bounds",
                                    Values.show(value));
                        }
                        cells.addAll(SphereCells.keys(geometry));
                    }
                } catch (NoGeometry e) {
                    throw GEO_KEYS.because("Can't extract geo keys: %s  %s", Values.show(value), e.getMessage());
                }
            }
            return parts(cells);
        }
    }

    /** Of pairs of numbers, in the plane. */
    record InPlane(FieldPath path, PlaneCells cells) implements DerivedKeys {
        @Override
        public Parts of(RawDocument document) {
            Set<Long> found = new LinkedHashSet<>();
            for (BsonValue value : GeoTests.values(document, path)) {
                if (isEmpty(value)) {
                    continue;
                }
                try {
                    for (Geometry.Flat point : StoredGeometry.pairs(value)) {
                        if (!cells.has(point)) {
                            throw GEO_OUT_OF_BOUNDS.because(
                                    "point not in interval of [ %s, %s ) :: caused by :: %s",
                                    cells.min(), cells.max(), Values.show(value));
                        }
                        found.add(cells.key(point));
                    }
                } catch (NoGeometry e) {
                    throw GEO_NOT_PAIR.because(
                            "location object expected, location array not in correct format: %s", e.getMessage());
                }
            }
            return parts(found);
        }
    }

    private static boolean isEmpty(BsonValue value) {
        return value.isArray() && value.asArray().isEmpty();
    }

    private static DerivedKeys.Parts parts(Set<Long> cells) {
        if (cells.isEmpty()) {
            DerivedKeys.Part nothing = (key, descending) -> key.addNull(descending);
            return new DerivedKeys.Parts(List.of(nothing), true, false);
        }
        List<DerivedKeys.Part> all = cells.stream()
                .map(cell -> (DerivedKeys.Part) (key, descending) -> key.addLong(cell, descending))
                .toList();
        return new DerivedKeys.Parts(all, false, all.size() > 1);
    }
}
