package io.ostraka.sharding.config;

import static io.ostraka.core.error.ErrorCode.ALREADY_INITIALIZED;
import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;
import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.sharding.catalog.CollectionRow;
import io.ostraka.sharding.catalog.DatabaseRow;
import io.ostraka.sharding.catalog.ShardRow;
import io.ostraka.sharding.ddl.ShardCollection;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * {@code shardCollection}: spreads a collection over the shards by a key.
 *
 * <pre>{ shardCollection: "db.coll", key: {field: 1 | "hashed" ...}, unique: false?, numInitialChunks: n?,
 *   collation: {locale: "simple"}?, implicitlyCreateIndex: true?, enforceUniquenessCheck: true? }
 * →  { collectionsharded: "db.coll" }</pre>
 *
 * Makes the database, the collection and the index where they are missing and the collection is empty. A collection
 * with documents needs the index, and the error names it. Asking again for what is there changes nothing.
 */
final class ShardCollectionCommand implements Command<ShardCollectionCommand.Request> {
    /** Chunks at the beginning at the most, by shard, as MongoDB bounds it. */
    static final int MAX_INITIAL_CHUNKS_PER_SHARD = 8_192;

    /** How often it begins again because the tracked collection it began with is gone. */
    private static final int BEGINNINGS = 20;

    record Request(
            Namespace namespace,
            ShardKey key,
            boolean unique,
            long numInitialChunks,
            boolean simpleCollation,
            boolean implicitlyCreateIndex,
            boolean enforceUniquenessCheck) {
        Request {
            String name = namespace.toString();
            if (name.getBytes(StandardCharsets.UTF_8).length > Namespace.MAX_SHARDED_BYTES) {
                throw INVALID_NAMESPACE.because(
                        "'%s' is too long for a sharded collection: at most %d bytes",
                        name, Namespace.MAX_SHARDED_BYTES);
            }
            if (namespace.database().equals("local")) {
                throw INVALID_OPTIONS.because("Collections of the local database cannot be sharded");
            }
            if (namespace.database().equals("admin") || namespace.database().equals("config")) {
                throw ILLEGAL_OPERATION.because(
                        "Collections of the %s database cannot be sharded", namespace.database());
            }
            if (namespace.isSystem()) {
                throw ILLEGAL_OPERATION.because("System collection '%s' cannot be sharded", name);
            }
            if (unique && key.hasHashed()) {
                throw INVALID_OPTIONS.because(
                        "A hashed shard key cannot be unique: several values have one hash. Make the key a range key, or leave out unique");
            }
        }
    }

    private final ConfigServices services;

    ShardCollectionCommand(ConfigServices services) {
        this.services = services;
    }

    @Override
    public String name() {
        return "shardCollection";
    }

    @Override
    public List<String> aliases() {
        return List.of("shardcollection");
    }

    @Override
    public Needs needs() {
        return Needs.internal(Needs.Kind.WRITE);
    }

    @Override
    public Request parse(Fields fields) {
        Optional<BsonDocument> collation = fields.document("collation").map(RawDocument::toBson);
        if (collation.isPresent()
                && !new BsonString("simple").equals(collation.get().get("locale"))) {
            throw BAD_VALUE.because("The collation for shardCollection must be {locale: 'simple'}");
        }
        if (fields.bool("presplitHashedZones", false)) {
            throw INVALID_OPTIONS.because("presplitHashedZones needs zones on the collection; there are none");
        }
        if (fields.has("timeseries")) {
            throw INVALID_OPTIONS.because("Time-series collections cannot be sharded in this version");
        }
        fields.value("collectionUUID");
        return new Request(
                Namespace.parse(fields.ownString()),
                ShardKey.parse(fields.requiredDocument("key")),
                fields.bool("unique", false),
                fields.wholeNumber("numInitialChunks", 0),
                collation.isPresent(),
                fields.bool("implicitlyCreateIndex", true),
                fields.bool("enforceUniquenessCheck", true));
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        for (int begun = 1; ; begun++) {
            Optional<CollectionRow> existing = services.catalog().collection(request.namespace);
            try {
                return once(request, existing, operation);
            } catch (CommandException failed) {
                // A collection that is dropped meanwhile is one that does not exist: it is made.
                if (begun == BEGINNINGS || existing.isEmpty() || isThere(existing.get())) {
                    throw failed;
                }
                operation.checkAlive();
            }
        }
    }

