package io.ostraka.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoutingTableTest {
    private static final ShardKey KEY = ShardKey.parse(BsonDocument.parse("{k: 1}"));
    private static final RoutingTable.Head HEAD = new RoutingTable.Head(
            new Namespace("test", "things"),
            new UUID(1, 2),
            KEY,
            false,
            true,
            new Generation(new ObjectId(), new BsonTimestamp(5, 0)));

    private static byte[] key(int value) {
        return KEY.keyOf(RawDocument.of(BsonDocument.parse("{k: " + value + "}")));
    }

    private static byte[] bound(int value) {
        return KEY.encodeBound(BsonDocument.parse("{k: " + value + "}"));
    }

    private static Chunk chunk(byte[] min, byte[] max, String owner, int major, int minor) {
        return new Chunk(new KeyRange(min, max), new ShardId(owner), (long) major << 32 | minor);
    }

    private static RoutingTable one() {
        return RoutingTable.of(HEAD, List.of(chunk(KEY.lowest(), KEY.highest(), "a", 1, 0)));
    }

    @Test
    void everyKeyHasOneOwner() {
        RoutingTable table = RoutingTable.of(
                HEAD, List.of(chunk(bound(10), KEY.highest(), "b", 2, 0), chunk(KEY.lowest(), bound(10), "a", 1, 1)));
        assertThat(table.ownerOf(key(9))).isEqualTo(new ShardId("a"));
        assertThat(table.ownerOf(key(10))).isEqualTo(new ShardId("b"));
        assertThat(table.ownersIn(key(3), key(5), true)).containsExactly(new ShardId("a"));
        assertThat(table.ownersIn(key(3), bound(10), false)).containsExactly(new ShardId("a"));
        assertThat(table.ownersIn(key(3), key(10), true)).containsExactly(new ShardId("a"), new ShardId("b"));
        assertThat(table.versionOf(new ShardId("b")).major()).isEqualTo(2);
        assertThat(table.versionOf(new ShardId("c")).major()).isZero();
    }

    @Test
    void aGapIsABrokenInvariant() {
        assertThatThrownBy(() -> RoutingTable.of(
                        HEAD,
                        List.of(chunk(KEY.lowest(), bound(1), "a", 1, 0), chunk(bound(2), KEY.highest(), "a", 1, 0))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("end to end");
    }

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    /** Many random splits and moves, told to a table piece by piece, give the table that is made of all chunks. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void changesGiveTheSameTableAsAllChunks(long seed) {
        Random random = new Random(seed);
        RoutingTable table = one();
        List<Chunk> all = new ArrayList<>(table.chunks());
        int major = 1;
        for (int step = 0; step < 300; step++) {
            int at = random.nextInt(all.size());
            Chunk old = all.get(at);
            List<Chunk> changed = new ArrayList<>();
            byte[] middle = bound(random.nextInt(100_000));
            if (random.nextInt(4) > 0
                    && old.range().contains(middle)
                    && !Arrays.equals(middle, old.range().min())) {
                changed.add(new Chunk(new KeyRange(old.range().min(), middle), old.owner(), old.version() + 1));
                changed.add(new Chunk(new KeyRange(middle, old.range().max()), old.owner(), old.version() + 2));
            } else {
                major++;
                changed.add(new Chunk(old.range(), new ShardId("s" + random.nextInt(5)), (long) major << 32));
            }
            all.remove(at);
            all.addAll(at, changed);
            table = table.with(changed);
        }
        RoutingTable whole = RoutingTable.of(HEAD, all);
        assertThat(table.chunks()).isEqualTo(whole.chunks());
        assertThat(table.shards()).isEqualTo(whole.shards());
        assertThat(ChunkCodec.decode(ChunkCodec.encode(all))).isEqualTo(all);
        for (int i = 0; i < 200; i++) {
            byte[] key = key(random.nextInt(100_000));
            assertThat(table.ownerOf(key)).isEqualTo(whole.chunkOf(key).owner());
        }
        for (ShardId shard : table.shards()) {
            assertThat(table.rangesOf(shard).asList())
                    .isEqualTo(whole.rangesOf(shard).asList());
        }
    }

    @Test
    void arraysAreRefusedAndMissingIsNull() {
        assertThatThrownBy(() -> KEY.keyOf(RawDocument.of(BsonDocument.parse("{k: [1]}"))))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(61));
        assertThat(KEY.keyOf(RawDocument.EMPTY)).isEqualTo(KEY.keyOf(RawDocument.of(BsonDocument.parse("{k: null}"))));
        ShardKey nested = ShardKey.parse(BsonDocument.parse("{'a.b': 'hashed', c: 1}"));
        assertThatThrownBy(() -> nested.keyOf(RawDocument.of(BsonDocument.parse("{a: [{b: 1}]}"))))
                .isInstanceOf(CommandException.class);
        assertThat(nested.keyOf(RawDocument.of(BsonDocument.parse("{a: {b: 1}, c: 2}"))))
                .isEqualTo(nested.keyOf(RawDocument.of(BsonDocument.parse("{a: {b: 1.9}, c: 2.0}"))));
    }

    @Test
    void theLargestKeyLiesInTheLastChunk() {
        RawDocument document = RawDocument.of(BsonDocument.parse("{k: {$maxKey: 1}}"));
        RoutingTable table = RoutingTable.of(
                HEAD, List.of(chunk(KEY.lowest(), bound(10), "a", 1, 1), chunk(bound(10), KEY.highest(), "b", 2, 0)));
        assertThat(table.rangesOf(new ShardId("b")).contains(KEY.keyOf(document)))
                .isTrue();
        assertThat(table.ownerOf(KEY.keyOf(document))).isEqualTo(new ShardId("b"));
    }

    @Test
    void ownershipSurvivesStoring() {
        Ownership ownership = Ownership.of(KEY, one().versionOf(new ShardId("a")), one().rangesOf(new ShardId("a")))
                .block(new KeyRange(bound(1), bound(5)));
        assertThat(Ownership.of(ownership.toBson())).isEqualTo(ownership);
        assertThat(ownership.blocks(key(1))).isTrue();
        assertThat(ownership.release(new KeyRange(bound(1), bound(3))).blocks(key(1)))
                .isFalse();
        assertThat(ownership.release(new KeyRange(bound(1), bound(3))).blocks(key(4)))
                .isTrue();
    }
}
