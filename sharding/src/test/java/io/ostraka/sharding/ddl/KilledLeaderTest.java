package io.ostraka.sharding.ddl;

import static io.ostraka.sharding.ddl.MortalCluster.A;
import static io.ostraka.sharding.ddl.MortalCluster.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.core.time.Clock;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.ChunkRow;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.CollectionChanges;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.catalog.ShardRow;
import io.ostraka.wire.command.Deadline;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each change is killed at each of its points (before and after every commit and every command to a shard), and once
 * more at each point of what the next leader does. What comes out is what an undisturbed run gives, or nothing at all.
 */
class KilledLeaderTest {
    private static final int LIVES_ON = 1_000;
    private static final ShardKey KEY = ShardKey.parse(BsonDocument.parse("{k: 'hashed'}"));
    private static final Namespace OLD = new Namespace("db", "old");
    private static final Namespace NEW = new Namespace("db", "new");
    private static final UUID OLD_ID = new UUID(1, 1);

    private enum Change {
        SHARD(() -> shard(NEW)),
        STOPPED_SHARD(() -> shard(NEW)),
        DROP(() -> new DropCollection(OLD, OLD_ID, List.of(A, B))),
        RENAME(() -> new RenameCollection(OLD, NEW, OLD_ID, List.of(A, B), Optional.empty())),
        CAREFUL_RENAME(() -> rename(OLD, NEW)),
        DROP_DATABASE(() -> new DropDatabase("db", List.of(A, B)));

        private final Supplier<Coordinator> make;

        Change(Supplier<Coordinator> make) {
            this.make = make;
        }
    }

    private static RenameCollection rename(Namespace from, Namespace to) {
        return new RenameCollection(
                from,
                to,
                OLD_ID,
                List.of(A, B),
                Optional.of(new RenameCollection.Reservation(A, new UUID(3, 3), KEY.pattern())));
    }

    private static ShardCollection shard(Namespace namespace) {
        return new ShardCollection(new ShardCollection.Request(
                namespace,
                KEY,
                false,
                true,
                true,
                true,
                List.of(A, B),
                4,
                new ObjectId("650000000000000000000000"),
                new BsonTimestamp(9, 9),
                0,
                false));
    }

    /** Two shards, database {@code db} on a, {@code db.old} tracked on both. */
    private static MortalCluster cluster(Change change) {
        MortalCluster cluster = new MortalCluster();
        ClusterCatalog catalog = cluster.new Leader(LIVES_ON).catalog;
        for (var shard : List.of(A, B)) {
            ShardRow row = ShardRow.create(shard, shard.name(), List.of("localhost:1"), cluster.store.tick());
            cluster.store.commit(List.of(new CatalogStore.Change.Put("shards", row.document())));
            cluster.collections.put(shard.name() + "/" + OLD, OLD_ID);
        }
        assertThat(catalog.createDatabase("db", Optional.of(A)).primary()).isEqualTo(A);
        Generation generation = new Generation(new ObjectId("640000000000000000000000"), cluster.store.tick());
        CollectionRow row = CollectionRow.create(OLD, OLD_ID, KEY, false, generation, 0);
        ChunkRow chunk = ChunkRow.first(
                new ObjectId("640000000000000000000001"),
                OLD_ID,
                KEY,
                KEY.lowestBound(),
                KEY.highestBound(),
                A,
                1L << 32,
                cluster.store.tick());
        new CollectionChanges(catalog).track(row, List.of(chunk), new BsonDocument());
        if (change == Change.STOPPED_SHARD) {
            cluster.refused = Optional.of("_shardsvrCreateCollection");
        }
        return cluster;
    }

    private static Deadline deadline() {
        return Deadline.in(Clock.SYSTEM, 10_000);
    }

    private static void run(MortalCluster.Leader leader, Change change) {
        try {
            assertThat(leader.driver.run(change.make.get(), deadline())).isNotNull();
        } catch (CommandException refusal) {
            assertThat(change).isEqualTo(Change.STOPPED_SHARD);
        } catch (RuntimeException killed) {
            assertThat(leader.isDead()).isTrue();
        }
    }

    /** All that can be seen from outside. */
    private record Outcome(
            List<String> tracked, boolean database, int chunks, List<String> collections, List<String> log) {
        static Outcome of(MortalCluster cluster) {
            ClusterCatalog catalog = cluster.new Leader(LIVES_ON).catalog;
            return new Outcome(
                    catalog.collections(Optional.empty()).stream()
                            .map(row -> row.namespace() + " " + row.uuid())
                            .toList(),
                    catalog.database("db").isPresent(),
                    cluster.store.find("chunks", new BsonDocument()).size(),
                    cluster.collections.entrySet().stream()
                            .map(Object::toString)
                            .toList(),
                    cluster.log());
        }
    }