    private boolean isThere(CollectionRow row) {
        return services.catalog()
                .collection(row.namespace())
                .filter(now -> now.uuid().equals(row.uuid()))
                .isPresent();
    }

    private RawDocument once(Request request, Optional<CollectionRow> existing, Operation operation) {
        if (existing.isPresent() && existing.get().isUnsplittable()) {
            shardWhereItIs(request, existing.get(), operation);
            return RawDocument.of(new BsonDocument("collectionsharded", new BsonString(request.namespace.toString())));
        }
        Optional<RawDocument> done = alreadyDone(request);
        if (done.isPresent()) {
            return done.get();
        }
        DatabaseRow database = services.catalog().createDatabase(request.namespace.database(), Optional.empty());
        List<ShardId> shards = new ArrayList<>();
        shards.add(database.primary());
        for (ShardRow shard : services.catalog().shards()) {
            if (!shard.id().equals(database.primary()) && !shard.draining()) {
                shards.add(shard.id());
            }
        }
        ShardCollection coordinator = new ShardCollection(new ShardCollection.Request(
                request.namespace,
                request.key,
                request.unique,
                request.implicitlyCreateIndex,
                request.enforceUniquenessCheck,
                request.simpleCollation,
                shards,
                chunks(request, shards.size()),
                services.ids().objectId(),
                services.store().tick(),
                services.clock().wallMillis(),
                false));
        try {
            return RawDocument.of(services.driver().run(coordinator, operation.deadline()));
        } catch (CommandException e) {
            // Another router may have asked at the same time and come first.
            return alreadyDone(request).orElseThrow(() -> e);
        }
    }

    /** @throws CommandException 23 AlreadyInitialized if it is sharded in another way */
    private Optional<RawDocument> alreadyDone(Request request) {
        Optional<CollectionRow> existing = services.catalog().collection(request.namespace);
        if (existing.isEmpty()) {
            return Optional.empty();
        }
        boolean same =
                existing.get().key().equals(request.key) && existing.get().unique() == request.unique;
        if (!same) {
            throw ALREADY_INITIALIZED.because(
                    "Collection '%s' is sharded already, with key %s%s",
                    request.namespace, existing.get().key(), existing.get().unique() ? " unique" : "");
        }
        return Optional.of(
                RawDocument.of(new BsonDocument("collectionsharded", new BsonString(request.namespace.toString()))));
    }

    /** A collection that was moved away from its database's primary is sharded on the shard where it is, as one chunk. */
    private void shardWhereItIs(Request request, CollectionRow row, Operation operation) {
        ShardId owner = services.catalog()
                .table(request.namespace)
                .orElseThrow()
                .shards()
                .iterator()
                .next();
        BsonDocument unusedChecked = services.shards()
                .call(
                        owner,
                        new BsonDocument("_shardsvrCheckKeyIndex", new BsonString(request.namespace.toString()))
                                .append("key", request.key.pattern())
                                .append("unique", BsonBoolean.valueOf(request.unique))
                                .append("enforceUniquenessCheck", BsonBoolean.valueOf(request.enforceUniquenessCheck)),
                        operation.deadline());
        services.driver().settleMoves(request.namespace);
        boolean done = services.changes()
                .makeWhole(
                        request.namespace,
                        row.uuid(),
                        new CollectionRow.Form(request.key, request.unique, false),
                        new Generation(
                                services.ids().objectId(), services.store().tick()),
                        owner);
        if (!done) {
            throw CONFLICTING_OPERATION_IN_PROGRESS.because("'%s' has moved meanwhile; ask again", request.namespace);
        }
        BsonDocument unusedRefreshed = services.shards()
                .call(
                        owner,
                        new BsonDocument("_shardsvrRefreshPlacement", new BsonString(request.namespace.toString())),
                        operation.deadline());
    }

    private static int chunks(Request request, int shards) {
        if (!request.key.isHashed(0)) {
            return 1;
        }
        long most = (long) MAX_INITIAL_CHUNKS_PER_SHARD * shards;
        if (request.numInitialChunks < 0 || request.numInitialChunks > most) {
            throw INVALID_OPTIONS.because(
                    "numInitialChunks must be 1 to %d with %d shards, not %d", most, shards, request.numInitialChunks);
        }
        return request.numInitialChunks == 0 ? shards : (int) request.numInitialChunks;
    }
}
