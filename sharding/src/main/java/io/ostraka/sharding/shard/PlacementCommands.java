package io.ostraka.sharding.shard;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.View;
import io.ostraka.node.write.CollectionWriter;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * What the config servers ask of a shard about collections.
 *
 * <pre>
 * { _shardsvrJoin: shard, clusterId, configsvrConnectionString }        →  { databases: [name ...] }
 * { _shardsvrPrepareCollection: ns, key, unique, implicitlyCreateIndex, enforceUniquenessCheck, simpleCollation,
 *   unsplittable }
 *                                                                      →  { uuid, options, indexes, empty }
 * { _shardsvrCheckKeyIndex: ns, key, unique, enforceUniquenessCheck }   →  { }
 * { _shardsvrCreateCollection: ns, uuid, options, indexes }             →  { }
 * { _shardsvrCreateLike: ns, like: ns }                                  →  { }
 * { _shardsvrRefreshPlacement: ns, release: bool }                      →  { }
 * { _shardsvrDropCollection: ns, uuid }                                 →  { }
 * { _shardsvrReserveName: ns, uuid, key }                              →  { }
 * { _shardsvrRenameCollection: ns, to, uuid, reserved? }                →  { }
 * { _shardsvrDropDatabase: db }                                         →  { }
 * { _shardsvrDataSizes: 1 }                                             →  { bytes: {ns: owned bytes ...} }
 * { _shardsvrLeaveDatabase: db }                                        →  { }
 * { _shardsvrUntracked: db }                                            →  { collections: [ns ...], views: [{ns, uuid, options} ...] }
 * { _shardsvrDropEmptied: ns }                                          →  { }
 * { _shardsvrCleanUp: 1 }                                               →  { pending: ranges still to clean up }
 * </pre>
 *
 * Each may be asked twice. Prepare blocks writers of the collection until refresh releases them.
 */
public final class PlacementCommands {
    private final Member member;
    private final PlacementRefresher refresher;
    private final ShardGuard guard;
    private final Identities identities;
    private final RangeDeleter deleter;
    private final CollectionPreparation preparation;

    /** Where this shard remembers who it is. */
    public interface Identities {
        Optional<ShardIdentity> get();

        void put(ShardIdentity identity, Operation operation);
    }

    public PlacementCommands(
            Member member,
            PlacementRefresher refresher,
            ShardGuard guard,
            Identities identities,
            RangeDeleter deleter) {
        this.member = member;
        this.deleter = deleter;
        this.preparation = new CollectionPreparation(member);
        this.refresher = refresher;
        this.guard = guard;
        this.identities = identities;
    }

    private record PrepareRequest(
            Namespace namespace, SupportingIndex index, boolean simpleCollation, boolean unsplittable) {
        /** The order of a shard key is that of bytes, and a client must know that. */
        void checkCollation(CollectionEntry entry) {
            if (entry.collation().isSimple() || unsplittable) {
                return;
            }
            if (!simpleCollation) {
                throw BAD_VALUE.because(
                        "Collection has default collation: %s. Must specify collation {locale: 'simple'}",
                        entry.collation());
            }
            ShardKey key = index.key();
            if (key.fields().getFirst().equals("_id") && !key.isHashed(0)) {
                throw INVALID_OPTIONS.because(
                        "'%s' cannot be sharded by the order of _id: its index on _id has the collection's collation. Use {_id: 'hashed'} or another key",
                        namespace);
            }
        }
    }

    private record CreateRequest(Namespace namespace, UUID uuid, BsonDocument options, List<IndexDefinition> indexes) {}

    private record ReserveRequest(Namespace namespace, UUID uuid, ShardKey key) {}

    private record LikeRequest(Namespace namespace, Namespace like) {}

    private record NamedRequest(Namespace namespace, UUID uuid, Optional<Namespace> to, Optional<UUID> reserved) {}

    private record RefreshRequest(Namespace namespace, boolean release) {}

