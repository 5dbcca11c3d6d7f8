package io.ostraka.sharding.ddl;

import io.ostraka.core.placement.ShardId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * {@code dropDatabase}, after its tracked collections were dropped one by one.
 *
 * <p><b>States.</b> {@code collections}: the catalog forgets collections that began to be tracked since. {@code forget}:
 * the catalog forgets the database, which is the moment it is gone. {@code drop}: all shards drop what they have of it.
 * In this order a write that another router sends meanwhile is dropped too; in the other order it would stay on a shard
 * that nobody asks any more, and come back with the next database of the name.
 *
 * <p><b>On abort.</b> Never: it only goes forward.
 */
public final class DropDatabase implements Coordinator {
    public static final String TYPE = "dropDatabase";

    private enum State {
        NEW,
        COLLECTIONS,
        FORGET,
        DROP,
        DONE
    }

    private final String database;
    private final List<ShardId> shards;
    private State state;

    public DropDatabase(String database, List<ShardId> shards) {
        this(database, shards, State.NEW);
    }

    private DropDatabase(String database, List<ShardId> shards, State state) {
        this.database = database;
        this.shards = List.copyOf(shards);
        this.state = state;
    }

    public static DropDatabase of(BsonDocument stored) {
        List<ShardId> shards = ShardNames.of(stored.getArray("shards"));
        return new DropDatabase(
                stored.getDocument("_id").getString("ns").getValue(),
                shards,
                State.valueOf(stored.getString("state").getValue()));
    }

    @Override
    public BsonDocument id() {
        return Coordinator.id(TYPE, database);
    }

    @Override
    public List<String> holds() {
        return List.of(database);
    }

    @Override
    public BsonDocument request() {
        return new BsonDocument();
    }

    @Override
    public BsonDocument toBson() {
        return new BsonDocument("_id", id())
                .append("shards", ShardNames.toBson(shards))
                .append("state", new BsonString(state.name()));
    }

    @Override
    public boolean isDone() {
        return state == State.DONE;
    }

    @Override
    public BsonDocument result() {
        return new BsonDocument("dropped", new BsonString(database));
    }

    @Override
    public List<Effect> on(Event event) {
        return switch (event) {
            case Event.Started _ when state == State.NEW -> become(State.COLLECTIONS);
            case Event.Resumed _ -> effects();
            case Event.Committed _ when state == State.COLLECTIONS -> become(State.FORGET);
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
            case COLLECTIONS -> List.of(new Effect.ForgetCollections("collections", database));
            case FORGET -> List.of(new Effect.ForgetDatabase("forget", database));
            case DROP -> {
                Map<ShardId, BsonDocument> commands = new HashMap<>();
                for (ShardId shard : shards) {
                    commands.put(shard, new BsonDocument("_shardsvrDropDatabase", new BsonString(database)));
                }
                yield List.of(new Effect.Call("drop", commands));
            }
        };
    }
}
