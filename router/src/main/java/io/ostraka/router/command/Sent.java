package io.ostraka.router.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.pipeline.Stage;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.AggregateRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonValue;

/**
 * An aggregate as shards are sent it.
 *
 * @param command all but the pipeline, the variables and the cursor
 * @param pipeline as it was written
 * @param variables evaluated here, so that all shards have the same
 * @param cursor the options of a client's cursor; absent for as many documents as fit
 */
record Sent(
        RawDocument command,
        List<RawDocument> pipeline,
        Variables variables,
        Optional<RawDocument> cursor,
        Optional<RawDocument> collation) {
    private static final Set<String> OWN = Set.of("pipeline", "let", "cursor");

    /** A client's. */
    static Sent own(AggregateRequest request, Variables variables, Operation operation) {
        RawDocument sent = operation.request();
        return new Sent(
                Forward.without(sent, OWN).build(),
                request.pipeline(),
                variables,
                Optional.ofNullable(sent.find("cursor")).map(cursor -> cursor.document()),
                request.collation());
    }

    /** Of the collection that a view shows, in place of the client's. */
    static Sent instead(AggregateRequest request, Variables variables, Operation operation) {
        return new Sent(
                command(request, operation),
                request.pipeline(),
                variables,
                request.batchSize().isPresent()
                        ? Optional.of(new RawBuilder()
                                .put("batchSize", request.batchSize().getAsInt())
                                .build())
                        : Optional.empty(),
                request.collation());
    }

    /** All but the pipeline, the variables and the cursor of an aggregate that no client has sent. */
    static RawDocument command(AggregateRequest request, Operation operation) {
        RawBuilder command =
                new RawBuilder().put("aggregate", request.collection().orElseThrow());
        request.hint().ifPresent(hint -> command.put("hint", hint));
        request.collation().ifPresent(rules -> command.put("collation", rules));
        if (!request.allowDiskUse()) {
            command.put("allowDiskUse", false);
        }
        operation.options().readConcern().ifPresent(concern -> command.put("readConcern", concern));
        return command.build();
    }

    /** Of another collection, for a stage of a client's pipeline. */
    static Sent foreign(
            String collection,
            List<RawDocument> pipeline,
            Variables variables,
            Collation collation,
            Operation operation) {
        RawDocument rules = RawDocument.of(collation.toDocument());
        RawBuilder command = new RawBuilder().put("aggregate", collection).put("collation", rules);
        operation.options().readConcern().ifPresent(concern -> command.put("readConcern", concern));
        return new Sent(command.build(), pipeline, variables, Optional.empty(), Optional.of(rules));
    }

    /** The whole pipeline, for the one shard that runs it. */
    RawDocument whole(Routing routing, ShardId shard) {
        RawBuilder sent = new RawBuilder().elements(command).openArray("pipeline");
        for (int i = 0; i < pipeline.size(); i++) {
            sent.put(Integer.toString(i), pipeline.get(i));
        }
        return finish(sent.close(), true, routing, shard);
    }

    /** The first half. All of its documents are needed, unless there is no second. */
    RawDocument half(Pipeline.Split split, Routing routing, ShardId shard) {
        RawBuilder sent = new RawBuilder().elements(command);
        sent.put("pipeline", (BsonValue) Stage.toBson(split.shards().stages()));
        return finish(sent, split.router().stages().isEmpty(), routing, shard);
    }

    private RawDocument finish(RawBuilder sent, boolean asClient, Routing routing, ShardId shard) {
        sent.put("cursor", asClient ? cursor.orElse(RawDocument.EMPTY) : RawDocument.EMPTY);
        if (!variables.values().isEmpty()) {
            sent.put("let", RawDocument.of(variables.toLet()));
        }
        return routing.addVersions(sent, shard).build();
    }
}
