package io.ostraka.sharding.ddl;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * {@code renameCollection} of a tracked collection, within its database.
 *
 * <p><b>States.</b> {@code settle}: no move of it stays undecided. {@code reserve}: where no target may be dropped, the
 * database's primary makes an empty collection of the new name that nobody can write to, or says that the name is
 * taken. {@code commit}: the catalog knows the collection by its new name, in a new generation. {@code rename}: all
 * shards follow, which takes the reserved name away; until then requests under either name start again.
 * {@code release}: the reserved name is given back.
 *
 * <p><b>On abort.</b> In reserve, and by the catalog in commit if the collection is gone or its new name is taken by
 * then: nothing has changed yet.
 */
public final class RenameCollection extends LinearCoordinator<RenameCollection.State> {
    public static final String TYPE = "renameCollection";

    /**
     * The new name, kept free until the collection has it.
     *
     * @param primary the shard that holds what is not tracked in the database
     * @param uuid of the empty collection
     * @param key of the collection that gets the name: writers to the reserved one wait for it
     */
    public record Reservation(ShardId primary, UUID uuid, BsonDocument key) {
        BsonDocument toBson() {
            return new BsonDocument("primary", new BsonString(primary.name()))
                    .append("uuid", new BsonBinary(uuid))
                    .append("key", key);
        }

        static Reservation of(BsonDocument stored) {
            return new Reservation(
                    new ShardId(stored.getString("primary").getValue()),
                    stored.getBinary("uuid").asUuid(),
                    stored.getDocument("key"));
        }
    }

    enum State {
        NEW,
        SETTLE,
        RESERVE,
        COMMIT,
        RENAME,
        RELEASE,
        DONE
    }

    private final Namespace from;
    private final Namespace to;
    private final UUID uuid;
    private final List<ShardId> shards;
    private final Optional<Reservation> reservation;
    /** Why it was stopped, as a reply. */
    private BsonDocument error;

    /** @param reservation nothing where a target that is not tracked may be dropped */
    public RenameCollection(
            Namespace from, Namespace to, UUID uuid, List<ShardId> shards, Optional<Reservation> reservation) {
        this(from, to, uuid, shards, reservation, State.NEW, new BsonDocument());
    }

    private RenameCollection(
            Namespace from,
            Namespace to,
            UUID uuid,
            List<ShardId> shards,
            Optional<Reservation> reservation,
            State state,
            BsonDocument error) {
        super(TYPE, from.toString(), state);
        this.from = from;
        this.to = to;
        this.uuid = uuid;
        this.shards = List.copyOf(shards);
        this.reservation = reservation;
        this.error = error;
    }

    public static RenameCollection of(BsonDocument stored) {
        List<ShardId> shards = ShardNames.of(stored.getArray("shards"));
        return new RenameCollection(
                Namespace.parse(stored.getDocument("_id").getString("ns").getValue()),
                Namespace.parse(stored.getString("to").getValue()),
                stored.getBinary("uuid").asUuid(),
                shards,
                Optional.ofNullable(stored.getDocument("reservation", null)).map(Reservation::of),
                State.valueOf(stored.getString("state").getValue()),
                stored.getDocument("error", new BsonDocument()));
    }

    @Override
    public List<String> holds() {
        return List.of(from.toString(), to.toString());
    }

    @Override
    public BsonDocument request() {
        return new BsonDocument("uuid", new BsonBinary(uuid))
                .append("to", new BsonString(to.toString()))
                .append("dropTarget", BsonBoolean.valueOf(reservation.isEmpty()));
    }

    @Override
    public BsonDocument toBson() {
        BsonDocument stored = super.toBson()
                .append("to", new BsonString(to.toString()))
                .append("uuid", new BsonBinary(uuid))
                .append("shards", ShardNames.toBson(shards))
                .append("error", error);
        reservation.ifPresent(name -> stored.append("reservation", name.toBson()));
        return stored;
    }

    @Override
    public BsonDocument result() {
        if (!error.isEmpty()) {
            throw CommandException.fromReply(error);
        }
        return new BsonDocument();
    }

    @Override
    State after(State done) {
        return switch (done) {
            case SETTLE -> reservation.isPresent() ? State.RESERVE : State.COMMIT;
            case RENAME -> State.DONE;
            case NEW, RESERVE, COMMIT, RELEASE, DONE -> super.after(done);
        };
    }

    @Override
    Optional<State> refused(State in, CommandException why) {
        return switch (in) {
            case RESERVE -> {
                error = why.toReply();
                yield Optional.of(State.DONE);
            }
            case COMMIT -> {
                error = why.toReply();
                yield Optional.of(reservation.isPresent() ? State.RELEASE : State.DONE);
            }
            case NEW, SETTLE, RENAME, RELEASE, DONE -> Optional.empty();
        };
    }

    @Override
    Effect effect(State in) {
        return switch (in) {
            case NEW, DONE -> throw new IllegalStateException(in + " has no effect");
            case SETTLE -> new Effect.SettleMoves("settle", from);
            case RESERVE -> reserve(reservation.orElseThrow());
            case COMMIT -> new Effect.Rename("commit", from, to, uuid);
            case RENAME -> {
                BsonDocument command = new BsonDocument("_shardsvrRenameCollection", new BsonString(from.toString()))
                        .append("to", new BsonString(to.toString()))
                        .append("uuid", new BsonBinary(uuid));
                reservation.ifPresent(name -> command.append("reserved", new BsonBinary(name.uuid)));
                yield Effect.Call.toAll("rename", shards, command);
            }
            case RELEASE -> release(reservation.orElseThrow());
        };
    }

    private Effect reserve(Reservation name) {
        BsonDocument command = new BsonDocument("_shardsvrReserveName", new BsonString(to.toString()))
                .append("uuid", new BsonBinary(name.uuid))
                .append("key", name.key);
        return new Effect.Call("reserve", Map.of(name.primary, command));
    }

    private Effect release(Reservation name) {
        BsonDocument command = new BsonDocument("_shardsvrDropCollection", new BsonString(to.toString()))
                .append("uuid", new BsonBinary(name.uuid));
        return new Effect.Call("release", Map.of(name.primary, command));
    }
}
