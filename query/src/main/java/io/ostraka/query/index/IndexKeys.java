package io.ostraka.query.index;

import static io.ostraka.core.error.ErrorCode.CANNOT_INDEX_PARALLEL_ARRAYS;
import static io.ostraka.core.error.ErrorCode.HASHED_INDEX_ARRAY;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.HashedValue;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.KeyStringBuilder;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.run.RunContext;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The keys a document has in an index. A path goes through arrays into each element; two arrays side by side are
 * refused (171), and so are arrays in a hashed field. Prepared once per index, safe for many threads.
 */
public final class IndexKeys {
    /**
     * The keys of one document.
     *
     * @param keys sorted, each once
     * @param multikey bit i is set where an array lies on the path of field i
     */
    public record Keys(Collection<KeyString> keys, long multikey) {}

    private final List<IndexField> fields;
    /** Of each field that is derived, what makes its parts of keys; null of others. */
    private final DerivedKeys[] derived;

    private final boolean sparse;
    private final Optional<DocumentTest> partial;
    private final Collation collation;

    private IndexKeys(
            List<IndexField> fields,
            DerivedKeys[] derived,
            boolean sparse,
            Optional<DocumentTest> partial,
            Collation collation) {
        this.collation = collation;
        this.fields = List.copyOf(fields);
        this.derived = derived;
        this.sparse = sparse;
        this.partial = partial;
    }

    /** @param context for a partial index's filter, which reads no clock */
    public static IndexKeys of(IndexDefinition index, RunContext context) {
        Optional<Filter> filter = index.partial();
        return new IndexKeys(
                index.fields(),
                DerivedKeys.of(index),
                index.sparse(),
                filter.map(each -> FilterCompiler.compile(each, context.with(index.collation()))),
                index.collation());
    }

    /** The keys of a pattern alone, without options: those of a shard key. */
    public static IndexKeys of(List<IndexField> fields) {
        return new IndexKeys(fields, new DerivedKeys[fields.size()], false, Optional.empty(), Collation.SIMPLE);
    }

    public Keys of(RawDocument document) {
        if (partial.isPresent() && !partial.get().test(document)) {
            return new Keys(List.of(), 0);
        }
        Run run = new Run();
        Place[] places = new Place[fields.size()];
        for (int i = 0; i < places.length; i++) {
            if (derived[i] != null) {
                DerivedKeys.Parts parts = derived[i].of(document);
                run.derive(i, parts);
                places[i] = Place.MISSING;
                continue;
            }
            FieldPath path = fields.get(i).path();
            places[i] = new Place(document.find(path.part(0)), 1, Kind.VALUE);
        }
        if (run.isLeftOut()) {
            return new Keys(List.of(), 0);
        }
        run.expand(places);
        return new Keys(run.keys.values(), run.multikey);
    }

    private enum Kind {
        /** A value, or null for a missing one; parts of the path may be left. */
        VALUE,
        /** An element of an array at the path's end: indexed as it is. */
        ELEMENT,
        /** What an empty array is indexed as. */
        EMPTY_ARRAY
    }

    private record Place(RawCursor value, int part, Kind kind) {
        static final Place MISSING = new Place(null, 0, Kind.ELEMENT);
        static final Place EMPTY = new Place(null, 0, Kind.EMPTY_ARRAY);
    }

    /** One document's keys in the making. */
    private final class Run {
        private final TreeMap<KeyString, KeyString> keys = new TreeMap<>();
        private final DerivedKeys.Parts[] parts = new DerivedKeys.Parts[fields.size()];
        private boolean derives;
        private boolean found;
        private long multikey;

        private void derive(int field, DerivedKeys.Parts of) {
            parts[field] = of;
            derives = true;
            found |= !of.isAbsent();
            if (of.several()) {
                multikey |= 1L << field;
            }
        }

        /** An index of words or places has no key of a document without any. */
        private boolean isLeftOut() {
            return derives && !found;
        }

