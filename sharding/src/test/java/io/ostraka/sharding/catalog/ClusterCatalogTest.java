package io.ostraka.sharding.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.sharding.catalog.MovePlan.Decision;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterCatalogTest {
    private static final Namespace THINGS = new Namespace("test", "things");
    private static final ShardKey KEY = ShardKey.parse(BsonDocument.parse("{k: 1}"));
    private static final ShardId A = new ShardId("a");
    private static final ShardId B = new ShardId("b");

    private final MemoryStore store = new MemoryStore();
    private final Ids ids = new Ids(Clock.SYSTEM, new Random(7));
    private final ClusterCatalog catalog = catalog();
    private final CollectionChanges changes = new CollectionChanges(catalog);
    private final ChunkSplits splits = new ChunkSplits(catalog);
    private final MovePlans plans = new MovePlans(catalog);

    private ClusterCatalog catalog() {
        return new ClusterCatalog(store, new Changelog("localhost:27019", Clock.SYSTEM, ids), Clock.SYSTEM, ids);
    }

    @BeforeEach
    void shardOneCollection() {
        for (ShardId shard : List.of(A, B)) {
            ShardRow row = ShardRow.create(shard, shard.name(), List.of("localhost:1"), store.tick());
            store.commit(List.of(new CatalogStore.Change.Put("shards", row.document())));
        }
        Generation generation = new Generation(ids.objectId(), store.tick());
        CollectionRow row = CollectionRow.create(THINGS, new UUID(1, 1), KEY, false, generation, 0);
        ChunkRow chunk = ChunkRow.first(
                ids.objectId(), row.uuid(), KEY, KEY.lowestBound(), KEY.highestBound(), A, 1L << 32, store.tick());
        changes.track(row, List.of(chunk), new BsonDocument());
    }

    private static BsonDocument at(int value) {
        return BsonDocument.parse("{k: " + value + "}");
    }

    private RoutingTable table() {
        return catalog.table(THINGS).orElseThrow();
    }

    @Test
    void aSplitRaisesOnlyMinorsAndCanBeAskedTwice() {
        PlacementVersion before = table().versionOf(A);
        assertThat(splits.split(THINGS, Optional.empty(), List.of(at(5), at(9))))
                .hasSize(3);
        assertThat(splits.split(THINGS, Optional.empty(), List.of(at(5)))).hasSize(1);
        assertThat(table().size()).isEqualTo(3);
        assertThat(table().versionOf(A).agreesWith(before)).isTrue();
        assertThat(table().versionOf(A).isNewerThan(before)).isTrue();
        assertThatThrownBy(() -> splits.split(THINGS, Optional.empty(), List.of(at(8), at(7))))
                .isInstanceOf(CommandException.class);
    }

    @Test
    void aMoveChangesDonorAndRecipientAndIsDecidedOnce() {
        splits.split(THINGS, Optional.empty(), List.of(at(5)));
        MovePlan plan = plans.open(THINGS, at(5), KEY.highestBound(), B, false).orElseThrow();
        assertThatThrownBy(() -> plans.open(THINGS, KEY.lowestBound(), at(5), B, false))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(117));
        PlacementVersion donorBefore = table().versionOf(A);
        assertThat(plans.commit(plan.id(), new BsonDocument())).isEqualTo(Decision.COMMITTED);
        assertThat(plans.settle(plan.id(), "late")).isEqualTo(Decision.COMMITTED);
        assertThat(table().ownerOf(KEY.before(List.of(new org.bson.BsonInt32(7)))))
                .isEqualTo(B);
        assertThat(table().versionOf(A).agreesWith(donorBefore)).isFalse();
        assertThat(table().versionOf(A).major()).isEqualTo(table().versionOf(B).major());
        plans.finish(plan.id(), new BsonDocument());
        assertThat(plans.all()).isEmpty();
    }

    @Test
    void anAbortedPlanNeverCommits() {
        MovePlan plan = plans.open(THINGS, KEY.lowestBound(), KEY.highestBound(), B, false)
                .orElseThrow();
        assertThat(plans.settle(plan.id(), "test")).isEqualTo(Decision.ABORTED);
        assertThat(plans.commit(plan.id(), new BsonDocument())).isEqualTo(Decision.ABORTED);
        assertThat(table().shards()).containsExactly(A);
    }

    @Test
    void aPartOfAChunkCanMove() {
        MovePlan plan = plans.open(THINGS, at(3), at(8), B, false).orElseThrow();
        assertThat(plans.commit(plan.id(), new BsonDocument())).isEqualTo(Decision.COMMITTED);
        assertThat(table().size()).isEqualTo(3);
        assertThat(table().chunksOf(B)).isEqualTo(1);
    }

    static LongStream seeds() {
        return LongStream.range(0, 30);
    }

    /** Whatever was split, moved and merged: a new leader reads the same table, and refreshes tell the whole of it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void storeMemoryAndRefreshesAgree(long seed) {
        Random random = new Random(seed);
        RoutingTable router = table();
        for (int step = 0; step < 60; step++) {
            List<ChunkRow> rows = catalog.chunks(THINGS);
            ChunkRow row = rows.get(random.nextInt(rows.size()));
            switch (random.nextInt(3)) {
                case 0 -> splits.split(THINGS, Optional.empty(), List.of(at(random.nextInt(1000))));
                case 1 -> {
                    ShardId to = row.shard().equals(A) ? B : A;
                    MovePlan plan =
                            plans.open(THINGS, row.min(), row.max(), to, false).orElseThrow();
                    plans.commit(plan.id(), new BsonDocument());
                    plans.finish(plan.id(), new BsonDocument());
                }
                default -> {
                    int next = rows.indexOf(row) + 1;
                    if (next < rows.size() && rows.get(next).shard().equals(row.shard())) {
                        splits.merge(THINGS, row.min(), rows.get(next).max());
                    }
                }
            }
            if (random.nextInt(3) == 0) {
                List<Chunk> changed = catalog.changedSince(table(), Optional.of(router.highest()));
                router = router.with(changed);
                assertThat(router.chunks()).isEqualTo(table().chunks());
                assertThat(router.versionOf(A)).isEqualTo(table().versionOf(A));
                assertThat(router.versionOf(B)).isEqualTo(table().versionOf(B));
            }
        }
        assertThat(catalog().table(THINGS).orElseThrow().chunks()).isEqualTo(table().chunks());
    }

    @Test
    void droppingForgetsRowsAndChunks() {
        changes.drop(THINGS, new UUID(1, 1));
        changes.drop(THINGS, new UUID(1, 1));
        assertThat(catalog.table(THINGS)).isEmpty();
        assertThat(store.find("chunks", new BsonDocument())).isEmpty();
    }
}
