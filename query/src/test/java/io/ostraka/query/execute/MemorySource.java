package io.ostraka.query.execute;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.query.TestRun;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexKeys;
import io.ostraka.query.index.KeyRange;
import io.ostraka.query.plan.PlannedIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A collection in memory with its indexes. */
public final class MemorySource implements Source {
    private final TreeMap<RecordId, RawDocument> records = new TreeMap<>();
    private final List<PlannedIndex> indexes = new ArrayList<>();
    private final Map<String, List<Entry>> all = new HashMap<>();
    private final Predicate<RawDocument> owned;

    public MemorySource(List<RawDocument> documents, List<IndexDefinition> definitions) {
        this(documents, definitions, _ -> true);
    }

    public MemorySource(List<RawDocument> documents, List<IndexDefinition> definitions, Predicate<RawDocument> owned) {
        this.owned = owned;
        documents.forEach(document -> records.put(RecordId.of(records.size() + 1L), document));
        for (IndexDefinition definition : definitions) {
            long multikey = 0;
            IndexKeys keys = IndexKeys.of(definition, TestRun.CONTEXT);
            for (RawDocument document : documents) {
                multikey |= keys.of(document).multikey();
            }
            indexes.add(new PlannedIndex(definition, multikey));
        }
    }

    public List<PlannedIndex> indexes() {
        return indexes;
    }

    private record ListWalk<T>(Iterator<T> iterator) implements Walk<T> {
        @Override
        public T next() {
            return iterator.hasNext() ? iterator.next() : null;
        }

        @Override
        public void close() {}
    }

    @Override
    public Walk<Stored> records(boolean backwards) {
        return new ListWalk<>((backwards ? records.descendingMap() : records)
                .entrySet().stream()
                        .map(record -> new Stored(record.getKey(), record.getValue()))
                        .iterator());
    }

    @Override
    public Walk<Entry> entries(IndexDefinition index, KeyRange range, boolean backwards) {
        List<Entry> entries = new ArrayList<>(all.computeIfAbsent(index.name(), _ -> entries(index)));
        entries.removeIf(entry -> !range.contains(entry.key()));
        Comparator<Entry> order = Comparator.comparing((Entry entry) -> new KeyString(entry.key(), entry.typeBits()))
                .thenComparing(Entry::id);
        entries.sort(backwards ? order.reversed() : order);
        return new ListWalk<>(entries.iterator());
    }

    private List<Entry> entries(IndexDefinition index) {
        IndexKeys keys = IndexKeys.of(index, TestRun.CONTEXT);
        List<Entry> entries = new ArrayList<>();
        records.forEach((id, document) -> {
            for (KeyString key : keys.of(document).keys()) {
                entries.add(new Entry(key.bytes(), key.typeBits(), id));
            }
        });
        return entries;
    }

    @Override
    public Optional<RawDocument> fetch(RecordId id) {
        return Optional.ofNullable(records.get(id));
    }

    @Override
    public boolean owns(RawDocument document) {
        return owned.test(document);
    }
}
