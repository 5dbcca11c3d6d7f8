package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.CANNOT_CREATE_INDEX;
import static io.ostraka.core.error.ErrorCode.CANNOT_DROP_SHARD_KEY_INDEX;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.MergedCursor;
import io.ostraka.router.gather.OpenOnShards;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.request.CollModRequest;
import io.ostraka.wire.request.CreateIndexesRequest;
import io.ostraka.wire.request.DropIndexesRequest;
import io.ostraka.wire.request.ListIndexesRequest;
import io.ostraka.wire.request.PlanCacheRequest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * {@code createIndexes}, {@code listIndexes}, {@code dropIndexes} and {@code collMod} on a cluster: made, dropped and changed
 * on every shard that has chunks, listed from one. On a sharded collection a unique index must begin with the shard key, and the last index
 * that begins with the shard key cannot be dropped.
 */
final class IndexCommands {
    private final ClusterServices services;
    private final ConfigPassage config;
    private final OpenOnShards opener;

    IndexCommands(ClusterServices services) {
        this.services = services;
        this.config = new ConfigPassage(services);
        this.opener = new OpenOnShards(services.gather(), services.shards(), services.threads(), services.clock());
    }

    List<Command<?>> all() {
        return List.of(
                new CollectionCommands.Of<>("collMod", Needs.write("collMod"), CollModRequest::parse, this::modify),
                new CollectionCommands.Of<>(
                        "createIndexes", Needs.write("createIndex"), CreateIndexesRequest::parse, this::create),
                new CollectionCommands.Of<>(
                        "dropIndexes", Needs.write("dropIndex"), DropIndexesRequest::parse, this::drop),
                plans("planCacheClear"),
                plans("planCacheClearFilters"),
                plans("planCacheListFilters"),
                plans("planCacheSetFilter"),
                new CollectionCommands.Of<>(
                        "listIndexes", Needs.read("listIndexes"), ListIndexesRequest::parse, this::list));
    }

    /** A command about plans, which every shard that has the collection is sent. */
    private Command<?> plans(String name) {
        return new CollectionCommands.Of<>(name, Needs.read(name), PlanCacheRequest::parse, (request, operation) -> {
            Namespace namespace = new Namespace(request.database(), request.collection());
            return services.retry()
                    .run(
                            namespace,
                            operation,
                            routing -> routing.isNowhere()
                                    ? RawDocument.EMPTY
                                    : everywhere(routing, Forward.of(operation).build(), operation));
        });
    }

    private RawDocument create(CreateIndexesRequest request, Operation operation) {
        if (ConfigPassage.concerns(request.database())) {
            return config.run(operation, false);
        }
        Namespace namespace = new Namespace(request.database(), request.collection());
        return services.retry().run(namespace, operation, found -> {
            Routing routing = services.cache().orCreated(found, operation);
            if (routing.isSharded()) {
                ShardKey key = routing.table().orElseThrow().key();
                request.indexes().forEach(index -> checkUnique(key, routing, index));
            }
            return everywhere(routing, Forward.of(operation).build(), operation);
        });
    }

    private static void checkUnique(ShardKey key, Routing routing, RawDocument index) {
        RawCursor unique = index.find("unique");
        RawCursor pattern = index.find("key");
        boolean isUnique = unique != null
                && (unique.isNumber()
                        ? unique.value().asNumber().doubleValue() != 0
                        : unique.value().equals(org.bson.BsonBoolean.TRUE));
        if (!isUnique || pattern == null || !pattern.isDocument()) {
            return;
        }
        List<String> fields = new ArrayList<>(pattern.document().toBson().keySet());
        RawCursor rules = index.find("collation");
        boolean simple = routing.collation(
                        Optional.ofNullable(rules).filter(RawCursor::isDocument).map(RawCursor::document))
                .isSimple();
        boolean isId = fields.equals(List.of("_id"));
        boolean begins = simple
                && fields.size() >= key.size()
                && fields.subList(0, key.size()).equals(key.fields())
                && !key.hasHashed();
        if (!begins && !isId) {
            throw CANNOT_CREATE_INDEX.because(
                    "cannot create unique index over %s with shard key pattern %s: a unique index must begin with the "
                            + "shard key and have the simple collation, or values could repeat on different shards",
                    pattern.document(), key);
        }
    }

    /** Shards without chunks hear of it when they get one. */
    private RawDocument modify(CollModRequest request, Operation operation) {
        if (ConfigPassage.concerns(request.database())) {
            return config.run(operation, false);
        }
        Namespace namespace = new Namespace(request.database(), request.collection());
        return services.retry().run(namespace, operation, routing -> {
            if (routing.isNowhere()) {
                throw NAMESPACE_NOT_FOUND.because("ns does not exist: %s", namespace);
            }
            return everywhere(routing, Forward.of(operation).build(), operation);
        });
    }

