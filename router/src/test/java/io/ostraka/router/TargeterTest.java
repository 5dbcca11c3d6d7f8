package io.ostraka.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Chunk;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.router.routing.Routing;
import io.ostraka.router.target.Target;
import io.ostraka.router.target.Targeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

class TargeterTest {
    /** A table cut at these bounds, its chunks on shards s0, s1 and so on. */
    private static Routing routing(String pattern, String... cuts) {
        ShardKey key = ShardKey.parse(BsonDocument.parse(pattern));
        List<Chunk> chunks = new ArrayList<>();
        byte[] from = key.lowest();
        for (int i = 0; i <= cuts.length; i++) {
            byte[] to =
                    i == cuts.length ? key.highest() : key.encodeBound(key.completeBound(BsonDocument.parse(cuts[i])));
            chunks.add(new Chunk(new KeyRange(from, to), new ShardId("s" + i), i + 1L));
            from = to;
        }
        Namespace namespace = new Namespace("db", "c");
        Generation generation = new Generation(new ObjectId(), new BsonTimestamp(1, 1));
        return new Routing(
                namespace,
                Optional.empty(),
                Optional.of(RoutingTable.of(
                        new RoutingTable.Head(namespace, new UUID(1, 1), key, false, true, generation), chunks)));
    }

    private static List<String> shards(Routing routing, String filter) {
        return target(routing, filter).shards().stream().map(ShardId::name).toList();
    }

    private static Target target(Routing routing, String filter) {
        return Targeter.of(routing, FilterParser.parse(RawDocument.of(BsonDocument.parse(filter))), Optional.empty());
    }

    @Test
    void rangedKeys() {
        Routing routing = routing("{k: 1}", "{k: 10}", "{k: 20}");
        assertThat(shards(routing, "{k: 10}")).containsExactly("s1");
        assertThat(shards(routing, "{k: {$lt: 10}}")).containsExactly("s0");
        assertThat(shards(routing, "{k: {$lte: 10}}")).containsExactly("s0", "s1");
        assertThat(shards(routing, "{k: {$in: [1, 25]}}")).containsExactly("s0", "s2");
        assertThat(shards(routing, "{$or: [{k: 1}, {k: 15}]}")).containsExactly("s0", "s1");
        assertThat(shards(routing, "{$and: [{k: {$gt: 11}}, {k: {$lt: 12}}]}")).containsExactly("s1");
        assertThat(shards(routing, "{k: null}")).containsExactly("s0");
        assertThat(shards(routing, "{k: 'text'}")).containsExactly("s2");
        assertThat(shards(routing, "{k: {$gt: 5, $lt: 5}}")).hasSize(1);
        assertThat(target(routing, "{x: 1}").whyBroadcast().orElseThrow()).contains("'k'");
        assertThat(shards(routing, "{$or: [{k: 1}, {x: 1}]}")).hasSize(3);
    }

    @Test
    void compoundKeysByTheirPrefix() {
        Routing routing = routing("{a: 1, b: 1}", "{a: 1, b: 5}", "{a: 2}");
        assertThat(shards(routing, "{a: 1, b: 4}")).containsExactly("s0");
        assertThat(shards(routing, "{a: 1, b: {$gte: 5}}")).containsExactly("s1");
        assertThat(shards(routing, "{a: 1}")).containsExactly("s0", "s1");
        assertThat(shards(routing, "{b: 4}")).hasSize(3);
        assertThat(shards(routing, "{a: {$gt: 1}, b: 4}")).contains("s2");
    }

    @Test
    void hashedKeysByEqualityOnly() {
        Routing routing = routing("{k: 'hashed'}", "{k: NumberLong(0)}");
        assertThat(shards(routing, "{k: 7}")).hasSize(1);
        assertThat(shards(routing, "{k: 7}")).isEqualTo(shards(routing, "{k: 7.0}"));
        assertThat(target(routing, "{k: {$gt: 7}}").whyBroadcast().orElseThrow())
                .contains("hashed");
    }
}
