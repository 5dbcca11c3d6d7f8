package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.apply.Totals;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.View;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import org.bson.BsonDouble;

/**
 * {@code dbStats}: sizes and counts of one database.
 *
 * <pre>{ dbStats: 1, scale? }  →  { db, collections, objects, avgObjSize, dataSize, storageSize, indexes, indexSize, … }</pre>
 */
final class DbStatsCommand implements Command<DbStatsCommand.Request> {
    record Request(String database, int scale) {}

    private final Member member;
    private final CollectionStats stats;

    DbStatsCommand(Member member) {
        this.member = member;
        stats = new CollectionStats(member);
    }

    @Override
    public String name() {
        return "dbStats";
    }

    @Override
    public List<String> aliases() {
        return List.of("dbstats");
    }

    @Override
    public Needs needs() {
        return Needs.database("dbStats", Needs.Kind.READ);
    }

    @Override
    public Request parse(Fields fields) {
        fields.raw("freeStorage");
        return new Request(fields.database(), CollStatsCommand.scale(fields));
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        long objects = 0;
        long data = 0;
        long storage = 0;
        long indexes = 0;
        long indexBytes = 0;
        long views;
        List<CollectionEntry> collections;
        try (View view = member.view()) {
            collections = view.catalog().ofDatabase(request.database());
            views = collections.stream().filter(CollectionEntry::isView).count();
            collections.removeIf(CollectionEntry::isView);
            for (CollectionEntry entry : collections) {
                Totals totals = view.totals(entry);
                objects += totals.owned();
                data += totals.ownedBytes();
                storage += stats.storageBytes(entry);
                for (IndexEntry index : entry.indexes()) {
                    indexes++;
                    indexBytes += stats.indexBytes(index);
                }
            }
        }
        double scale = request.scale();
        return new RawBuilder()
                .put("db", request.database())
                .put("collections", (long) collections.size())
                .put("views", views)
                .put("objects", objects)
                .put("avgObjSize", new BsonDouble(objects == 0 ? 0 : (double) data / objects))
                .put("dataSize", new BsonDouble(data / scale))
                .put("storageSize", new BsonDouble(storage / scale))
                .put("indexes", indexes)
                .put("indexSize", new BsonDouble(indexBytes / scale))
                .put("totalSize", new BsonDouble((storage + indexBytes) / scale))
                .put("scaleFactor", (long) request.scale())
                .build();
    }
}
