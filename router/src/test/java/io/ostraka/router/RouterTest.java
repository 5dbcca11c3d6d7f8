package io.ostraka.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.client.ClientLimits;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.HybridClock;
import io.ostraka.wire.command.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RouterTest {
    private FakeCluster cluster;
    private ClusterClient client;

    @BeforeEach
    void start() throws IOException {
        cluster = new FakeCluster("{k: 1}");
        client = new ClusterClient(new ClusterClient.Parts(
                cluster.network,
                FakeCluster.KEY,
                new HybridClock(Clock.SYSTEM),
                Clock.SYSTEM,
                Ids.system(),
                ClientLimits.DEFAULT));
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    private BsonDocument run(String json) {
        return run(RawDocument.of(BsonDocument.parse(json)), Map.of());
    }

    private BsonDocument run(RawDocument command, Map<String, List<RawDocument>> sequences) {
        Operation operation = Operation.ofProcess("test", "db", Deadline.in(Clock.SYSTEM, 20_000));
        return client.exchange("router:27017", "db", command, sequences, operation)
                .toBson();
    }

    private void fill(int... keys) {
        List<RawDocument> documents =
                IntStream.of(keys).mapToObj(FakeCluster::document).toList();
        BsonDocument reply =
                run(RawDocument.of(BsonDocument.parse("{insert: 'things'}")), Map.of("documents", documents));
        assertThat(reply.getNumber("n").intValue()).isEqualTo(keys.length);
    }

    private List<Integer> ids(BsonArray batch) {
        return batch.stream()
                .map(row -> row.asDocument().getInt32("_id").getValue())
                .toList();
    }

    /** All ids a find gives, batch by batch. */
    private List<Integer> findAll(String json) {
        List<Integer> all = new ArrayList<>();
        BsonDocument cursor = run(json).getDocument("cursor");
        all.addAll(ids(cursor.getArray("firstBatch")));
        while (cursor.getInt64("id").getValue() != 0) {
            cursor = run("{getMore: NumberLong('" + cursor.getInt64("id").getValue()
                            + "'), collection: 'things', batchSize: 4}")
                    .getDocument("cursor");
            all.addAll(ids(cursor.getArray("nextBatch")));
        }
        return all;
    }

    private FakeShard shard(String name) {
        return cluster.shards.get(new ShardId(name));
    }

    @Test
    void insertsGoToTheOwnersOfTheirKeys() {
        fill(5, 150, 250, 99, 100);
        assertThat(shard("a").all()).hasSize(2);
        assertThat(shard("b").all()).hasSize(2);
        assertThat(shard("c").all()).hasSize(1);
    }

    @Test
    void errorsCarryTheClientsIndexes() {
        fill(150);
        List<RawDocument> documents = List.of(
                FakeCluster.document(1),
                FakeCluster.document(150),
                FakeCluster.document(250),
                FakeCluster.document(151));
        BsonDocument ordered =
                run(RawDocument.of(BsonDocument.parse("{insert: 'things'}")), Map.of("documents", documents));
        assertThat(ordered.getNumber("n").intValue()).isEqualTo(1);
        assertThat(index(ordered)).isEqualTo(1);
        BsonDocument unordered = run(
                RawDocument.of(BsonDocument.parse("{insert: 'things', ordered: false}")),
                Map.of("documents", documents.subList(1, 4)));
        assertThat(unordered.getNumber("n").intValue()).isEqualTo(2);
        assertThat(index(unordered)).isZero();
        BsonDocument array = run("{insert: 'things', documents: [{_id: 7, k: 7}, {_id: 8, k: [1]}]}");
        assertThat(index(array)).isEqualTo(1);
        assertThat(array.getArray("writeErrors")
                        .getFirst()
                        .asDocument()
                        .getInt32("code")
                        .getValue())
                .isEqualTo(61);
    }

    private static int index(BsonDocument reply) {
        BsonArray errors = reply.getArray("writeErrors");
        assertThat(errors).hasSize(1);
        return errors.getFirst().asDocument().getInt32("index").getValue();
    }

    @Test
    void sortedAnswersAreMergedSkippedAndCutAcrossBatches() {
        int[] keys = IntStream.range(0, 30).map(i -> i * 10).toArray();
        fill(keys);
        List<Integer> down = new ArrayList<>(IntStream.of(keys).boxed().toList().reversed());
        assertThat(findAll("{find: 'things', sort: {k: -1}, batchSize: 3}")).isEqualTo(down);
        assertThat(findAll("{find: 'things', sort: {k: -1}, skip: 4, limit: 20, batchSize: 3}"))
                .isEqualTo(down.subList(4, 24));
        assertThat(findAll("{find: 'things', sort: {k: 1}, projection: {_id: 1}, batchSize: 7}"))
                .isEqualTo(IntStream.of(keys).boxed().toList());
        assertThat(findAll("{find: 'things', batchSize: 3}"))
                .containsExactlyInAnyOrderElementsOf(IntStream.of(keys).boxed().toList());
        assertThat(findAll("{find: 'things', limit: 5}")).hasSize(5);
        assertThat(findAll("{find: 'things', filter: {k: {$gte: 90, $lt: 120}}, sort: {k: 1}}"))
                .containsExactly(90, 100, 110);
        assertThat(findAll("{find: 'nowhere'}")).isEmpty();
    }

    @Test
    void aKeyOrARangeOfItAsksItsOwnersOnly() {
        fill(5, 150, 250);
        cluster.shards.values().forEach(shard -> shard.requests.set(0));
        assertThat(findAll("{find: 'things', filter: {k: 150}}")).containsExactly(150);
        assertThat(shard("a").requests.get() + shard("c").requests.get()).isZero();
        findAll("{find: 'things', filter: {k: {$lt: 120}}}");
        assertThat(shard("c").requests.get()).isZero();
        findAll("{find: 'things', filter: {x: 0}}");
        assertThat(shard("c").requests.get()).isEqualTo(1);
    }

    @Test
    void countsAndDistinctValuesAreOfAllShards() {
        fill(1, 2, 11, 101, 102, 201);
        assertThat(run("{count: 'things'}").getNumber("n").intValue()).isEqualTo(6);
        assertThat(run("{count: 'things', skip: 4, limit: 5}").getNumber("n").intValue())
                .isEqualTo(2);
        assertThat(run("{distinct: 'things', key: 'x'}").getArray("values").stream()
                        .map(BsonValue::asInt32)
                        .map(value -> value.getValue())
                        .toList())
                .containsExactly(1, 2);
    }

    @Test
    void aRouterThatIsStaleAsksAgainAndTheClientSeesNothing() {
        fill(IntStream.range(0, 300).toArray());
        cluster.move(100, 150, "c");
        assertThat(findAll("{find: 'things', batchSize: 50}")).hasSize(300).doesNotHaveDuplicates();
        cluster.move(0, 50, "b");
        assertThat(run("{count: 'things'}").getNumber("n").intValue()).isEqualTo(300);
        cluster.move(150, 200, "a");
        BsonDocument reply = run("{update: 'things', updates: [{q: {k: 160}, u: {$set: {y: 1}}},"
                + " {q: {k: 10}, u: {$set: {y: 1}}}, {q: {k: 299}, u: {$set: {y: 1}}}]}");
        assertThat(reply.getNumber("n").intValue()).isEqualTo(3);
        cluster.move(250, 299, "b");
        fill(1000, 1001);
        assertThat(run("{delete: 'things', deletes: [{q: {k: {$lt: 300}}, limit: 0}]}")
                        .getNumber("n")
                        .intValue())
                .isEqualTo(300);
        assertThat(findAll("{find: 'things'}")).containsExactlyInAnyOrder(1000, 1001);
    }

    @Test
    void aWriteOfOneDocumentTouchesOneWhereverItIs() {
        fill(1, 101, 201);
        BsonDocument one = run("{update: 'things', updates: [{q: {x: 1}, u: {$set: {y: 1}}}]}");
        assertThat(one.getNumber("n").intValue()).isEqualTo(1);
        assertThat(run("{count: 'things', query: {y: 1}}").getNumber("n").intValue())
                .isEqualTo(1);
        BsonDocument all = run("{update: 'things', updates: [{q: {x: 1}, u: {$inc: {z: 1}}, multi: true}]}");
        assertThat(all.getNumber("n").intValue()).isEqualTo(3);
        assertThat(run("{count: 'things', query: {z: 1}}").getNumber("n").intValue())
                .isEqualTo(3);
        assertThat(run("{delete: 'things', deletes: [{q: {z: 1}, limit: 1}]}")
                        .getNumber("n")
                        .intValue())
                .isEqualTo(1);
        assertThat(run("{delete: 'things', deletes: [{q: {nothing: 1}, limit: 1}]}")
                        .getNumber("n")
                        .intValue())
                .isZero();
        assertThat(run("{count: 'things'}").getNumber("n").intValue()).isEqualTo(2);
    }

    @Test
    void anUpdateOfManyReachesEachDocumentOnceWhileRangesMove() {
        fill(IntStream.range(0, 300).toArray());
        // When shard b looks at its part, shard a has done its own, and half of that moves to b.
        shard("b").beforeUpdate.set(() -> {
            shard("a").updated.acquireUninterruptibly();
            cluster.move(0, 50, "b");
        });
        BsonDocument reply = run("{update: 'things', updates: [{q: {}, u: {$inc: {z: 1}}, multi: true}]}");
        assertThat(reply.getNumber("n").intValue()).isEqualTo(300);
        assertThat(run("{count: 'things', query: {z: 1}}").getNumber("n").intValue())
                .isEqualTo(300);
        // Now b gives a range away before it is asked: whoever has it now is asked for it, and for nothing else.
        shard("b").beforeUpdate.set(() -> {
            shard("c").updated.acquireUninterruptibly(2);
            cluster.move(100, 150, "c");
        });
        run("{update: 'things', updates: [{q: {}, u: {$inc: {z: 1}}, multi: true}]}");
        assertThat(run("{count: 'things', query: {z: 2}}").getNumber("n").intValue())
                .isEqualTo(300);
    }

    @Test
    void upsertsGoToTheOwnerOfTheKeyTheyMake() {
        BsonDocument byFilter = run("{update: 'things', updates: [{q: {k: 150}, u: {$set: {y: 1}}, upsert: true}]}");
        assertThat(byFilter.getArray("upserted")).hasSize(1);
        run("{update: 'things', updates: [{q: {name: 'n'}, u: {$set: {k: 250}}, upsert: true}]}");
        run("{update: 'things', updates: [{q: {_id: 9}, u: {k: 5, name: 'r'}, upsert: true}]}");
        assertThat(shard("a").all()).hasSize(1);
        assertThat(shard("b").all()).hasSize(1);
        assertThat(shard("c").all()).hasSize(1);
    }

    @Test
    void pipelinesRunInTwoHalves() {
        fill(IntStream.range(0, 300).toArray());
        BsonArray groups = run("{aggregate: 'things', cursor: {}, pipeline: [{$match: {k: {$lt: 250}}},"
                        + " {$group: {_id: '$x', n: {$sum: 1}, top: {$max: '$k'}, mean: {$avg: '$k'}}}, {$sort: {_id: 1}}]}")
                .getDocument("cursor")
                .getArray("firstBatch");
        assertThat(groups).hasSize(10);
        BsonDocument first = groups.getFirst().asDocument();
        assertThat(first.getNumber("n").intValue()).isEqualTo(25);
        assertThat(first.getNumber("top").intValue()).isEqualTo(240);
        assertThat(first.getNumber("mean").doubleValue()).isEqualTo(120);
        assertThat(
                        findAll(
                                "{aggregate: 'things', cursor: {batchSize: 3}, pipeline: [{$sort: {k: -1}}, {$skip: 2}, {$limit: 9}]}"))
                .containsExactly(297, 296, 295, 294, 293, 292, 291, 290, 289);
        assertThat(run("{aggregate: 'things', cursor: {}, pipeline: [{$count: 'n'}]}")
                        .getDocument("cursor")
                        .getArray("firstBatch")
                        .getFirst()
                        .asDocument()
                        .getNumber("n")
                        .intValue())
                .isEqualTo(300);
        assertThat(run("{aggregate: 'things', cursor: {}, pipeline: [{$changeStream: {}}]}")
                        .getInt32("code")
                        .getValue())
                .isEqualTo(115);
    }

    @Test
    void explainNamesTheShardsAndWhyAllOfThem() {
        BsonDocument one = plan("{explain: {find: 'things', filter: {k: 5}}, verbosity: 'queryPlanner'}");
        assertThat(one.getString("stage").getValue()).isEqualTo("SINGLE_SHARD");
        assertThat(one.getArray("shards")).hasSize(1);
        assertThat(one).doesNotContainKey("whyBroadcast");
        BsonDocument all = plan("{explain: {find: 'things', sort: {x: 1}}, verbosity: 'queryPlanner'}");
        assertThat(all.getString("stage").getValue()).isEqualTo("SHARD_MERGE_SORT");
        assertThat(all.getArray("shards")).hasSize(3);
        assertThat(all.getString("whyBroadcast").getValue()).contains("'k'");
        assertThat(plan("{explain: {delete: 'things', deletes: [{q: {}, limit: 0}]}, verbosity: 'queryPlanner'}")
                        .getString("stage")
                        .getValue())
                .isEqualTo("SHARD_WRITE");
    }

    private BsonDocument plan(String json) {
        return run(json).getDocument("queryPlanner").getDocument("winningPlan");
    }

    @Test
    void theCatalogIsNotWrittenByHandButTheSwitchesAre() {
        Operation operation = Operation.ofProcess("test", "config", Deadline.in(Clock.SYSTEM, 20_000));
        RawDocument update =
                RawDocument.of(BsonDocument.parse("{update: 'chunks', updates: [{q: {}, u: {$set: {shard: 'x'}}}]}"));
        BsonDocument refused = client.exchange("router:27017", "config", update, Map.of(), operation)
                .toBson();
        assertThat(refused.getInt32("code").getValue()).isEqualTo(115);
        RawDocument size = RawDocument.of(BsonDocument.parse(
                "{update: 'settings', updates: [{q: {_id: 'chunksize'}, u: {$set: {value: 5000}}, upsert: true}]}"));
        assertThat(client.exchange("router:27017", "config", size, Map.of(), operation)
                        .toBson()
                        .getInt32("code")
                        .getValue())
                .isEqualTo(2);
    }
}
