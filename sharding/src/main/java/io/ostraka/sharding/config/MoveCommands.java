package io.ostraka.sharding.config;

import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.sharding.catalog.ChunkRow;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * What shards ask of the catalog.
 *
 * <pre>
 * { _configsvrCommitSplit: "db.coll", version: {e, t, v}, points: [bound ...] }  →  { chunks: n }
 * { _configsvrMarkJumbo: "db.coll", min: bound, jumbo: bool }                    →  { }
 * { _configsvrCommitMove: uuid, details: {} }                                    →  { decision }
 * { _configsvrSettleMove: uuid, reason: "" }                                     →  { decision }
 * { _configsvrMoveTopChunk: "db.coll", min: bound, max: bound }                  →  { }
 * </pre>
 *
 * Commit and settle answer what is recorded ({@code COMMITTED} or {@code ABORTED}), however often they are asked.
 */
final class MoveCommands {
    private final ConfigServices services;
    private final ChunkMoves moves;

    MoveCommands(ConfigServices services, ChunkMoves moves) {
        this.services = services;
        this.moves = moves;
    }

    private record SplitRequest(Namespace namespace, Generation generation, List<BsonDocument> points) {}

    private record RangeRequest(Namespace namespace, BsonDocument min, BsonDocument max) {}

    private record JumboRequest(Namespace namespace, BsonDocument min, boolean jumbo) {}

    private record DecideRequest(UUID plan, BsonDocument details, String reason) {}

    List<Command<?>> all() {
        return List.of(
                InternalCommand.of("_configsvrCommitSplit", Needs.Kind.WRITE, MoveCommands::split, this::split),
                InternalCommand.of(
                        "_configsvrMarkJumbo",
                        Needs.Kind.WRITE,
                        fields -> new JumboRequest(
                                Namespace.parse(fields.ownString()),
                                fields.requiredDocument("min").toBson(),
                                fields.bool("jumbo", true)),
                        this::jumbo),
                InternalCommand.of(
                        "_configsvrCommitMove",
                        Needs.Kind.CONTROL,
                        MoveCommands::decide,
                        (request, _) -> decision(services.plans()
                                .commit(request.plan, request.details)
                                .name())),
                InternalCommand.of(
                        "_configsvrSettleMove",
                        Needs.Kind.CONTROL,
                        MoveCommands::decide,
                        (request, _) -> decision(services.plans()
                                .settle(request.plan, request.reason)
                                .name())),
                InternalCommand.of(
                        "_configsvrMoveTopChunk",
                        Needs.Kind.WRITE,
                        fields -> new RangeRequest(
                                Namespace.parse(fields.ownString()),
                                fields.requiredDocument("min").toBson(),
                                fields.requiredDocument("max").toBson()),
                        this::moveTop));
    }

    private static SplitRequest split(Fields fields) {
        return new SplitRequest(
                Namespace.parse(fields.ownString()),
                PlacementVersion.of(fields.requiredDocument("version").toBson()).generation(),
                fields.requiredDocuments("points").stream()
                        .map(point -> point.toBson())
                        .toList());
    }

    private static DecideRequest decide(Fields fields) {
        return new DecideRequest(
                fields.own().asBinary().asUuid(),
                fields.document("details").map(details -> details.toBson()).orElseGet(BsonDocument::new),
                fields.string("reason").orElse(""));
    }

    private BsonDocument split(SplitRequest request, Operation operation) {
        List<ChunkRow> chunks =
                services.splits().split(request.namespace, Optional.of(request.generation), request.points);
        return new BsonDocument("chunks", new BsonInt32(chunks.size()));
    }

    private BsonDocument jumbo(JumboRequest request, Operation operation) {
        services.splits().markJumbo(request.namespace, request.min, request.jumbo);
        return new BsonDocument();
    }

    private static BsonDocument decision(String decision) {
        return new BsonDocument("decision", new BsonString(decision));
    }

    private BsonDocument moveTop(RangeRequest request, Operation operation) {
        boolean begun = moves.moveTop(request.namespace, request.min, request.max);
        return new BsonDocument("begun", BsonBoolean.valueOf(begun));
    }
}