    @ParameterizedTest
    @EnumSource
    void comesToItsEndWhereverItsLeadersAreKilled(Change change) {
        Outcome before = Outcome.of(cluster(change));
        MortalCluster undisturbed = cluster(change);
        run(undisturbed.new Leader(LIVES_ON), change);
        Outcome after = Outcome.of(undisturbed);
        assertThat(after).isNotEqualTo(before);
        int killed = 0;
        for (int first = 0; ; first++) {
            boolean reached = false;
            for (int second = 0; ; second++) {
                MortalCluster cluster = cluster(change);
                MortalCluster.Leader one = cluster.new Leader(first);
                run(one, change);
                reached = one.isDead();
                boolean stored = !cluster.store
                        .find(CoordinatorDriver.COORDINATORS, new BsonDocument())
                        .isEmpty();
                MortalCluster.Leader two = cluster.new Leader(second);
                two.driver.resume();
                cluster.new Leader(LIVES_ON).driver.resume();
                Outcome outcome = Outcome.of(cluster);
                if (first == 0) {
                    assertThat(stored).isFalse();
                    assertThat(outcome).isEqualTo(before);
                } else {
                    assertThat(outcome)
                            .as("killed at %d, then at %d", first, second)
                            .isEqualTo(after);
                }
                assertThat(cluster.blocked)
                        .as("killed at %d, then at %d", first, second)
                        .isEmpty();
                assertThat(cluster.store.find(CoordinatorDriver.COORDINATORS, new BsonDocument()))
                        .isEmpty();
                killed++;
                if (!two.isDead()) {
                    break;
                }
            }
            if (!reached) {
                break;
            }
        }
        assertThat(killed).as("points at which it can be killed").isGreaterThan(20);
    }

    @Test
    void aStoppedShardCollectionLeavesNothingTracked() {
        MortalCluster cluster = cluster(Change.STOPPED_SHARD);
        run(cluster.new Leader(LIVES_ON), Change.STOPPED_SHARD);
        assertThat(Outcome.of(cluster).tracked()).containsExactly(OLD + " " + OLD_ID);
        assertThat(cluster.blocked).isEmpty();
    }

    @Test
    void aRenameOntoATrackedCollectionOrOfNoneIsRefusedByTheCatalog() {
        MortalCluster cluster = cluster(Change.RENAME);
        CoordinatorDriver driver = cluster.new Leader(LIVES_ON).driver;
        assertThat(driver.run(shard(NEW), deadline())).isNotNull();
        Outcome before = Outcome.of(cluster);
        assertThatThrownBy(() -> driver.run(Change.RENAME.make.get(), deadline()))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_EXISTS));
        assertThatThrownBy(() -> driver.run(rename(new Namespace("db", "none"), new Namespace("db", "x")), deadline()))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_NOT_FOUND));
        assertThat(Outcome.of(cluster)).isEqualTo(before);
        assertThat(cluster.blocked).isEmpty();
    }

    @Test
    void aRenameThatMayNotDropIsRefusedByWhatIsNotTracked() {
        MortalCluster cluster = cluster(Change.CAREFUL_RENAME);
        // Made after the config servers have looked, and before the change begins.
        cluster.collections.put(A.name() + "/" + NEW, new UUID(4, 4));
        Outcome before = Outcome.of(cluster);
        CoordinatorDriver driver = cluster.new Leader(LIVES_ON).driver;
        assertThatThrownBy(() -> driver.run(Change.CAREFUL_RENAME.make.get(), deadline()))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_EXISTS));
        assertThat(Outcome.of(cluster)).isEqualTo(before);
    }

    @Test
    void aDatabaseDroppedInBetweenIsMadeAgainWithTheCollection() {
        MortalCluster cluster = cluster(Change.DROP_DATABASE);
        CoordinatorDriver driver = cluster.new Leader(LIVES_ON).driver;
        // Both were asked for before either began: the second finds the database gone.
        ShardCollection late = shard(NEW);
        assertThat(driver.run(Change.DROP_DATABASE.make.get(), deadline())).isNotNull();
        assertThat(Outcome.of(cluster).tracked())
                .as("collections of the database too")
                .isEmpty();
        assertThat(driver.run(late, deadline())).isNotNull();
        Outcome outcome = Outcome.of(cluster);
        assertThat(outcome.database()).isTrue();
        assertThat(outcome.tracked()).containsExactly(NEW + " " + MortalCluster.MADE);
    }
}
