package io.ostraka.sharding.ddl;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.sharding.catalog.ChunkRow;
import io.ostraka.sharding.catalog.CollectionRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/**
 * {@code shardCollection}: begins to track a collection.
 *
 * <p><b>States.</b> {@code prepare}: the primary shard checks or makes collection and index, and blocks writes.
 * {@code participants}: the other shards that get chunks make the same collection. {@code commit}: the catalog takes
 * it. {@code release}: all of them learn what they own, and the primary lets writers go on (they start again with the
 * new placement). {@code abort}: the primary lets writers go on as before.
 *
 * <p><b>On abort.</b> Only in prepare and participants. Empty collections made on participants stay: they are taken
 * over, or dropped, by whoever shards or drops the collection next.
 */
public final class ShardCollection implements Coordinator {
    public static final String TYPE = "shardCollection";

    /**
     * Everything that is decided before the first step, so that each leader does the same.
     *
     * @param shards all that may get chunks, the primary first
     * @param chunks how many chunks a hashed collection that is empty begins with
     * @param unsplittable whether the collection is tracked only so that it can be moved
     */
    public record Request(
            Namespace namespace,
            ShardKey key,
            boolean unique,
            boolean implicitlyCreateIndex,
            boolean enforceUniquenessCheck,
            boolean simpleCollation,
            List<ShardId> shards,
            int chunks,
            ObjectId epoch,
            BsonTimestamp timestamp,
            long wallMillis,
            boolean unsplittable) {
        BsonDocument toBson() {
            return new BsonDocument("ns", new BsonString(namespace.toString()))
                    .append("key", key.pattern())
                    .append("unique", BsonBoolean.valueOf(unique))
                    .append("implicitlyCreateIndex", BsonBoolean.valueOf(implicitlyCreateIndex))
                    .append("enforceUniquenessCheck", BsonBoolean.valueOf(enforceUniquenessCheck))
                    .append("simpleCollation", BsonBoolean.valueOf(simpleCollation))
                    .append("shards", ShardNames.toBson(shards))
                    .append("chunks", new BsonInt32(chunks))
                    .append("epoch", new BsonObjectId(epoch))
                    .append("timestamp", timestamp)
                    .append("at", new BsonDateTime(wallMillis))
                    .append("unsplittable", BsonBoolean.valueOf(unsplittable));
        }

        static Request of(BsonDocument stored) {
            List<ShardId> shards = ShardNames.of(stored.getArray("shards"));
            return new Request(
                    Namespace.parse(stored.getString("ns").getValue()),
                    ShardKey.parse(stored.getDocument("key")),
                    stored.getBoolean("unique").getValue(),
                    stored.getBoolean("implicitlyCreateIndex").getValue(),
                    stored.getBoolean("enforceUniquenessCheck").getValue(),
                    stored.getBoolean("simpleCollation").getValue(),
                    shards,
                    stored.getInt32("chunks").getValue(),
                    stored.getObjectId("epoch").getValue(),
                    stored.getTimestamp("timestamp"),
                    stored.getDateTime("at").getValue(),
                    stored.getBoolean("unsplittable", BsonBoolean.FALSE).getValue());
        }
    }

    private enum State {
        NEW,
        PREPARE,
        PARTICIPANTS,
        COMMIT,
        RELEASE,
        ABORT,
        DONE
    }

    private final Request request;
    private State state;
    /** What the primary said in prepare: {@code {uuid, options, indexes, empty}}. */
    private BsonDocument prepared;
    /** Why it was stopped, as a reply. */
    private BsonDocument error;

    public ShardCollection(Request request) {
        this(request, State.NEW, new BsonDocument(), new BsonDocument());
    }

    private ShardCollection(Request request, State state, BsonDocument prepared, BsonDocument error) {
        this.request = request;
        this.state = state;
        this.prepared = prepared;
        this.error = error;
    }

    /** Reads {@link #toBson}. */
    public static ShardCollection of(BsonDocument stored) {
        return new ShardCollection(
                Request.of(stored.getDocument("request")),
                State.valueOf(stored.getString("state").getValue()),
                stored.getDocument("prepared"),
                stored.getDocument("error"));
    }

    @Override
    public BsonDocument id() {
        return Coordinator.id(TYPE, request.namespace.toString());
    }

    @Override
    public List<String> holds() {
        return List.of(request.namespace.toString());
    }

    @Override
    public BsonDocument request() {
        BsonDocument asked = request.toBson();
        for (String chosenHere : List.of("epoch", "timestamp", "at", "shards")) {
            asked.remove(chosenHere);
        }
        return asked;
    }

    @Override
    public BsonDocument toBson() {
        return new BsonDocument("_id", id())
                .append("request", request.toBson())
                .append("state", new BsonString(state.name()))
                .append("prepared", prepared)
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
        return new BsonDocument("collectionsharded", new BsonString(request.namespace.toString()));
    }

