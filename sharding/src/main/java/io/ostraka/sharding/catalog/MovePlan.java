package io.ostraka.sharding.catalog;

import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;

/**
 * A plan of the mover, as {@code config.movePlans} holds it: written before anything is moved, and where the decision
 * is recorded.
 *
 * @param id names the plan everywhere
 * @param namespace of the collection
 * @param uuid the collection
 * @param generation the collection's when the plan was made
 * @param min lower end of the range, all fields of the key
 * @param max upper end
 * @param from the donor
 * @param to the recipient
 * @param waitForDelete whether the donor cleans up before the plan is finished
 * @param decision what is recorded
 */
public record MovePlan(
        UUID id,
        Namespace namespace,
        UUID uuid,
        Generation generation,
        BsonDocument min,
        BsonDocument max,
        ShardId from,
        ShardId to,
        boolean waitForDelete,
        Decision decision) {

    /** What the config servers have recorded. Only {@code OPEN} can change. */
    public enum Decision {
        OPEN,
        COMMITTED,
        ABORTED
    }

    public MovePlan decided(Decision decided) {
        return new MovePlan(id, namespace, uuid, generation, min, max, from, to, waitForDelete, decided);
    }

    public BsonDocument toBson() {
        return new BsonDocument("_id", new BsonBinary(id))
                .append("ns", new BsonString(namespace.toString()))
                .append("uuid", new BsonBinary(uuid))
                .append("epoch", new BsonObjectId(generation.epoch()))
                .append("timestamp", generation.timestamp())
                .append("min", min)
                .append("max", max)
                .append("from", new BsonString(from.name()))
                .append("to", new BsonString(to.name()))
                .append("waitForDelete", BsonBoolean.valueOf(waitForDelete))
                .append("decision", new BsonString(decision.name()));
    }

    public static MovePlan of(BsonDocument plan) {
        return new MovePlan(
                plan.getBinary("_id").asUuid(),
                Namespace.parse(plan.getString("ns").getValue()),
                plan.getBinary("uuid").asUuid(),
                new Generation(plan.getObjectId("epoch").getValue(), plan.getTimestamp("timestamp")),
                plan.getDocument("min"),
                plan.getDocument("max"),
                new ShardId(plan.getString("from").getValue()),
                new ShardId(plan.getString("to").getValue()),
                plan.getBoolean("waitForDelete").getValue(),
                Decision.valueOf(plan.getString("decision").getValue()));
    }

    /** For the changelog and progress: {@code {min, max, from, to}}. */
    public BsonDocument brief() {
        return new BsonDocument("min", min)
                .append("max", max)
                .append("from", new BsonString(from.name()))
                .append("to", new BsonString(to.name()));
    }
}
