package io.ostraka.query.index;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyStringBuilder;
import java.util.List;

/** What an index makes of a field, or of several, that is not in its keys as it is. Safe for many threads. */
interface DerivedKeys {
    /** What one key has of it. */
    @FunctionalInterface
    interface Part {
        void addTo(KeyStringBuilder key, boolean descending);
    }

    /**
     * What a document has.
     *
     * @param all at least one: where nothing is found, what stands for that in keys made for other fields' sake
     * @param isAbsent whether nothing was found, so that this is no reason for a key
     * @param several whether the document may have more than one key of it
     */
    record Parts(List<Part> all, boolean isAbsent, boolean several) {
        public Parts {
            all = List.copyOf(all);
        }
    }

    Parts of(RawDocument document);

    /** For each field of an index, or null where the field itself is in the keys. */
    static DerivedKeys[] of(IndexDefinition index) {
        DerivedKeys[] each = new DerivedKeys[index.fields().size()];
        for (int i = 0; i < each.length; i++) {
            IndexField field = index.fields().get(i);
            if (field.isDerived()) {
                each[i] = of(index, field);
            }
        }
        return each;
    }

    private static DerivedKeys of(IndexDefinition index, IndexField field) {
        return switch (index.method()) {
            case AccessMethod.Wildcard(var projection) ->
                new WildcardKeys(
                        WildcardFields.of(field.path(), projection),
                        index.collation(),
                        index.fields().size() > 1);
            case AccessMethod.Planar planar -> new GeoKeys.InPlane(field.path(), GeoBounds.cells(planar));
            case AccessMethod.Sphere _ -> new GeoKeys.OnSphere(field.path());
            case AccessMethod.Text(var rules) -> new TextKeys(rules);
            case AccessMethod.Ordered _ -> throw new IllegalStateException("no field of an ordered index is derived");
        };
    }
}
