package io.ostraka.sharding.catalog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/** A store in memory. Filters are equalities of top-level fields. */
public final class MemoryStore implements CatalogStore {
    private final Map<String, Map<BsonValue, BsonDocument>> collections = new LinkedHashMap<>();
    private int time;

    @Override
    public synchronized List<BsonDocument> find(String collection, BsonDocument filter) {
        List<BsonDocument> found = new ArrayList<>();
        for (BsonDocument document :
                collections.getOrDefault(collection, Map.of()).values()) {
            if (filter.entrySet().stream().allMatch(e -> e.getValue().equals(document.get(e.getKey())))) {
                found.add(document);
            }
        }
        return found;
    }

    @Override
    public synchronized Optional<BsonDocument> get(String collection, BsonValue id) {
        return Optional.ofNullable(
                collections.getOrDefault(collection, Map.of()).get(id));
    }

    @Override
    public synchronized void commit(List<Change> changes) {
        for (Change change : changes) {
            switch (change) {
                case Change.Put(var name, var document) ->
                    collections
                            .computeIfAbsent(name, ignored -> new LinkedHashMap<>())
                            .put(document.get("_id"), document);
                case Change.Delete(var name, var id) ->
                    collections.getOrDefault(name, new LinkedHashMap<>()).remove(id);
            }
        }
    }

    @Override
    public synchronized BsonTimestamp tick() {
        return new BsonTimestamp(100, ++time);
    }
}
