package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.CANNOT_SPLIT;
import static io.ostraka.core.error.ErrorCode.CLEAR_JUMBO_FIND_WITHOUT_KEY;
import static io.ostraka.core.error.ErrorCode.CLEAR_JUMBO_NO_SUCH_CHUNK;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.MOVE_CHUNK_FIND_WITHOUT_KEY;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_SHARDED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.sharding.catalog.ChunkRow;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Splitting, merging and moving chunks by hand.
 *
 * <pre>
 * { split: "db.coll", find: {key} | bounds: [lo, hi] | middle: {key} }     →  { }
 * { mergeChunks: "db.coll", bounds: [lo, hi] }                             →  { }
 * { moveChunk: "db.coll", find: {key} | bounds: [lo, hi], to: shard, ... } →  { millis }
 * { moveRange: "db.coll", toShard: shard, min: {key}?, max: {key}? , ... } →  { }
 * { clearJumboFlag: "db.coll", find: {key} | bounds: [lo, hi] }            →  { }
 * </pre>
 *
 * {@code find} and {@code bounds} split a chunk at its median by size; {@code middle} splits it there.
 */
final class ChunkCommands {
    private final ConfigServices services;
    private final ChunkMoves moves;

    ChunkCommands(ConfigServices services, ChunkMoves moves) {
        this.services = services;
        this.moves = moves;
    }

    /** Which chunk a user means. */
    private record Target(Optional<BsonDocument> find, List<BsonDocument> bounds) {
        static Target of(Fields fields) {
            List<BsonDocument> bounds = new ArrayList<>();
            for (BsonValue bound : fields.array("bounds")) {
                if (!bound.isDocument()) {
                    throw BAD_VALUE.because("bounds must be two documents, as in [{x: 1}, {x: 9}]");
                }
                bounds.add(bound.asDocument());
            }
            if (!bounds.isEmpty() && bounds.size() != 2) {
                throw BAD_VALUE.because("bounds must be two documents, as in [{x: 1}, {x: 9}]");
            }
            return new Target(fields.document("find").map(RawDocument::toBson), bounds);
        }

        int given() {
            return (find.isPresent() ? 1 : 0) + (bounds.isEmpty() ? 0 : 1);
        }
    }

    private record SplitRequest(Namespace namespace, Target target, Optional<BsonDocument> middle) {}

    private record MoveRequest(Namespace namespace, Target target, ShardId to, boolean waitForDelete) {}

    private record RangeRequest(
            Namespace namespace,
            ShardId to,
            Optional<BsonDocument> min,
            Optional<BsonDocument> max,
            boolean waitForDelete) {}

    private record MergeRequest(Namespace namespace, Target target) {}

    List<Command<?>> all() {
        return List.of(
                InternalCommand.of("split", Needs.Kind.WRITE, ChunkCommands::splitRequest, this::split),
                InternalCommand.of(
                        "mergeChunks",
                        Needs.Kind.WRITE,
                        fields -> new MergeRequest(Namespace.parse(fields.ownString()), Target.of(fields)),
                        this::merge),
                InternalCommand.of(
                        "clearJumboFlag",
                        Needs.Kind.WRITE,
                        fields -> new MergeRequest(Namespace.parse(fields.ownString()), Target.of(fields)),
                        this::clearJumbo),
                InternalCommand.spelled("moveChunk", Needs.Kind.WRITE, ChunkCommands::moveRequest, this::moveChunk),
                InternalCommand.of("moveRange", Needs.Kind.WRITE, ChunkCommands::rangeRequest, this::moveRange));
    }

    private static SplitRequest splitRequest(Fields fields) {
        fields.value("force");
        SplitRequest request = new SplitRequest(
                Namespace.parse(fields.ownString()),
                Target.of(fields),
                fields.document("middle").map(RawDocument::toBson));
        if (request.target.given() + (request.middle.isPresent() ? 1 : 0) != 1) {
            throw BAD_VALUE.because("split needs exactly one of find, bounds and middle");
        }
        return request;
    }

