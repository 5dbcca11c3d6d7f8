package io.ostraka.router.write;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.ScatterGather;
import io.ostraka.router.gather.ShardAnswer;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds, by a read on all shards concerned, the one document that a write of one document will touch. */
public final class Picker {
    /** A document and where it is. */
    public record Found(ShardId shard, RawDocument document) {
        /** The filter that matches this document alone, and only while the client's filter does. */
        public RawDocument filter(RawDocument client) {
            RawBuilder id = new RawBuilder();
            RawCursor own = document.find("_id");
            if (own != null) {
                id.openDocument("_id").value("$eq", own).close();
            }
            if (client.isEmpty()) {
                return id.build();
            }
            return new RawBuilder()
                    .openArray("$and")
                    .put("0", client)
                    .put("1", id.build())
                    .close()
                    .build();
        }
    }

    private final ClusterServices services;

    public Picker(ClusterServices services) {
        this.services = services;
    }

    /**
     * Picks one. Where the statement is numbered and a shard has run it before, that shard, with a document that has
     * nothing in it: whatever it is sent under that number, it answers with the first result.
     *
     * @param place the statement's place in its command
     * @param sort which is first; empty for any
     * @throws io.ostraka.core.error.CommandException 13388 where a shard is stale
     */
    public Optional<Found> pick(
            Routing routing,
            Set<ShardId> targets,
            RawDocument filter,
            RawDocument sort,
            Optional<RawDocument> collation,
            int place,
            Operation operation) {
        List<ShardRequest> requests = new ArrayList<>();
        for (ShardId shard : targets) {
            requests.add(ShardRequest.read(shard, find(routing, shard, filter, sort, collation, operation)));
        }
        if (operation.options().txnNumber().isPresent() && !operation.isInTransaction()) {
            targets.forEach(shard -> requests.add(ShardRequest.read(shard, hasRun(place, operation))));
        }
        SortPattern order = SortPattern.parse(sort);
        List<ShardAnswer> answers = services.gather().ask(routing.namespace().database(), requests, operation);
        ScatterGather.throwStale(answers);
        Found best = null;
        for (ShardAnswer answer : answers.subList(targets.size(), answers.size())) {
            if (answer.replyOrThrow().get("ran").asBoolean().getValue()) {
                return Optional.of(new Found(answer.shard(), RawDocument.EMPTY));
            }
        }
        for (ShardAnswer answer : answers.subList(0, targets.size())) {
            RawCursor document = answer.replyOrThrow()
                    .find("cursor")
                    .document()
                    .find("firstBatch")
                    .document()
                    .cursor();
            if (document.next()) {
                Found found = new Found(answer.shard(), document.document());
                best = best == null || comesBefore(order, routing.collation(collation), found, best) ? found : best;
            }
        }
        return Optional.ofNullable(best);
    }

    private static RawDocument hasRun(int place, Operation operation) {
        return new RawBuilder()
                .put("_shardsvrHasRun", operation.options().lsid().orElseThrow())
                .put("number", operation.options().txnNumber().orElseThrow())
                .put("statement", operation.options().statement(place))
                .build();
    }

    private static boolean comesBefore(SortPattern order, Collation collation, Found one, Found other) {
        return !order.isEmpty()
                && Arrays.compareUnsigned(
                                order.keyOf(one.document(), collation).bytes(),
                                order.keyOf(other.document(), collation).bytes())
                        < 0;
    }

    private static RawDocument find(
            Routing routing,
            ShardId shard,
            RawDocument filter,
            RawDocument sort,
            Optional<RawDocument> collation,
            Operation operation) {
        RawBuilder find = new RawBuilder()
                .put("find", routing.namespace().collection())
                .put("filter", filter)
                .put("limit", 1)
                .put("singleBatch", true);
        if (sort.isEmpty()) {
            find.openDocument("projection").put("_id", 1).close();
        } else {
            find.put("sort", sort);
        }
        collation.ifPresent(rules -> find.put("collation", rules));
        RawCursor let = operation.request().find("let");
        if (let != null) {
            find.element(let);
        }
        return routing.addVersions(find, shard).build();
    }
}
