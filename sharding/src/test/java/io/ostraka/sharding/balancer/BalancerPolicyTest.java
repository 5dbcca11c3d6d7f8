package io.ostraka.sharding.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BalancerPolicyTest {
    private static final ShardKey KEY = ShardKey.parse(BsonDocument.parse("{k: 1}"));
    private static final long MB = 1 << 20;

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    /** From any start, carrying out what the policy says comes to rest: even, and nothing left on draining shards. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void comesToRest(long seed) {
        Random random = new Random(seed);
        int shards = 2 + random.nextInt(5);
        List<ClusterState.Shard> all = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            all.add(new ClusterState.Shard(new ShardId("s" + i), i == 0 && random.nextBoolean(), Set.of()));
        }
        List<Chunk> chunks = new ArrayList<>();
        byte[] from = KEY.lowest();
        int count = 1 + random.nextInt(60);
        for (int i = 0; i < count; i++) {
            byte[] to = i == count - 1 ? KEY.highest() : KEY.encodeBound(BsonDocument.parse("{k: " + i + "}"));
            chunks.add(new Chunk(new KeyRange(from, to), new ShardId("s" + random.nextInt(shards)), i + 1));
            from = to;
        }
        RoutingTable table = RoutingTable.of(
                new RoutingTable.Head(
                        new Namespace("d", "c"),
                        new UUID(0, 0),
                        KEY,
                        false,
                        true,
                        new Generation(new ObjectId(), new BsonTimestamp(1, 1))),
                chunks);
        int moved = 0;
        while (true) {
            Map<ShardId, Long> bytes = new HashMap<>();
            for (Chunk chunk : table.chunks()) {
                bytes.merge(chunk.owner(), MB, Long::sum);
            }
            ClusterState state = new ClusterState(
                    all, List.of(new ClusterState.Collection(table, bytes, MB, true, Set.of(), List.of())));
            List<BalancerPolicy.Move> moves = BalancerPolicy.plan(state);
            if (moves.isEmpty()) {
                break;
            }
            List<Chunk> changed = new ArrayList<>();
            for (BalancerPolicy.Move move : moves) {
                assertThat(move.from()).isNotEqualTo(move.to());
                changed.add(new Chunk(move.chunk().range(), move.to(), 1000L * ++moved));
            }
            assertThat(moves.stream().map(BalancerPolicy.Move::to)).doesNotHaveDuplicates();
            assertThat(moves.stream().map(BalancerPolicy.Move::from)).doesNotHaveDuplicates();
            table = table.with(changed);
            assertThat(moved).as("moves until rest").isLessThan(10 * count + 10);
        }
        long least = Long.MAX_VALUE;
        long most = 0;
        for (ClusterState.Shard shard : all) {
            int owned = table.chunksOf(shard.id());
            if (shard.draining()) {
                assertThat(owned).isZero();
            } else {
                least = Math.min(least, owned);
                most = Math.max(most, owned);
            }
        }
        assertThat(most - least).isLessThanOrEqualTo(1);
    }
}
