package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.MAX_TIME_MS_EXPIRED;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_SHARDED;

import io.ostraka.core.placement.Namespace;
import io.ostraka.sharding.balancer.BalancerPolicy;
import io.ostraka.sharding.balancer.ClusterState;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * The balancer's commands, as users know them.
 *
 * <pre>
 * { balancerStart: 1 }  →  { }
 * { balancerStop: 1 }   →  { }   after the running round has ended; 50 if maxTimeMS passes first
 * { balancerStatus: 1 } →  { mode: "full" | "off", inBalancerRound, numBalancerRounds }
 * { balancerCollectionStatus: "db.coll" } → { chunkSize, balancerCompliant, firstComplianceViolation? }
 * </pre>
 */
final class BalancerCommands {
    /** How long {@code balancerStop} without a deadline waits for the moves of a round to end. */
    private static final long ROUND_MILLIS = 600_000;

    private final ConfigServices services;
    private final Balancer balancer;
    private final ChunkMoves moves;

    BalancerCommands(ConfigServices services, Balancer balancer, ChunkMoves moves) {
        this.services = services;
        this.balancer = balancer;
        this.moves = moves;
    }

    List<Command<?>> all() {
        return List.of(
                InternalCommand.of("balancerStart", Needs.Kind.WRITE, _ -> 1, this::start),
                InternalCommand.of("balancerStop", Needs.Kind.WRITE, _ -> 1, this::stop),
                InternalCommand.of("balancerStatus", Needs.Kind.READ, _ -> 1, this::status),
                InternalCommand.of(
                        "balancerCollectionStatus",
                        Needs.Kind.READ,
                        fields -> Namespace.parse(fields.ownString()),
                        this::collectionStatus));
    }

    private BsonDocument start(int one, Operation operation) {
        services.settings().switchBalancer(true);
        balancer.wake();
        return new BsonDocument();
    }

    private BsonDocument stop(int one, Operation operation) {
        services.settings().switchBalancer(false);
        if (!balancer.awaitNoRound(operation.deadline().atMost(ROUND_MILLIS).nanosLeft())) {
            throw MAX_TIME_MS_EXPIRED.because(
                    "The balancer is switched off, but the round that runs has not ended in time");
        }
        return new BsonDocument();
    }

    private BsonDocument status(int one, Operation operation) {
        return new BsonDocument("mode", new BsonString(services.settings().balancerOn() ? "full" : "off"))
                .append("inBalancerRound", BsonBoolean.valueOf(balancer.isInRound()))
                .append("numBalancerRounds", new BsonInt64(balancer.rounds()));
    }

    private BsonDocument collectionStatus(Namespace namespace, Operation operation) {
        ClusterState state = moves.gather();
        ClusterState.Collection collection = state.collections().stream()
                .filter(each -> each.table().namespace().equals(namespace))
                .findFirst()
                .orElseThrow(() -> NAMESPACE_NOT_SHARDED.because("Collection '%s' is not sharded", namespace));
        Optional<BalancerPolicy.Reason> violation = BalancerPolicy.violation(state, collection);
        BsonDocument reply = new BsonDocument(
                        "chunkSize", new BsonDouble((double) collection.chunkBytes() / ClusterSettings.MEGABYTE))
                .append("balancerCompliant", BsonBoolean.valueOf(violation.isEmpty()));
        violation.ifPresent(reason -> reply.append("firstComplianceViolation", new BsonString(reason.word())));
        return reply;
    }
}
