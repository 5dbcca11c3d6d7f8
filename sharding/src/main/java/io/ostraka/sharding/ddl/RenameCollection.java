package io.ostraka.sharding.ddl;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * {@code renameCollection} of a tracked collection, within its database.
 *
 * <p><b>States.</b> {@code settle}: no move of it stays undecided. {@code commit}: the catalog knows it by its new
 * name, in a new generation. {@code rename}: all shards follow; until then requests under either name start again.
 *
 * <p><b>On abort.</b> Only by the catalog in commit, if the collection is gone or its new name is taken by then: nothing
 * has changed yet.
 */
public final class RenameCollection implements Coordinator {
    public static final String TYPE = "renameCollection";

    private enum State {
        NEW,
        SETTLE,
        COMMIT,
        RENAME,
        DONE
    }

    private final Namespace from;
    private final Namespace to;
    private final UUID uuid;
    private final List<ShardId> shards;
    private State state;
    /** Why it was stopped, as a reply. */
    private BsonDocument error;

    public RenameCollection(Namespace from, Namespace to, UUID uuid, List<ShardId> shards) {
        this(from, to, uuid, shards, State.NEW, new BsonDocument());
    }

    private RenameCollection(
            Namespace from, Namespace to, UUID uuid, List<ShardId> shards, State state, BsonDocument error) {
        this.from = from;
        this.to = to;
        this.uuid = uuid;
        this.shards = List.copyOf(shards);
        this.state = state;
        this.error = error;
    }

    public static RenameCollection of(BsonDocument stored) {
        List<ShardId> shards = ShardNames.of(stored.getArray("shards"));
        return new RenameCollection(
                Namespace.parse(stored.getDocument("_id").getString("ns").getValue()),
                Namespace.parse(stored.getString("to").getValue()),
                stored.getBinary("uuid").asUuid(),
                shards,
                State.valueOf(stored.getString("state").getValue()),
                stored.getDocument("error", new BsonDocument()));
    }

    @Override
    public BsonDocument id() {
        return Coordinator.id(TYPE, from.toString());
    }

    @Override
    public List<String> holds() {
        return List.of(from.toString(), to.toString());
    }

    @Override
    public BsonDocument request() {
        return new BsonDocument("uuid", new BsonBinary(uuid)).append("to", new BsonString(to.toString()));
    }

    @Override
    public BsonDocument toBson() {
        return new BsonDocument("_id", id())
                .append("to", new BsonString(to.toString()))
                .append("uuid", new BsonBinary(uuid))
                .append("shards", ShardNames.toBson(shards))
                .append("state", new BsonString(state.name()))
                .append("error", error);
    }

    @Override
    public boolean isDone() {
        return state == State.DONE;
    }

    @Override
    public BsonDocument result() {
        if (!error.isEmpty()) {
            throw CommandException.fromReply(error);
        }
        return new BsonDocument();
    }

    @Override
    public List<Effect> on(Event event) {
        return switch (event) {
            case Event.Started _ when state == State.NEW -> become(State.SETTLE);
            case Event.Resumed _ -> effects();
            case Event.Committed _ when state == State.SETTLE -> become(State.COMMIT);
            case Event.Committed _ when state == State.COMMIT -> become(State.RENAME);
            case Event.Replied _ when state == State.RENAME -> become(State.DONE);
            case Event.Refused(var _, var refusal)
            when state == State.COMMIT -> {
                error = refusal.toReply();
                yield become(State.DONE);
            }
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
            case SETTLE -> List.of(new Effect.SettleMoves("settle", from));
            case COMMIT -> List.of(new Effect.Rename("commit", from, to, uuid));
            case RENAME -> {
                Map<ShardId, BsonDocument> commands = new HashMap<>();
                for (ShardId shard : shards) {
                    commands.put(
                            shard,
                            new BsonDocument("_shardsvrRenameCollection", new BsonString(from.toString()))
                                    .append("to", new BsonString(to.toString()))
                                    .append("uuid", new BsonBinary(uuid)));
                }
                yield List.of(new Effect.Call("rename", commands));
            }
        };
    }
}
