package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.apply.Totals;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.View;
import io.ostraka.storage.Family;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.RecordStore;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Sizes and counts of a collection, as {@code collStats} and {@code $collStats} show them. */
final class CollectionStats {
    private final Member member;

    CollectionStats(Member member) {
        this.member = member;
    }

    /** The fields that {@code storageStats} and the command share; a collection that is not there has zeros. */
    void put(RawBuilder row, View view, Optional<CollectionEntry> collection, int scale) {
        Totals totals = collection.map(view::totals).orElse(Totals.ZERO);
        long average = totals.owned() > 0
                ? totals.ownedBytes() / totals.owned()
                : totals.unownedBytes() / Math.max(1, totals.unowned());
        // Shells take numOrphanDocs × avgObjSize off the size to show what a shard owns: so much is put on before.
        long size = totals.ownedBytes() + totals.unowned() * average;
        row.put("size", size / scale).put("count", totals.owned());
        if (totals.documents() > 0) {
            row.put("avgObjSize", average);
        }
        row.put("numOrphanDocs", totals.unowned());
        long storage = collection.map(this::storageBytes).orElse(0L);
        row.put("storageSize", storage / scale)
                .put("freeStorageSize", 0)
                .put("capped", collection.flatMap(CollectionEntry::capped).isPresent());
        collection
                .flatMap(CollectionEntry::capped)
                .ifPresent(bounds -> row.put("max", bounds.documents()).put("maxSize", bounds.bytes() / scale));
        List<IndexEntry> indexes = collection.map(CollectionEntry::indexes).orElse(List.of());
        row.put("nindexes", indexes.size()).openArray("indexBuilds");
        int building = 0;
        for (IndexEntry index : indexes) {
            if (!index.isReady()) {
                row.put(Integer.toString(building++), index.name());
            }
        }
        row.close();
        long total = 0;
        RawBuilder sizes = new RawBuilder();
        for (IndexEntry index : indexes) {
            long bytes = indexBytes(index);
            sizes.put(index.name(), bytes / scale);
            total += bytes;
        }
        row.put("totalIndexSize", total / scale)
                .put("totalSize", (storage + total) / scale)
                .put("indexSizes", sizes.build())
                .put("scaleFactor", scale);
    }

    long storageBytes(CollectionEntry collection) {
        RecordStore store = new RecordStore(collection.ident());
        return member.engine().estimatedBytes(Family.RECORDS, store.start(), store.end());
    }

    long indexBytes(IndexEntry index) {
        IndexStore store = new IndexStore(index.ident());
        return member.engine().estimatedBytes(Family.INDEX, store.start(), store.end());
    }

    /** {@code $collStats: { storageStats: { scale? }?, count: {}? }}. */
    List<RawDocument> stage(Reading.Opened opened, String namespace, BsonDocument options, Operation operation) {
        RawBuilder row = new RawBuilder()
                .put("ns", namespace)
                .put("host", new BsonString(member.settings().address().get()))
                .put("localTime", new BsonDateTime(member.settings().clock().wallMillis()));
        if (options.get("storageStats") instanceof BsonDocument wanted) {
            int scale = wanted.containsKey("scale")
                    ? Math.max(1, wanted.getNumber("scale").intValue())
                    : 1;
            row.openDocument("storageStats");
            put(row, opened.view(), opened.collection(), scale);
            row.close();
        }
        if (options.containsKey("count")) {
            row.put(
                    "count",
                    opened.collection()
                            .map(entry -> opened.view().totals(entry).owned())
                            .orElse(0L));
        }
        operation.checkAlive();
        return List.of(row.build());
    }
}
