package io.ostraka.sharding.ddl;

import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * {@code drop} of a tracked collection.
 *
 * <p><b>States.</b> {@code settle}: no move of it stays undecided. {@code forget}: the catalog drops it, which is the
 * moment it is gone. {@code drop}: all shards drop what they have of it.
 *
 * <p><b>On abort.</b> Never: it only goes forward.
 */
public final class DropCollection extends LinearCoordinator<DropCollection.State> {
    public static final String TYPE = "dropCollection";

    enum State {
        NEW,
        SETTLE,
        FORGET,
        DROP,
        DONE
    }

    private final Namespace namespace;
    private final UUID uuid;
    private final List<ShardId> shards;

    /** @param shards all shards of the cluster: a move may have left something anywhere */
    public DropCollection(Namespace namespace, UUID uuid, List<ShardId> shards) {
        this(namespace, uuid, shards, State.NEW);
    }

    private DropCollection(Namespace namespace, UUID uuid, List<ShardId> shards, State state) {
        super(TYPE, namespace.toString(), state);
        this.namespace = namespace;
        this.uuid = uuid;
        this.shards = List.copyOf(shards);
    }

    public static DropCollection of(BsonDocument stored) {
        List<ShardId> shards = ShardNames.of(stored.getArray("shards"));
        return new DropCollection(
                Namespace.parse(stored.getDocument("_id").getString("ns").getValue()),
                stored.getBinary("uuid").asUuid(),
                shards,
                State.valueOf(stored.getString("state").getValue()));
    }

    @Override
    public List<String> holds() {
        return List.of(namespace.toString());
    }

    @Override
    public BsonDocument request() {
        return new BsonDocument("uuid", new BsonBinary(uuid));
    }

    @Override
    public BsonDocument toBson() {
        return super.toBson().append("uuid", new BsonBinary(uuid)).append("shards", ShardNames.toBson(shards));
    }

    @Override
    public BsonDocument result() {
        return new BsonDocument("ns", new BsonString(namespace.toString()));
    }

    @Override
    Effect effect(State in) {
        return switch (in) {
            case NEW, DONE -> throw new IllegalStateException(in + " has no effect");
            case SETTLE -> new Effect.SettleMoves("settle", namespace);
            case FORGET -> new Effect.Forget("forget", namespace, uuid);
            case DROP ->
                Effect.Call.toAll(
                        "drop",
                        shards,
                        new BsonDocument("_shardsvrDropCollection", new BsonString(namespace.toString()))
                                .append("uuid", new BsonBinary(uuid))
                                .append("tracked", BsonBoolean.TRUE));
        };
    }
}
