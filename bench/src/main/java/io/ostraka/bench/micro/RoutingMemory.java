package io.ostraka.bench.micro;

import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/** The heap a routing table of a million chunks takes. */
public final class RoutingMemory {
    static final int CHUNKS = 1_000_000;
    private static final int SHARDS = 10;

    private RoutingMemory() {}

    public static void run() {
        long before = used();
        RoutingTable table = table(CHUNKS);
        long after = used();
        System.out.printf(
                Locale.ROOT,
                "%d chunks: %.1f MB, %.1f bytes a chunk%n",
                table.size(),
                (after - before) / 1e6,
                (double) (after - before) / table.size());
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    static byte[] key(ShardKey key, long value) {
        return key.encodeBound(new BsonDocument("customer", new BsonInt64(value)));
    }

    static RoutingTable table(int chunks) {
        ShardKey key = ShardKey.parse(new BsonDocument("customer", new BsonInt32(1)));
        RoutingTable.Head head = new RoutingTable.Head(
                Namespace.parse("shop.orders"),
                new UUID(1, 2),
                key,
                false,
                false,
                new Generation(new ObjectId(1, 1), new BsonTimestamp(1, 1)));
        List<ShardId> shards = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++) {
            shards.add(new ShardId("shard" + i));
        }
        List<Chunk> all = new ArrayList<>(chunks);
        byte[] from = key.lowest();
        for (int i = 0; i < chunks; i++) {
            byte[] to = i == chunks - 1 ? key.highest() : key(key, (i + 1) * 1_000L);
            all.add(new Chunk(new KeyRange(from, to), shards.get(i % SHARDS), (1L << 32) + i));
            from = to;
        }
        return RoutingTable.of(head, all);
    }
}