    public List<Command<?>> all() {
        return List.of(
                InternalCommand.of(
                        "_shardsvrJoin",
                        Needs.Kind.WRITE,
                        fields -> new ShardIdentity(
                                new ShardId(fields.ownString()),
                                fields.requiredValue("clusterId").asObjectId().getValue(),
                                fields.requiredString("configsvrConnectionString")),
                        this::join),
                InternalCommand.of(
                        "_shardsvrPrepareCollection", Needs.Kind.WRITE, PlacementCommands::prepare, this::prepare),
                InternalCommand.of(
                        "_shardsvrCheckKeyIndex", Needs.Kind.READ, PlacementCommands::prepare, this::checkIndex),
                InternalCommand.of(
                        "_shardsvrCreateCollection", Needs.Kind.WRITE, PlacementCommands::create, this::create),
                InternalCommand.of(
                        "_shardsvrRefreshPlacement",
                        Needs.Kind.WRITE,
                        fields ->
                                new RefreshRequest(Namespace.parse(fields.ownString()), fields.bool("release", false)),
                        this::refresh),
                InternalCommand.of("_shardsvrDropCollection", Needs.Kind.WRITE, PlacementCommands::named, this::drop),
                InternalCommand.of(
                        "_shardsvrReserveName",
                        Needs.Kind.WRITE,
                        fields -> new ReserveRequest(
                                Namespace.parse(fields.ownString()),
                                fields.requiredValue("uuid").asBinary().asUuid(),
                                ShardKey.parse(fields.requiredDocument("key"))),
                        this::reserve),
                InternalCommand.of(
                        "_shardsvrRenameCollection", Needs.Kind.WRITE, PlacementCommands::named, this::rename),
                InternalCommand.of("_shardsvrDropDatabase", Needs.Kind.WRITE, Fields::ownString, this::dropDatabase),
                InternalCommand.of("_shardsvrDataSizes", Needs.Kind.READ, _ -> 1, this::sizes),
                InternalCommand.of("_shardsvrLeaveDatabase", Needs.Kind.WRITE, Fields::ownString, this::leave),
                InternalCommand.of(
                        "_shardsvrCreateLike",
                        Needs.Kind.WRITE,
                        fields -> new LikeRequest(
                                Namespace.parse(fields.ownString()), Namespace.parse(fields.requiredString("like"))),
                        this::createLike),
                InternalCommand.of("_shardsvrUntracked", Needs.Kind.READ, Fields::ownString, this::untracked),
                InternalCommand.of(
                        "_shardsvrDropEmptied",
                        Needs.Kind.WRITE,
                        fields -> Namespace.parse(fields.ownString()),
                        this::dropEmptied),
                InternalCommand.of("_shardsvrCleanUp", Needs.Kind.CONTROL, _ -> 1, this::cleanUp));
    }

    private static PrepareRequest prepare(Fields fields) {
        Namespace namespace = Namespace.parse(fields.ownString());
        return new PrepareRequest(
                namespace,
                new SupportingIndex(
                        namespace,
                        ShardKey.parse(fields.requiredDocument("key").toBson()),
                        fields.bool("unique", false),
                        fields.bool("implicitlyCreateIndex", true),
                        fields.bool("enforceUniquenessCheck", true)),
                fields.bool("simpleCollation", true),
                fields.bool("unsplittable", false));
    }

    private static CreateRequest create(Fields fields) {
        List<IndexDefinition> indexes = new ArrayList<>();
        for (BsonValue index : fields.array("indexes")) {
            indexes.add(IndexDefinition.parse(RawDocument.of(index.asDocument())));
        }
        return new CreateRequest(
                Namespace.parse(fields.ownString()),
                fields.requiredValue("uuid").asBinary().asUuid(),
                fields.requiredDocument("options").toBson(),
                indexes);
    }

    private static NamedRequest named(Fields fields) {
        fields.value("tracked");
        return new NamedRequest(
                Namespace.parse(fields.ownString()),
                fields.requiredValue("uuid").asBinary().asUuid(),
                fields.string("to").map(Namespace::parse),
                fields.value("reserved").map(uuid -> uuid.asBinary().asUuid()));
    }

    private BsonDocument join(ShardIdentity identity, Operation operation) {
        Optional<ShardIdentity> mine = identities.get();
        if (mine.isPresent()) {
            boolean same = mine.get().shard().equals(identity.shard())
                    && mine.get().clusterId().equals(identity.clusterId());
            if (!same) {
                throw ILLEGAL_OPERATION.because(
                        "This server is shard '%s' of cluster %s; it cannot join another one",
                        mine.get().shard(), mine.get().clusterId().toHexString());
            }
        }
        if (mine.isEmpty() || !mine.get().equals(identity)) {
            identities.put(identity, operation);
        }
        BsonArray databases = new BsonArray();
        for (String name : member.views().catalog().databases()) {
            if (!List.of("admin", "config", "local").contains(name)) {
                databases.add(new BsonString(name));
            }
        }
        return new BsonDocument("databases", databases);
    }

    private BsonDocument prepare(PrepareRequest request, Operation operation) {
        member.views().catalog().find(request.namespace).ifPresent(request::checkCollation);
        return preparation.prepare(request.index, operation);
    }

    /** Whether the collection has what a longer key needs; nothing is made. */
    private BsonDocument checkIndex(PrepareRequest request, Operation operation) {
        CollectionEntry entry = member.views().catalog().get(request.namespace);
        Optional<IndexDefinition> missing = request.index.missing(Optional.of(entry), false);
        if (missing.isPresent()) {
            throw INVALID_OPTIONS.because(
                    "'%s' has no index for the shard key %s", request.namespace, request.index.key());
        }
        return new BsonDocument();
    }