        private void expand(Place[] places) {
            RawCursor array = null;
            Place[] advanced = new Place[places.length];
            for (int i = 0; i < places.length; i++) {
                advanced[i] = advance(fields.get(i).path(), places[i]);
                if (isArray(advanced[i])) {
                    RawCursor here = advanced[i].value;
                    if (array != null && (array.valueOffset() != here.valueOffset())) {
                        throw CANNOT_INDEX_PARALLEL_ARRAYS.because(
                                "cannot index parallel arrays [%s] [%s]", here.name(), array.name());
                    }
                    if (fields.get(i).isHashed()) {
                        throw HASHED_INDEX_ARRAY.because(
                                "hashed indexes do not currently support array values. Found array for field: %s",
                                fields.get(i).path());
                    }
                    array = here;
                    multikey |= 1L << i;
                }
            }
            if (array == null) {
                emit(advanced);
                return;
            }
            RawCursor element = array.document().cursor();
            boolean any = false;
            while (element.next()) {
                any = true;
                expand(into(advanced, element.copy()));
            }
            if (!any) {
                expand(into(advanced, null));
            }
        }

        private Place[] into(Place[] places, RawCursor element) {
            Place[] next = places.clone();
            for (int i = 0; i < places.length; i++) {
                if (!isArray(places[i])) {
                    continue;
                }
                FieldPath path = fields.get(i).path();
                boolean atEnd = places[i].part == path.length();
                if (atEnd) {
                    next[i] = element == null ? Place.EMPTY : new Place(element, path.length(), Kind.ELEMENT);
                } else if (element != null && element.isDocument()) {
                    next[i] = new Place(
                            element.document().find(path.part(places[i].part)), places[i].part + 1, Kind.VALUE);
                } else {
                    next[i] = Place.MISSING;
                }
            }
            return next;
        }

        private void emit(Place[] places) {
            emit(places, 0, KeyString.builder(), !sparse);
        }

        private void emit(Place[] places, int from, KeyStringBuilder builder, boolean keyed) {
            boolean present = keyed;
            for (int i = from; i < places.length; i++) {
                IndexField field = fields.get(i);
                Place place = places[i];
                if (parts[i] != null) {
                    for (DerivedKeys.Part part : parts[i].all()) {
                        KeyStringBuilder with = builder.copy();
                        part.addTo(with, field.isDescending());
                        emit(places, i + 1, with, true);
                    }
                    return;
                }
                present |= place.value != null || place.kind == Kind.EMPTY_ARRAY;
                if (field.isHashed()) {
                    builder.addLong(
                            place.value == null ? HashedValue.MISSING : HashedValue.of(collation.fold(place.value)),
                            false);
                } else if (place.kind == Kind.EMPTY_ARRAY) {
                    builder.addUndefined(field.isDescending());
                } else if (place.value == null) {
                    builder.addNull(field.isDescending());
                } else {
                    builder.add(collation.fold(place.value), field.isDescending());
                }
            }
            if (present) {
                KeyString key = builder.build();
                keys.putIfAbsent(key, key);
            }
        }
    }

    private static boolean isArray(Place place) {
        return place.kind == Kind.VALUE && place.value != null && place.value.isArray();
    }

    /** Walks on through documents and positions until an array, a value at the end, or nothing. */
    private static Place advance(FieldPath path, Place from) {
        Place place = from;
        while (place.kind == Kind.VALUE && place.value != null && place.part < path.length()) {
            RawCursor value = place.value;
            if (value.isDocument() || value.isArray() && path.index(place.part) >= 0) {
                // A number after an array is a position: elements' names are their positions.
                place = new Place(value.document().find(path.part(place.part)), place.part + 1, Kind.VALUE);
            } else if (value.isArray()) {
                return place;
            } else {
                return Place.MISSING;
            }
        }
        return place;
    }
}
