package io.ostraka.sharding.config;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.sharding.balancer.Zone;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.ChunkRow;
import io.ostraka.sharding.catalog.ChunkSplits;
import io.ostraka.sharding.catalog.CollectionRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The zones of collections, as {@code config.tags} holds them, and the splits they ask for. */
final class Zones {
    static final String TAGS = "tags";

    private static final Logger LOG = LoggerFactory.getLogger(Zones.class);

    private final CatalogStore store;
    private final ChunkSplits splits;

    Zones(CatalogStore store, ChunkSplits splits) {
        this.store = store;
        this.splits = splits;
    }

    /** The rows of a collection, in no order. */
    List<BsonDocument> rows(Namespace namespace) {
        return store.find(TAGS, new BsonDocument("ns", new BsonString(namespace.toString())));
    }

    /** All rows of a zone, of whatever collection. */
    List<BsonDocument> rowsOf(String zone) {
        return store.find(TAGS, new BsonDocument("tag", new BsonString(zone)));
    }

    /** The range of a row, completed for the key. @throws CommandException 2 if the bounds are none of the key's */
    static KeyRange range(ShardKey key, BsonDocument row) {
        byte[] min = key.encodeBound(key.completeBound(row.getDocument("min")));
        byte[] max = key.encodeBound(key.completeBound(row.getDocument("max")));
        return new KeyRange(min, max);
    }

    /** The zones of a collection. Rows people wrote by hand that do not fit the key are left out, and said in the log. */
    List<Zone> of(CollectionRow collection) {
        List<Zone> zones = new ArrayList<>();
        for (BsonDocument row : rows(collection.namespace())) {
            try {
                zones.add(new Zone(
                        range(collection.key(), row), row.getString("tag").getValue()));
            } catch (CommandException | IllegalStateException e) {
                LOG.warn("a zone range of {} is ignored: {}", collection.namespace(), e.getMessage());
            }
        }
        return zones;
    }

    /** Splits chunks at the edges of zones, so that each chunk is in one zone or in none. */
    void splitAtEdges(CollectionRow collection, List<ChunkRow> chunks) {
        for (BsonDocument row : rows(collection.namespace())) {
            for (String edge : List.of("min", "max")) {
                try {
                    BsonDocument bound = collection.key().completeBound(row.getDocument(edge));
                    byte[] at = collection.key().encodeBound(bound);
                    boolean isEdge = Arrays.equals(at, collection.key().highest())
                            || chunks.stream()
                                    .anyMatch(
                                            chunk -> Arrays.equals(chunk.range().min(), at));
                    if (!isEdge) {
                        Optional<Generation> generation = Optional.of(collection.generation());
                        List<ChunkRow> unused = splits.split(collection.namespace(), generation, List.of(bound));
                    }
                } catch (CommandException e) {
                    LOG.warn("a zone range of {} is ignored: {}", collection.namespace(), e.getMessage());
                }
            }
        }
    }
}
