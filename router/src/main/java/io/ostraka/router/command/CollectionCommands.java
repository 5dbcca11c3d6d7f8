package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.COMMAND_FAILED;
import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_EXISTS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.Namespace;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.routing.DatabasePlacement;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.CreateRequest;
import io.ostraka.wire.request.RenameRequest;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * {@code create}, {@code drop}, {@code dropDatabase} and {@code renameCollection} on a cluster. What is
 * tracked is changed by the config servers; what is not, by its database's primary shard.
 */
final class CollectionCommands {
    /** A command from its grammar and its rule. */
    record Of<R>(String name, Needs needs, Function<Fields, R> grammar, BiFunction<R, Operation, RawDocument> rule)
            implements Command<R> {
        @Override
        public R parse(Fields fields) {
            return grammar.apply(fields);
        }

        @Override
        public RawDocument run(R request, Operation operation) {
            return rule.apply(request, operation);
        }
    }

    private final ClusterServices services;
    private final ConfigPassage config;

    CollectionCommands(ClusterServices services) {
        this.services = services;
        this.config = new ConfigPassage(services);
    }

    List<Command<?>> all() {
        return List.of(
                new Of<>("create", Needs.write("createCollection"), CreateRequest::parse, this::create),
                new Of<>("drop", Needs.write("dropCollection"), CollectionCommands::named, this::drop),
                new Of<>(
                        "dropDatabase",
                        Needs.database("dropDatabase", Needs.Kind.WRITE),
                        Fields::database,
                        this::dropDatabase),
                new Of<>(
                        "renameCollection",
                        Needs.admin("renameCollection", Needs.Kind.WRITE),
                        RenameRequest::parse,
                        this::rename));
    }

    private static Namespace named(Fields fields) {
        fields.value("collectionUUID");
        return new Namespace(fields.database(), fields.collection());
    }

    private RawDocument create(CreateRequest request, Operation operation) {
        if (ConfigPassage.concerns(request.database())) {
            return config.run(operation, false);
        }
        Namespace namespace = new Namespace(request.database(), request.collection());
        return services.retry().run(namespace, operation, routing -> {
            if (routing.table().isPresent()) {
                throw NAMESPACE_EXISTS.because("Collection %s already exists.", namespace);
            }
            return toPrimary(services.cache().orCreated(routing, operation), operation);
        });
    }

    private RawDocument toPrimary(Routing routing, Operation operation) {
        RawDocument command =
                routing.addVersions(Forward.of(operation), routing.primary()).build();
        return Forward.reply(services.gather()
                .replies(operation.database(), List.of(ShardRequest.order(routing.primary(), command)), operation)
                .getFirst());
    }

    RawDocument drop(Namespace namespace, Operation operation) {
        if (ConfigPassage.concerns(namespace.database())) {
            ConfigWrites.checkOpen(namespace.database(), namespace.collection());
            return config.run(operation, false);
        }
        RawDocument done = RawDocument.of(new BsonDocument("ns", new BsonString(namespace.toString())));
        if (dropTracked(namespace, operation)) {
            return done;
        }
        try {
            return services.retry().run(namespace, operation, routing -> {
                if (routing.isNowhere()) {
                    return RawDocument.EMPTY;
                }
                if (routing.table().isEmpty()) {
                    return toPrimary(routing, operation);
                }
                if (dropTracked(namespace, operation)) {
                    return done;
                }
                throw changed(namespace);
            });
        } catch (CommandException missing) {
            if (missing.code() == ErrorCode.NAMESPACE_NOT_FOUND) {
                return RawDocument.EMPTY; // dropping what is not there has been no error since 7.0
            }
            throw missing;
        }
    }

    private boolean dropTracked(Namespace namespace, Operation operation) {
        BsonDocument reply = services.config()
                .order(new BsonDocument("_configsvrDropCollection", new BsonString(namespace.toString())), operation);
        services.cache().forget(namespace);
        return reply.getBoolean("dropped", BsonBoolean.FALSE).getValue();
    }

    /**
     * A collection that was not tracked a moment ago is, or the other way round. Never answered by sending the primary
     * what concerns all shards: it would agree, and only its part would go.
     */
    private static CommandException changed(Namespace namespace) {
        return ErrorCode.STALE_CONFIG.because("%s began or ceased to be sharded meanwhile; try again", namespace);
    }

    private RawDocument dropDatabase(String database, Operation operation) {
        if (ConfigPassage.concerns(database)) {
            throw ILLEGAL_OPERATION.because("Cannot drop '%s' database while the cluster runs", database);
        }
        services.config().order(new BsonDocument("_configsvrDropDatabase", new BsonString(database)), operation);
        services.cache().forgetDatabase(database);
        return RawDocument.of(new BsonDocument("dropped", new BsonString(database)));
    }

    RawDocument rename(RenameRequest request, Operation operation) {
        Namespace from = Namespace.parse(request.from());
        Namespace to = Namespace.parse(request.to());
        if (ConfigPassage.concerns(from.database()) || ConfigPassage.concerns(to.database())) {
            throw ILLEGAL_OPERATION.because("collections of the databases admin and config cannot be renamed");
        }
        if (renameTracked(from, to, request.dropTarget(), operation)) {
            return RawDocument.EMPTY;
        }
        return services.retry().run(from, operation, routing -> {
            if (routing.isNowhere()) {
                throw NAMESPACE_NOT_FOUND.because("Source collection %s does not exist", from);
            }
            if (routing.table().isPresent()) {
                if (renameTracked(from, to, request.dropTarget(), operation)) {
                    return RawDocument.EMPTY;
                }
                throw changed(from);
            }
            DatabasePlacement target = to.database().equals(from.database())
                    ? routing.database().orElseThrow()
                    : services.cache().createDatabase(to.database(), operation);
            if (!target.primary().equals(routing.primary())) {
                throw COMMAND_FAILED.because(
                        "Source and destination collections must be on same shard: %s is on %s, %s on %s",
                        from.database(), routing.primary(), to.database(), target.primary());
            }
            return toPrimary(routing, operation);
        });
    }

    private boolean renameTracked(Namespace from, Namespace to, boolean dropTarget, Operation operation) {
        BsonDocument order = new BsonDocument("_configsvrRenameCollection", new BsonString(from.toString()))
                .append("to", new BsonString(to.toString()))
                .append("dropTarget", BsonBoolean.valueOf(dropTarget));
        BsonDocument reply = services.config().order(order, operation);
        services.cache().forget(from);
        services.cache().forget(to);
        return reply.getBoolean("renamed", BsonBoolean.FALSE).getValue();
    }
}