    private BsonDocument create(CreateRequest request, Operation operation) {
        // An empty collection of another life may be left from a change that was stopped.
        Optional<CollectionEntry> other = member.views()
                .catalog()
                .find(request.namespace)
                .filter(entry -> !entry.uuid().equals(request.uuid));
        if (other.isPresent()) {
            if (!preparation.isEmpty(request.namespace)) {
                throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                        "Shard '%s' holds documents of another collection '%s'",
                        identities.get().map(ShardIdentity::shard).orElse(ShardId.CONFIG), request.namespace);
            }
            boolean ignored = member.collections().drop(request.namespace, operation);
        }
        boolean ignored = member.collections()
                .createAlike(
                        request.namespace,
                        new CollectionWriter.Definition(
                                Optional.of(request.uuid),
                                request.options,
                                Optional.empty(),
                                request.indexes,
                                Optional.empty()),
                        operation);
        return new BsonDocument();
    }

    private BsonDocument refresh(RefreshRequest request, Operation operation) {
        KnownPlacement ignored = request.release
                ? refresher.refreshAndRelease(request.namespace, operation)
                : refresher.refresh(request.namespace, operation);
        return new BsonDocument();
    }

    private BsonDocument drop(NamedRequest request, Operation operation) {
        boolean here = member.views()
                .catalog()
                .find(request.namespace)
                .map(entry -> entry.uuid().equals(request.uuid))
                .orElse(false);
        if (here) {
            boolean ignored = member.collections().drop(request.namespace, operation);
        }
        refresher.forget(request.namespace);
        return new BsonDocument();
    }

    private BsonDocument reserve(ReserveRequest request, Operation operation) {
        preparation.reserve(request.namespace, request.uuid, request.key, operation);
        return new BsonDocument();
    }

    private BsonDocument rename(NamedRequest request, Operation operation) {
        Namespace to = request.to.orElseThrow();
        boolean here = member.views()
                .catalog()
                .find(request.namespace)
                .map(entry -> entry.uuid().equals(request.uuid))
                .orElse(false);
        if (here) {
            // What has the name here is reserved for this, or the client wants it dropped.
            member.collections().rename(request.namespace, to, true, operation);
        }
        refresher.forget(request.namespace);
        refresher.forget(to);
        KnownPlacement ignored = refresher.refresh(to, operation);
        // Only now, so that nobody who knows the old placement can make a collection of the name.
        request.reserved.ifPresent(uuid -> preparation.release(to, uuid, operation));
        return new BsonDocument();
    }

    private BsonDocument dropDatabase(String database, Operation operation) {
        for (CollectionEntry entry : member.views().catalog().ofDatabase(database)) {
            refresher.forget(entry.namespace());
        }
        int ignored = member.collections().dropDatabase(database, operation);
        guard.forget(database);
        return new BsonDocument();
    }

    private BsonDocument leave(String database, Operation operation) {
        guard.leave(database);
        return new BsonDocument();
    }

    /** For {@code $out}: where it is written, to be renamed when it is whole. */
    private BsonDocument createLike(LikeRequest request, Operation operation) {
        guard.arrive(operation, request.like);
        member.collections().createLike(request.namespace, request.like, operation);
        return new BsonDocument();
    }

    private BsonDocument untracked(String database, Operation operation) {
        BsonArray names = new BsonArray();
        BsonArray views = new BsonArray();
        for (CollectionEntry entry : member.views().catalog().ofDatabase(database)) {
            if (entry.isView()) {
                views.add(
                        new BsonDocument("ns", new BsonString(entry.namespace().toString()))
                                .append("uuid", new BsonBinary(entry.uuid()))
                                .append("options", entry.options()));
            } else if (entry.ownership().isEmpty()) {
                names.add(new BsonString(entry.namespace().toString()));
            }
        }
        return new BsonDocument("collections", names).append("views", views);
    }

    /** Drops a collection whose documents were all given away and cleaned up; one that holds something stays. */
    private BsonDocument dropEmptied(Namespace namespace, Operation operation) {
        if (member.views().catalog().find(namespace).isPresent() && preparation.isEmpty(namespace)) {
            boolean unused = member.collections().drop(namespace, operation);
        }
        refresher.forget(namespace);
        return new BsonDocument();
    }

    private BsonDocument cleanUp(int one, Operation operation) {
        return new BsonDocument("pending", new BsonInt64(deleter.finishAll()));
    }

    private BsonDocument sizes(int one, Operation operation) {
        BsonDocument bytes = new BsonDocument();
        try (View view = member.view()) {
            for (CollectionEntry entry : view.catalog().all()) {
                if (entry.ownership().isPresent()) {
                    bytes.put(
                            entry.namespace().toString(),
                            new BsonInt64(view.totals(entry).ownedBytes()));
                }
            }
        }
        return new BsonDocument("bytes", bytes);
    }
}