    private static MoveRequest moveRequest(Fields fields) {
        MoveRequest request = new MoveRequest(
                Namespace.parse(fields.ownString()),
                Target.of(fields),
                new ShardId(fields.requiredString("to")),
                fields.bool("waitForDelete", false) || fields.bool("_waitForDelete", false));
        // Accepted as MongoDB does: moves here are of no bounded size, and always as safe as a majority.
        for (String accepted : List.of("forceJumbo", "secondaryThrottle", "_secondaryThrottle", "maxChunkSizeBytes")) {
            fields.value(accepted);
        }
        if (request.target.given() != 1) {
            throw BAD_VALUE.because("moveChunk needs exactly one of find and bounds");
        }
        return request;
    }

    private static RangeRequest rangeRequest(Fields fields) {
        RangeRequest request = new RangeRequest(
                Namespace.parse(fields.ownString()),
                new ShardId(fields.requiredString("toShard")),
                fields.document("min").map(RawDocument::toBson),
                fields.document("max").map(RawDocument::toBson),
                fields.bool("waitForDelete", false));
        for (String accepted : List.of("forceJumbo", "secondaryThrottle")) {
            fields.value(accepted);
        }
        if (request.min.isEmpty() && request.max.isEmpty()) {
            throw BAD_VALUE.because("moveRange needs min, max or both");
        }
        return request;
    }

    private ShardKey key(Namespace namespace) {
        return services.catalog()
                .collection(namespace)
                .map(CollectionRow::key)
                .orElseThrow(() -> NAMESPACE_NOT_SHARDED.because(
                        "Collection '%s' is not sharded; shard it with sh.shardCollection(\"%s\", key)",
                        namespace, namespace));
    }

    private ChunkRow chunk(Namespace namespace, Target target, ErrorCode withoutKey) {
        ShardKey key = key(namespace);
        if (target.find.isPresent()) {
            byte[] at = key.keyOfFind(RawDocument.of(target.find.get()))
                    .orElseThrow(() -> withoutKey.because(
                            "find %s must have all fields of the shard key %s",
                            target.find.get().toJson(), key));
            return holding(namespace, at);
        }
        byte[] min = key.encodeBound(target.bounds.get(0));
        byte[] max = key.encodeBound(target.bounds.get(1));
        ChunkRow row = holding(namespace, min);
        if (!Arrays.equals(row.range().min(), min) || !Arrays.equals(row.range().max(), max)) {
            throw (withoutKey == CLEAR_JUMBO_FIND_WITHOUT_KEY ? CLEAR_JUMBO_NO_SUCH_CHUNK : BAD_VALUE)
                    .because(
                            "'%s' has no chunk with bounds %s and %s; the one there goes from %s to %s",
                            namespace,
                            target.bounds.get(0).toJson(),
                            target.bounds.get(1).toJson(),
                            row.min().toJson(),
                            row.max().toJson());
        }
        return row;
    }

    /** @throws io.ostraka.core.error.CommandException 2 for the upper end of all keys, at which no chunk begins */
    private ChunkRow holding(Namespace namespace, byte[] key) {
        if (Arrays.equals(key, key(namespace).highest())) {
            throw BAD_VALUE.because(
                    "No chunk of '%s' holds MaxKey in all fields of the shard key: it is the upper end of the last one",
                    namespace);
        }
        return services.catalog().chunks(namespace).stream()
                .filter(row -> row.range().contains(key))
                .findFirst()
                .orElseThrow(() -> NAMESPACE_NOT_SHARDED.because("Collection '%s' is not sharded", namespace));
    }

    /** The chunk that holds the keys right below a bound. */
    private ChunkRow below(Namespace namespace, byte[] bound) {
        return services.catalog().chunks(namespace).stream()
                .filter(row -> Arrays.compareUnsigned(bound, row.range().max()) <= 0)
                .findFirst()
                .orElseThrow(() -> NAMESPACE_NOT_SHARDED.because("Collection '%s' is not sharded", namespace));
    }

