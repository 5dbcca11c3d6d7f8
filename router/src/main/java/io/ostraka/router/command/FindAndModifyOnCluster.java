package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.WRITE_CONFLICT;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.routing.Routing;
import io.ostraka.router.target.Target;
import io.ostraka.router.target.Targeter;
import io.ostraka.router.write.Picker;
import io.ostraka.router.write.WriteTargets;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.FindAndModifyRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code findAndModify} on a cluster: on the shard the query names, or where a document was picked for it, the first in
 * the sort's order of all shards. A document that is gone by then is picked anew.
 */
final class FindAndModifyOnCluster implements Command<FindAndModifyRequest> {
    private static final int PICKS = 100;

    private final ClusterServices services;
    private final ConfigPassage config;
    private final Picker picker;

    FindAndModifyOnCluster(ClusterServices services) {
        this.services = services;
        this.config = new ConfigPassage(services);
        this.picker = new Picker(services);
    }

    @Override
    public String name() {
        return "findAndModify";
    }

    @Override
    public List<String> aliases() {
        return List.of("findandmodify");
    }

    @Override
    public Needs needs() {
        return Needs.write("update");
    }

    @Override
    public FindAndModifyRequest parse(Fields fields) {
        return FindAndModifyRequest.parse(fields);
    }

    @Override
    public RawDocument run(FindAndModifyRequest request, Operation operation) {
        if (ConfigPassage.concerns(request.database())) {
            ConfigWrites.checkOpen(request.database(), request.collection());
            return config.run(operation, false);
        }
        Namespace namespace = new Namespace(request.database(), request.collection());
        Filter filter =
                FilterParser.parse(request.query().toBson(), Variables.of(request.let(), services.context(operation)));
        return services.retry().run(namespace, operation, routing -> {
            Routing located = request.upsert() ? services.cache().orCreated(routing, operation) : routing;
            return modify(request, filter, located, operation);
        });
    }

    private RawDocument modify(FindAndModifyRequest request, Filter filter, Routing routing, Operation operation) {
        if (routing.isNowhere()) {
            return nothing(request);
        }
        Optional<ShardId> owner = owner(request, filter, routing);
        if (owner.isPresent()) {
            return send(Forward.of(operation), routing, owner.get(), operation);
        }
        Target target = Targeter.of(routing, filter, request.collation());
        for (int picks = 0; picks < PICKS; picks++) {
            Optional<Picker.Found> found = picker.pick(
                    routing, target.shards(), request.query(), request.sort(), request.collation(), 0, operation);
            if (found.isEmpty()) {
                return request.upsert() ? upsert(request, filter, routing, operation) : nothing(request);
            }
            RawBuilder narrowed = Forward.without(operation.request(), Set.of("query", "sort", "upsert"))
                    .put("query", found.get().filter(request.query()));
            RawDocument reply = send(narrowed, routing, found.get().shard(), operation);
            if (touched(reply)) {
                return reply;
            }
        }
        throw WRITE_CONFLICT.because("the documents that match are changed by others all the time");
    }

    /** The one shard that can do it all. */
    private static Optional<ShardId> owner(FindAndModifyRequest request, Filter filter, Routing routing) {
        if (routing.table().isEmpty()) {
            return Optional.of(routing.primary());
        }
        Optional<ShardId> owner = Targeter.ownerByEquality(routing.table().get(), filter);
        if (owner.isPresent() && routing.collation(request.collation()).isSimple()) {
            return owner;
        }
        Target target = Targeter.of(routing, filter, request.collation());
        return target.isSingle() && !request.upsert() ? Optional.of(target.single()) : Optional.empty();
    }

    private RawDocument upsert(FindAndModifyRequest request, Filter filter, Routing routing, Operation operation) {
        ShardId owner = WriteTargets.upsertOwner(
                routing.table().orElseThrow(), filter, request.update().orElseThrow());
        return send(Forward.of(operation), routing, owner, operation);
    }

    private RawDocument send(RawBuilder command, Routing routing, ShardId shard, Operation operation) {
        routing.addVersions(command, shard);
        WriteTargets.addSession(command, operation);
        operation.proposes();
        boolean numbered = operation.options().txnNumber().isPresent();
        ShardRequest request = new ShardRequest(shard, command.build(), Map.of(), numbered);
        RawDocument reply = services.gather()
                .replies(operation.database(), List.of(request), operation)
                .getFirst();
        return Forward.reply(reply);
    }

    private static boolean touched(RawDocument reply) {
        RawCursor last = reply.find("lastErrorObject");
        RawCursor n = last == null ? null : last.document().find("n");
        return n != null && n.value().asNumber().longValue() > 0;
    }

    private static RawDocument nothing(FindAndModifyRequest request) {
        RawBuilder last = new RawBuilder().put("n", 0);
        if (!request.remove()) {
            last.put("updatedExisting", false);
        }
        return new RawBuilder()
                .put("lastErrorObject", last.build())
                .put("value", org.bson.BsonNull.VALUE)
                .build();
    }
}
