package io.ostraka.sharding.ddl;

import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
public final class DropCollection implements Coordinator {
    public static final String TYPE = "dropCollection";

    private enum State {
        NEW,
        SETTLE,
        FORGET,
        DROP,
        DONE
    }

    private final Namespace namespace;
    private final UUID uuid;
    private final List<ShardId> shards;
    private State state;

    /** @param shards all shards of the cluster: a move may have left something anywhere */
    public DropCollection(Namespace namespace, UUID uuid, List<ShardId> shards) {
        this(namespace, uuid, shards, State.NEW);
    }

    private DropCollection(Namespace namespace, UUID uuid, List<ShardId> shards, State state) {
        this.namespace = namespace;
        this.uuid = uuid;
        this.shards = List.copyOf(shards);
        this.state = state;
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
    public BsonDocument id() {
        return Coordinator.id(TYPE, namespace.toString());
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
        return new BsonDocument("_id", id())
                .append("uuid", new BsonBinary(uuid))
                .append("shards", ShardNames.toBson(shards))
                .append("state", new BsonString(state.name()));
    }

    @Override
    public boolean isDone() {
        return state == State.DONE;
    }

    @Override
    public BsonDocument result() {
        return new BsonDocument("ns", new BsonString(namespace.toString()));
    }

    @Override
    public List<Effect> on(Event event) {
        return switch (event) {
            case Event.Started _ when state == State.NEW -> become(State.SETTLE);
            case Event.Resumed _ -> effects();
            case Event.Committed _ when state == State.SETTLE -> become(State.FORGET);
            case Event.Committed _ when state == State.FORGET -> become(State.DROP);
            case Event.Replied _ when state == State.DROP -> become(State.DONE);
            case Event.Started _, Event.Committed _, Event.Replied _, Event.Refused _ -> List.of();
        };
    }

    private List<Effect> become(State next) {
        state = next;
        return effects();
    }

    private List<Effect> effects() {
        return switch (state) {
            case NEW, DONE -> List.of();
            case SETTLE -> List.of(new Effect.SettleMoves("settle", namespace));
            case FORGET -> List.of(new Effect.Forget("forget", namespace, uuid));
            case DROP -> {
                Map<ShardId, BsonDocument> commands = new HashMap<>();
                for (ShardId shard : shards) {
                    commands.put(
                            shard,
                            new BsonDocument("_shardsvrDropCollection", new BsonString(namespace.toString()))
                                    .append("uuid", new BsonBinary(uuid))
                                    .append("tracked", BsonBoolean.TRUE));
                }
                yield List.of(new Effect.Call("drop", commands));
            }
        };
    }
}
