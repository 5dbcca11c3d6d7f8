package io.ostraka.query.plan;

import static io.ostraka.core.error.ErrorCode.EXCEEDED_MEMORY_LIMIT;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Which plan won the trial for each shape of query on each collection, and which indexes an operator lets a shape use. Lost
 * when the member stops. Safe for many threads.
 */
public final class PlanCache {
    /** Plans kept in all; those used longest ago go first. */
    private static final int ENTRIES_MAX = 5_000;

    /** A plan that does so many times more for each row than it did in its trial is tried again. */
    private static final int WORSE = 10;

    /**
     * A plan that won.
     *
     * @param collection where
     * @param indexes of the collection as they were
     * @param form which plan it is
     * @param works entries and documents it looked at in the trial
     * @param returned rows it gave there
     * @param createdMillis when
     * @param plan as explain shows it
     * @param query the one it was tried with
     */
    public record Cached(
            int collection,
            List<String> indexes,
            QueryShape shape,
            String form,
            long works,
            long returned,
            long createdMillis,
            BsonDocument plan,
            FindQuery query) {
        public Cached {
            indexes = List.copyOf(indexes);
        }

        /** Whether so much work for so many rows says that the plan has become a bad one. */
        public boolean isWorse(long nowWorks, long nowReturned) {
            return (double) nowWorks / (nowReturned + 1) > WORSE * ((double) works + 1) / (returned + 1);
        }
    }

    /**
     * Which indexes the queries of a shape may use.
     *
     * @param query one of them
     * @param indexes by name, as strings, or by key pattern
     */
    public record IndexFilter(FindQuery query, BsonArray indexes) {
        private boolean allows(PlannedIndex index) {
            return indexes.contains(new BsonString(index.definition().name()))
                    || indexes.contains(index.definition().keyPattern().toBson());
        }
    }

    private record Key(int collection, QueryShape shape) {}

    private final Map<Key, Cached> entries = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Cached> eldest) {
            return size() > ENTRIES_MAX;
        }
    };

    private final Map<Key, IndexFilter> filters = new LinkedHashMap<>();

    /** The plan for a shape, if the collection has the indexes it had then. */
    public synchronized Optional<Cached> find(int collection, List<String> indexes, QueryShape shape) {
        return Optional.ofNullable(entries.get(new Key(collection, shape)))
                .filter(entry -> entry.indexes.equals(indexes));
    }

    public synchronized void put(Cached entry) {
        entries.put(new Key(entry.collection, entry.shape), entry);
    }

    public synchronized void remove(int collection, QueryShape shape) {
        entries.remove(new Key(collection, shape));
    }

    public synchronized void clear(int collection) {
        entries.keySet().removeIf(key -> key.collection == collection);
    }

    /** Forgets the plans of all queries that a client would call by this shape. */
    public synchronized void clear(int collection, QueryShape plain) {
        entries.values()
                .removeIf(entry -> entry.collection == collection
                        && QueryShape.plain(entry.query).equals(plain));
    }

    /** Lets the queries of a shape use these indexes alone, whatever they are hinted. At most as many as plans are kept. */
    public synchronized void filter(int collection, IndexFilter filter) {
        clear(collection, QueryShape.plain(filter.query));
        if (filters.size() >= ENTRIES_MAX) {
            throw EXCEEDED_MEMORY_LIMIT.because("more than %d index filters are set; clear some", ENTRIES_MAX);
        }
        filters.put(new Key(collection, QueryShape.plain(filter.query)), filter);
    }

    /** Lets the queries of a shape use all indexes again, or of no shape those of all. */
    public synchronized void unfilter(int collection, Optional<QueryShape> plain) {
        filters.keySet()
                .removeIf(key -> key.collection == collection
                        && plain.map(key.shape::equals).orElse(true));
        if (plain.isPresent()) {
            clear(collection, plain.get());
        } else {
            clear(collection);
        }
    }

    /** All filters of a collection. */
    public synchronized List<IndexFilter> filters(int collection) {
        List<IndexFilter> found = new ArrayList<>();
        filters.forEach((key, filter) -> {
            if (key.collection == collection) {
                found.add(filter);
            }
        });
        return found;
    }

    /** The indexes that a query may use, or nothing where it may use all. */
    public Optional<List<PlannedIndex>> allowed(int collection, FindQuery query, List<PlannedIndex> indexes) {
        IndexFilter filter;
        synchronized (this) {
            if (filters.isEmpty()) {
                return Optional.empty();
            }
            filter = filters.get(new Key(collection, QueryShape.plain(query)));
        }
        return Optional.ofNullable(filter)
                .map(each -> indexes.stream().filter(each::allows).toList());
    }

    /** All plans of a collection. */
    public synchronized List<Cached> of(int collection) {
        List<Cached> found = new ArrayList<>();
        entries.values().stream()
                .filter(entry -> entry.collection == collection)
                .forEach(found::add);
        return found;
    }
}
