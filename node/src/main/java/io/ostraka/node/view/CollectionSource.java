package io.ostraka.node.view;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.query.execute.Source;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.KeyRange;
import io.ostraka.query.plan.PlannedIndex;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.RecordStore;
import io.ostraka.storage.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;

/** One collection in one View, for the query engine. One thread at a time; lives as long as the View. */
public final class CollectionSource implements Source {
    private static final KeyRange EVERY_KEY = new KeyRange(
            KeyString.builder().add(new BsonMinKey(), false).before(),
            KeyString.builder().add(new BsonMaxKey(), false).after());

    private final View view;
    private final CollectionEntry collection;
    private final boolean counted;
    private final Set<Integer> used = new HashSet<>(4); // each counts once for a plan, however many ranges it has

    public CollectionSource(View view, CollectionEntry collection) {
        this(view, collection, true);
    }

    /** @param counted whether the plan counts as one that uses its indexes */
    CollectionSource(View view, CollectionEntry collection, boolean counted) {
        this.view = view;
        this.collection = collection;
        this.counted = counted;
    }

    /** The indexes a plan may use. */
    public static List<PlannedIndex> indexes(CollectionEntry collection) {
        List<PlannedIndex> ready = new ArrayList<>(collection.indexes().size());
        for (IndexEntry index : collection.indexes()) {
            if (index.isReady()) {
                ready.add(new PlannedIndex(index.definition(), index.multikey()));
            }
        }
        return ready;
    }

    /** What the indexes are that a plan may use. */
    public static List<IndexDefinition> definitions(Optional<CollectionEntry> collection) {
        return collection
                .map(entry ->
                        indexes(entry).stream().map(PlannedIndex::definition).toList())
                .orElse(List.of());
    }

    @Override
    public Walk<Stored> records(boolean backwards) {
        return collection.isClustered() ? byId(backwards) : byRecord(backwards);
    }

    /** The records in the order of their {@code _id}s. */
    private Walk<Stored> byId(boolean backwards) {
        Walk<Entry> entries = entries(collection.idIndex().definition(), EVERY_KEY, backwards);
        return new Walk<>() {
            @Override
            public Stored next() {
                for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
                    Optional<RawDocument> document = fetch(entry.id());
                    if (document.isPresent()) {
                        return new Stored(entry.id(), document.get());
                    }
                }
                return null;
            }

            @Override
            public void close() {
                entries.close();
            }
        };
    }

    private Walk<Stored> byRecord(boolean backwards) {
        Rows rows = view.records(collection);
        return new RowWalk<>(rows, backwards) {
            @Override
            boolean start() {
                return backwards ? rows.last() : rows.first();
            }

            @Override
            Stored row() {
                return new Stored(RecordStore.recordId(rows.key()), RawDocument.of(rows.value()));
            }
        };
    }

    @Override
    public Walk<Entry> entries(IndexDefinition definition, KeyRange range, boolean backwards) {
        IndexEntry index = collection.index(definition.name()).orElseThrow();
        if (counted && used.add(index.ident())) {
            view.used(index);
        }
        IndexStore store = new IndexStore(index.ident());
        byte[] low = store.from(range.low());
        byte[] high = store.from(range.high());
        Rows rows = view.entries(index);
        return new RowWalk<>(rows, backwards) {
            @Override
            boolean start() {
                if (!backwards) {
                    return rows.seek(low);
                }
                return rows.seekBack(high);
            }

            @Override
            boolean isWithin() {
                byte[] key = rows.key();
                return backwards ? Arrays.compareUnsigned(key, low) >= 0 : Arrays.compareUnsigned(key, high) < 0;
            }

            @Override
            Entry row() {
                byte[] key = rows.key();
                return new Entry(IndexStore.keyString(key), rows.value(), IndexStore.recordId(key));
            }
        };
    }

    @Override
    public Optional<RawDocument> fetch(RecordId id) {
        return view.document(collection, id);
    }

    @Override
    public boolean owns(RawDocument document) {
        return View.owns(collection, document);
    }

    /** A walk over rows. */
    private abstract static class RowWalk<T> implements Walk<T> {
        private final Rows rows;
        private final boolean backwards;
        private boolean started;
        private boolean ended;

        RowWalk(Rows rows, boolean backwards) {
            this.rows = rows;
            this.backwards = backwards;
        }

        abstract boolean start();

        boolean isWithin() {
            return true;
        }

        abstract T row();

        @Override
        public T next() {
            if (ended) {
                return null;
            }
            boolean on = !started ? start() : backwards ? rows.previous() : rows.next();
            started = true;
            if (!on || !isWithin()) {
                ended = true;
                return null;
            }
            return row();
        }

        @Override
        public void close() {
            ended = true;
            rows.close();
        }
    }
}
