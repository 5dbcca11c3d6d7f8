package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.apply.Totals;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.KeyWalk;
import io.ostraka.node.view.View;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * {@code splitVector}: where a range of a key can be cut into chunks.
 *
 * <pre>
 * { splitVector: "db.coll", keyPattern, min?, max?, maxChunkSizeBytes | maxChunkSize | force: true, maxSplitPoints? }
 *   →  { splitKeys: [ { key: value, … }, … ] }
 * </pre>
 *
 * Chunks come out about half as large as the size given, by the average size of a document. With {@code force} the middle
 * document's key is the one answer. Equal keys are never cut apart.
 */
final class SplitVectorCommand implements Command<SplitVectorCommand.Request> {
    record Request(
            Namespace namespace,
            RawDocument keyPattern,
            Optional<RawDocument> min,
            Optional<RawDocument> max,
            long maxBytes,
            boolean force,
            long maxPoints) {}

    private final Reading reading;

    SplitVectorCommand(Member member) {
        reading = new Reading(member);
    }

    @Override
    public String name() {
        return "splitVector";
    }

    @Override
    public Needs needs() {
        return Needs.database("splitVector", Needs.Kind.READ);
    }

    @Override
    public Request parse(Fields fields) {
        long bytes = fields.countLong("maxChunkSizeBytes")
                .orElse(fields.countLong("maxChunkSize").orElse(0) << 20);
        boolean force = fields.bool("force", false);
        fields.raw("maxChunkObjects");
        if (bytes <= 0 && !force) {
            throw INVALID_OPTIONS.because("need to specify the desired max chunk size");
        }
        return new Request(
                Namespace.parse(fields.ownString()),
                fields.requiredDocument("keyPattern"),
                fields.document("min").filter(bound -> !bound.isEmpty()),
                fields.document("max").filter(bound -> !bound.isEmpty()),
                bytes,
                force,
                fields.countLong("maxSplitPoints").orElse(0));
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        try (Reading.Opened opened = reading.open(operation, request.namespace())) {
            CollectionEntry entry = opened.collection()
                    .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("ns not found: %s", request.namespace()));
            RawBuilder reply = new RawBuilder().openArray("splitKeys");
            int at = 0;
            for (BsonDocument key : keys(request, opened.view(), entry, operation)) {
                reply.put(Integer.toString(at++), RawDocument.of(key));
            }
            return reply.close().build();
        }
    }

    private static List<BsonDocument> keys(Request request, View view, CollectionEntry entry, Operation operation) {
        ShardKey key = ShardKey.parse(request.keyPattern().toBson());
        byte[] low = request.min()
                .map(bound -> key.encodeBound(key.completeBound(bound.toBson())))
                .orElse(key.lowest());
        byte[] high = request.max()
                .map(bound -> key.encodeBound(key.completeBound(bound.toBson())))
                .orElse(key.highest());
        KeyRange range = new KeyRange(low, high);
        if (request.force()) {
            long all = 0;
            try (KeyWalk walk = new KeyWalk(view, entry, key, range)) {
                while (walk.next()) {
                    operation.checkAlive();
                    all++;
                }
            }
            return every(Math.max(1, all / 2), 1, view, entry, key, range, operation);
        }
        Totals totals = view.totals(entry);
        long average = totals.documents() == 0 ? 1 : Math.max(1, totals.bytes() / totals.documents());
        long each = Math.max(1, request.maxBytes() / (2 * average));
        long points = request.maxPoints() == 0 ? Long.MAX_VALUE : request.maxPoints();
        return every(each, points, view, entry, key, range, operation);
    }

    /** The key after each so many documents, where it differs from the one before. */
    private static List<BsonDocument> every(
            long each,
            long maxPoints,
            View view,
            CollectionEntry entry,
            ShardKey key,
            KeyRange range,
            Operation operation) {
        List<BsonDocument> points = new ArrayList<>();
        BsonDocument last = null;
        long count = 0;
        try (KeyWalk walk = new KeyWalk(view, entry, key, range)) {
            while (points.size() < maxPoints && walk.next()) {
                operation.checkAlive();
                BsonDocument bound = count == 0 || count >= each ? walk.bound() : null;
                if (last == null) {
                    last = bound;
                }
                if (count >= each && !Arrays.equals(key.encodeBound(bound), key.encodeBound(last))) {
                    points.add(bound);
                    last = bound;
                    count = 0;
                }
                count++;
            }
        }
        return points;
    }
}
