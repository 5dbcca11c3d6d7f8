package io.ostraka.sharding.ddl;

import io.ostraka.core.placement.ShardId;
import java.util.List;
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
public final class DropDatabase extends LinearCoordinator<DropDatabase.State> {
    public static final String TYPE = "dropDatabase";

    enum State {
        NEW,
        COLLECTIONS,
        FORGET,
        DROP,
        DONE
    }

    private final String database;
    private final List<ShardId> shards;

    public DropDatabase(String database, List<ShardId> shards) {
        this(database, shards, State.NEW);
    }

    private DropDatabase(String database, List<ShardId> shards, State state) {
        super(TYPE, database, state);
        this.database = database;
        this.shards = List.copyOf(shards);
    }

    public static DropDatabase of(BsonDocument stored) {
        List<ShardId> shards = ShardNames.of(stored.getArray("shards"));
        return new DropDatabase(
                stored.getDocument("_id").getString("ns").getValue(),
                shards,
                State.valueOf(stored.getString("state").getValue()));
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
        return super.toBson().append("shards", ShardNames.toBson(shards));
    }

    @Override
    public BsonDocument result() {
        return new BsonDocument("dropped", new BsonString(database));
    }

    @Override
    Effect effect(State in) {
        return switch (in) {
            case NEW, DONE -> throw new IllegalStateException(in + " has no effect");
            case COLLECTIONS -> new Effect.ForgetCollections("collections", database);
            case FORGET -> new Effect.ForgetDatabase("forget", database);
            case DROP ->
                Effect.Call.toAll("drop", shards, new BsonDocument("_shardsvrDropDatabase", new BsonString(database)));
        };
    }
}
