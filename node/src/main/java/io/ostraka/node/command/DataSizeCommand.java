package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

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
import java.util.List;
import java.util.Optional;

/**
 * {@code dataSize}: bytes and documents of a collection, or of a range of a key.
 *
 * <pre>
 * { dataSize: "db.coll", keyPattern?, min?, max?, estimate?, maxSize?, maxObjects? }
 *   →  { estimate, size, numObjects, maxReached?, millis }
 * </pre>
 *
 * With {@code estimate} documents count with the average size and are not read.
 */
final class DataSizeCommand implements Command<DataSizeCommand.Request> {
    record Request(
            Namespace namespace,
            Optional<RawDocument> keyPattern,
            Optional<RawDocument> min,
            Optional<RawDocument> max,
            boolean estimate,
            long maxSize,
            long maxObjects) {}

    private final Member member;
    private final Reading reading;

    DataSizeCommand(Member member) {
        this.member = member;
        reading = new Reading(member);
    }

    @Override
    public String name() {
        return "dataSize";
    }

    @Override
    public List<String> aliases() {
        return List.of("datasize");
    }

    @Override
    public Needs needs() {
        return Needs.database("find", Needs.Kind.READ);
    }

    @Override
    public Request parse(Fields fields) {
        Request request = new Request(
                Namespace.parse(fields.ownString()),
                fields.document("keyPattern"),
                fields.document("min").filter(bound -> !bound.isEmpty()),
                fields.document("max").filter(bound -> !bound.isEmpty()),
                fields.bool("estimate", false),
                fields.countLong("maxSize").orElse(0),
                fields.countLong("maxObjects").orElse(0));
        if (request.min.isPresent() != request.max.isPresent()) {
            throw BAD_VALUE.because("only one of min or max specified");
        }
        return request;
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        long started = member.settings().clock().nanos();
        try (Reading.Opened opened = reading.open(operation, request.namespace())) {
            Sum sum = new Sum(request);
            opened.collection().ifPresent(entry -> sum.add(opened.view(), entry, operation));
            RawBuilder reply = new RawBuilder()
                    .put("estimate", request.estimate())
                    .put("size", sum.bytes)
                    .put("numObjects", sum.documents);
            if (sum.reached) {
                reply.put("maxReached", true);
            }
            return reply.put("millis", (member.settings().clock().nanos() - started) / 1_000_000)
                    .build();
        }
    }

    private static final class Sum {
        private final Request request;
        private long bytes;
        private long documents;
        private boolean reached;

        Sum(Request request) {
            this.request = request;
        }

        void add(View view, CollectionEntry collection, Operation operation) {
            Totals totals = view.totals(collection);
            if (request.min.isEmpty()) {
                bytes = totals.ownedBytes();
                documents = totals.owned();
                return;
            }
            RawDocument pattern = request.keyPattern.orElseGet(() -> pattern(request.min.get()));
            ShardKey key = ShardKey.parse(pattern.toBson());
            byte[] low = key.encodeBound(key.completeBound(request.min.get().toBson()));
            byte[] high = key.encodeBound(key.completeBound(request.max.get().toBson()));
            long average = totals.documents() == 0 ? 0 : totals.bytes() / totals.documents();
            try (KeyWalk walk = new KeyWalk(view, collection, key, new KeyRange(low, high))) {
                while (!reached && walk.next()) {
                    operation.checkAlive();
                    add(collection, walk, average);
                }
            }
        }

        private void add(CollectionEntry collection, KeyWalk walk, long average) {
            if (request.estimate) {
                bytes += average;
            } else {
                RawDocument document = walk.document();
                if (!View.owns(collection, document)) {
                    return;
                }
                bytes += document.size();
            }
            documents++;
            reached = request.maxSize > 0 && bytes > request.maxSize
                    || request.maxObjects > 0 && documents > request.maxObjects;
        }

        private static RawDocument pattern(RawDocument bound) {
            RawBuilder pattern = new RawBuilder();
            var cursor = bound.cursor();
            while (cursor.next()) {
                pattern.put(cursor.name(), 1);
            }
            return pattern.build();
        }
    }
}