    private BsonDocument split(SplitRequest request, Operation operation) {
        ShardKey key = key(request.namespace);
        if (request.middle.isPresent()) {
            BsonDocument middle = bound(key, request.middle.get());
            byte[] at = key.encodeBound(middle);
            if (Arrays.equals(at, key.highest())
                    || Arrays.equals(holding(request.namespace, at).range().min(), at)) {
                throw CANNOT_SPLIT.because(
                        "new split key %s is a boundary of a chunk of '%s' already",
                        middle.toJson(), request.namespace);
            }
            services.splits().split(request.namespace, Optional.empty(), List.of(middle));
            return new BsonDocument();
        }
        ChunkRow row = chunk(request.namespace, request.target, BAD_VALUE);
        BsonDocument asked = new BsonDocument("_shardsvrSplitPoints", new BsonString(request.namespace.toString()))
                .append("min", row.min())
                .append("max", row.max())
                .append("median", BsonBoolean.TRUE);
        BsonArray points =
                services.shards().call(row.shard(), asked, operation.deadline()).getArray("points");
        if (points.isEmpty()) {
            throw CANNOT_SPLIT.because(
                    "the chunk from %s to %s of '%s' cannot be split: it holds fewer than two key values",
                    row.min().toJson(), row.max().toJson(), request.namespace);
        }
        services.splits()
                .split(
                        request.namespace,
                        Optional.empty(),
                        List.of(points.get(0).asDocument()));
        return new BsonDocument();
    }

    /** A bound as a user writes it: dotted or in order, all fields. */
    private static BsonDocument bound(ShardKey key, BsonDocument given) {
        BsonDocument bound = new BsonDocument();
        for (String field : key.fields()) {
            if (!given.containsKey(field)) {
                throw BAD_VALUE.because("%s must have all fields of the shard key %s", given.toJson(), key);
            }
            bound.put(field, given.get(field));
        }
        if (bound.size() != given.size()) {
            throw BAD_VALUE.because("%s has fields that are not in the shard key %s", given.toJson(), key);
        }
        return key.completeBound(bound);
    }

    private BsonDocument merge(MergeRequest request, Operation operation) {
        if (request.target.bounds.isEmpty()) {
            throw BAD_VALUE.because("mergeChunks needs bounds: [lower, upper]");
        }
        key(request.namespace);
        services.splits().merge(request.namespace, request.target.bounds.get(0), request.target.bounds.get(1));
        return new BsonDocument();
    }

    private BsonDocument clearJumbo(MergeRequest request, Operation operation) {
        if (request.target.given() != 1) {
            throw INVALID_OPTIONS.because("clearJumboFlag needs exactly one of find and bounds");
        }
        ChunkRow row = chunk(request.namespace, request.target, CLEAR_JUMBO_FIND_WITHOUT_KEY);
        services.splits().markJumbo(request.namespace, row.min(), false);
        return new BsonDocument();
    }

    private BsonDocument moveChunk(MoveRequest request, Operation operation) {
        long started = services.clock().nanos();
        ChunkRow row = chunk(request.namespace, request.target, MOVE_CHUNK_FIND_WITHOUT_KEY);
        moves.move(request.namespace, row.min(), row.max(), request.to, request.waitForDelete, operation);
        return new BsonDocument("millis", new BsonInt64((services.clock().nanos() - started) / 1_000_000));
    }

    private BsonDocument moveRange(RangeRequest request, Operation operation) {
        ShardKey key = key(request.namespace);
        ChunkRow row = request.min.isPresent()
                ? holding(request.namespace, key.encodeBound(bound(key, request.min.get())))
                : below(request.namespace, key.encodeBound(bound(key, request.max.orElseThrow())));
        BsonDocument min = request.min.map(bound -> bound(key, bound)).orElse(row.min());
        BsonDocument max = request.max.map(bound -> bound(key, bound)).orElse(row.max());
        moves.move(request.namespace, min, max, request.to, request.waitForDelete, operation);
        return new BsonDocument();
    }
}