    private RawDocument everywhere(Routing routing, RawDocument command, Operation operation) {
        List<ShardRequest> requests = new ArrayList<>();
        for (ShardId shard : routing.shards()) {
            RawBuilder versioned = new RawBuilder(command.size() + 256).elements(command);
            requests.add(ShardRequest.order(
                    shard, routing.addVersions(versioned, shard).build()));
        }
        BsonDocument raw = new BsonDocument();
        BsonDocument first = new BsonDocument();
        Iterator<ShardId> shards = routing.shards().iterator();
        for (RawDocument answer : services.gather().replies(operation.database(), requests, operation)) {
            BsonDocument reply = Forward.reply(answer).toBson();
            raw.append(services.shards().get(shards.next(), operation).connectionString(), reply);
            reply.forEach(first::putIfAbsent);
        }
        BsonDocument reply = new BsonDocument("raw", raw);
        first.forEach(reply::putIfAbsent);
        return RawDocument.of(reply);
    }

    private RawDocument drop(DropIndexesRequest request, Operation operation) {
        if (ConfigPassage.concerns(request.database())) {
            return config.run(operation, false);
        }
        Namespace namespace = new Namespace(request.database(), request.collection());
        return services.retry().run(namespace, operation, routing -> {
            if (routing.isNowhere()) {
                throw NAMESPACE_NOT_FOUND.because("ns not found %s", namespace);
            }
            if (!routing.isSharded()) {
                return everywhere(routing, Forward.of(operation).build(), operation);
            }
            return dropOfSharded(request, routing, operation);
        });
    }

    private RawDocument dropOfSharded(DropIndexesRequest request, Routing routing, Operation operation) {
        ShardKey key = routing.table().orElseThrow().key();
        List<BsonDocument> indexes = indexes(routing, operation);
        List<BsonDocument> gone = indexes.stream()
                .filter(index -> isMeant(request.which(), index, key))
                .toList();
        List<BsonDocument> left =
                indexes.stream().filter(index -> !gone.contains(index)).toList();
        boolean supported = left.stream().anyMatch(index -> supports(index, key));
        if (!supported && !gone.isEmpty()) {
            throw CANNOT_DROP_SHARD_KEY_INDEX.because(
                    "Cannot drop the only shard key index of %s: create another that begins with %s first",
                    routing.namespace(), key);
        }
        boolean all = request.which() instanceof DropIndexesRequest.Which.All;
        if (!all) {
            return everywhere(routing, Forward.of(operation).build(), operation);
        }
        if (gone.isEmpty()) {
            return RawDocument.of(new BsonDocument("nIndexesWas", new BsonInt32(indexes.size())));
        }
        BsonArray names = new BsonArray();
        gone.forEach(index -> names.add(index.get("name")));
        RawDocument command = Forward.without(operation.request(), Set.of("index"))
                .put("index", (org.bson.BsonValue) names)
                .build();
        return everywhere(routing, command, operation);
    }

    private static boolean supports(BsonDocument index, ShardKey key) {
        return !index.containsKey("collation") && key.isSupportedBy(index.getDocument("key"));
    }

    /** Whether an index goes. All means all but that of _id and those that the shard key stands on. */
    private static boolean isMeant(DropIndexesRequest.Which which, BsonDocument index, ShardKey key) {
        BsonString name = index.getString("name");
        return switch (which) {
            case DropIndexesRequest.Which.All all -> !name.getValue().equals("_id_") && !supports(index, key);
            case DropIndexesRequest.Which.Named named -> named.names().contains(name.getValue());
            case DropIndexesRequest.Which.ByKey byKey ->
                index.getDocument("key").equals(byKey.pattern().toBson());
        };
    }

    /** The indexes of a collection, as one of its shards lists them. */
    List<BsonDocument> indexes(Routing routing, Operation operation) {
        List<BsonDocument> all = new ArrayList<>();
        OpenOnShards.Opened opened = opener.open(
                routing.namespace().database(),
                Set.of(one(routing)),
                shard -> routing.addVersions(
                                new RawBuilder()
                                        .put("listIndexes", routing.namespace().collection()),
                                shard)
                        .build(),
                false,
                operation);
        opened.cursors().getFirst().forEach(operation, index -> all.add(index.toBson()));
        return all;
    }

    private static ShardId one(Routing routing) {
        return routing.shards().iterator().next();
    }

    private RawDocument list(ListIndexesRequest request, Operation operation) {
        BatchReply batch =
                BatchReply.first(request.namespace(), request.batchSize().orElse(Integer.MAX_VALUE));
        if (ConfigPassage.concerns(request.database())) {
            return config.open(operation, request.namespace(), batch.maxDocuments(), false);
        }
        Namespace namespace = new Namespace(request.database(), request.collection());
        MergedCursor cursor = services.retry().run(namespace, operation, routing -> {
            if (routing.isNowhere()) {
                throw NAMESPACE_NOT_FOUND.because("ns does not exist: %s", namespace);
            }
            OpenOnShards.Opened opened = opener.open(
                    request.database(),
                    Set.of(one(routing)),
                    shard -> routing.addVersions(Forward.of(operation), shard).build(),
                    false,
                    operation);
            return new MergedCursor(opened.cursors(), MergedCursor.Shape.PLAIN, services.threads(), services.clock());
        });
        return services.cursors().open(cursor, request.namespace(), batch, false, false, operation);
    }
}