    @Override
    public List<Effect> on(Event event) {
        return switch (event) {
            case Event.Started _ when state == State.NEW -> become(State.PREPARE);
            case Event.Resumed _ -> effects();
            case Event.Replied(var _, var replies)
            when state == State.PREPARE -> {
                prepared = replies.get(primary()).clone();
                yield become(participants().isEmpty() ? State.COMMIT : State.PARTICIPANTS);
            }
            case Event.Replied _ when state == State.PARTICIPANTS -> become(State.COMMIT);
            case Event.Committed _ when state == State.COMMIT -> become(State.RELEASE);
            case Event.Replied _ when state == State.RELEASE || state == State.ABORT -> become(State.DONE);
            case Event.Refused(var _, var refusal)
            when state == State.PREPARE || state == State.PARTICIPANTS || state == State.COMMIT -> {
                // A refused commit has changed nothing: the catalog takes all or nothing.
                error = refusal.toReply();
                yield become(State.ABORT);
            }
            case Event.Started _, Event.Replied _, Event.Committed _, Event.Refused _ -> List.of();
        };
    }

    private List<Effect> become(State next) {
        state = next;
        return effects();
    }

    private ShardId primary() {
        return request.shards.getFirst();
    }

    /** Shards beside the primary that get chunks: only those of a hashed collection without documents do. */
    private List<ShardId> participants() {
        List<ShardId> owners = owners();
        return request.shards.stream().skip(1).filter(owners::contains).toList();
    }

    private List<ShardId> owners() {
        boolean spread = request.key.isHashed(0) && prepared.getBoolean("empty").getValue();
        List<ShardId> owners = new ArrayList<>();
        for (int i = 0; i < (spread ? request.chunks : 1); i++) {
            owners.add(request.shards.get(i % request.shards.size()));
        }
        return owners;
    }

    private List<Effect> effects() {
        return switch (state) {
            case NEW, DONE -> List.of();
            case PREPARE -> List.of(new Effect.Call("prepare", Map.of(primary(), prepareCommand())));
            case PARTICIPANTS -> {
                Map<ShardId, BsonDocument> commands = new HashMap<>();
                for (ShardId shard : participants()) {
                    commands.put(
                            shard,
                            named("_shardsvrCreateCollection")
                                    .append("uuid", prepared.get("uuid"))
                                    .append("options", prepared.get("options"))
                                    .append("indexes", prepared.get("indexes")));
                }
                yield List.of(new Effect.Call("participants", commands));
            }
            case COMMIT -> List.of(new Effect.Track("commit", primary(), row(), chunks(), details()));
            case RELEASE -> {
                Map<ShardId, BsonDocument> commands = new HashMap<>();
                commands.put(primary(), release());
                participants().forEach(shard -> commands.put(shard, release()));
                yield List.of(new Effect.Call("release", commands));
            }
            case ABORT -> List.of(new Effect.Call("abort", Map.of(primary(), release())));
        };
    }

    private BsonDocument named(String command) {
        return new BsonDocument(command, new BsonString(request.namespace.toString()));
    }

    private BsonDocument release() {
        return named("_shardsvrRefreshPlacement").append("release", BsonBoolean.TRUE);
    }

    private BsonDocument prepareCommand() {
        return named("_shardsvrPrepareCollection")
                .append("key", request.key.pattern())
                .append("unique", BsonBoolean.valueOf(request.unique))
                .append("implicitlyCreateIndex", BsonBoolean.valueOf(request.implicitlyCreateIndex))
                .append("enforceUniquenessCheck", BsonBoolean.valueOf(request.enforceUniquenessCheck))
                .append("simpleCollation", BsonBoolean.valueOf(request.simpleCollation))
                .append("unsplittable", BsonBoolean.valueOf(request.unsplittable));
    }

    private UUID uuid() {
        BsonBinary uuid = prepared.getBinary("uuid");
        return uuid.asUuid();
    }

    private CollectionRow row() {
        Generation generation = new Generation(request.epoch, request.timestamp);
        CollectionRow row = CollectionRow.create(
                request.namespace, uuid(), request.key, request.unique, generation, request.wallMillis);
        BsonDocument options = prepared.getDocument("options", new BsonDocument());
        if (options.isDocument("collation")) {
            row = row.collated(options.getDocument("collation"));
        }
        return request.unsplittable ? row.unsplittable() : row;
    }

    private List<ChunkRow> chunks() {
        List<ShardId> owners = owners();
        List<BsonDocument> bounds = InitialChunks.bounds(request.key, owners.size());
        List<ChunkRow> chunks = new ArrayList<>();
        for (int i = 0; i < owners.size(); i++) {
            // Version 1|i: all chunks of a new generation begin with the same major.
            chunks.add(ChunkRow.first(
                    chunkId(i),
                    uuid(),
                    request.key,
                    bounds.get(i),
                    bounds.get(i + 1),
                    owners.get(i),
                    (1L << 32) + i,
                    request.timestamp));
        }
        return chunks;
    }

    /** The same at each attempt: the epoch's bytes with the chunk's number in the last four, which differ from the epoch's own. */
    private ObjectId chunkId(int number) {
        byte[] bytes = request.epoch.toByteArray();
        int tail = (bytes[8] & 0xFF) << 24 | (bytes[9] & 0xFF) << 16 | (bytes[10] & 0xFF) << 8 | bytes[11] & 0xFF;
        tail += number + 1;
        bytes[8] = (byte) (tail >> 24);
        bytes[9] = (byte) (tail >> 16);
        bytes[10] = (byte) (tail >> 8);
        bytes[11] = (byte) tail;
        return new ObjectId(bytes);
    }

    private BsonDocument details() {
        return new BsonDocument("shardKey", request.key.pattern())
                .append("numChunks", new BsonInt32(owners().size()))
                .append("primary", new BsonString(primary().name()));
    }
}
