package io.ostraka.router.write;

import static io.ostraka.core.error.ErrorCode.SHARD_KEY_NOT_FOUND;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.routing.Routing;
import io.ostraka.router.target.Target;
import io.ostraka.router.target.Targeter;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.Selecting;
import java.util.Optional;

/**
 * Where updates and deletes go. One that names its shard goes there; one of many documents to all that can hold any; one
 * of a single document that may be anywhere to where one was picked. An upsert that finds nothing goes to the owner of
 * the key its document would have.
 */
final class SelectingRoutes {
    /** The shard of the document that an upsert would make. */
    @FunctionalInterface
    interface Upsert {
        /** @throws io.ostraka.core.error.CommandException 61 where that cannot be told before the update has run */
        ShardId owner(RoutingTable table, Filter filter);
    }

    private final Picker picker;
    private final Variables variables;
    private final Operation operation;

    SelectingRoutes(ClusterServices services, Optional<RawDocument> let, Operation operation) {
        this.picker = new Picker(services);
        this.variables = Variables.of(let, services.context(operation));
        this.operation = operation;
    }

    /** @param upsert nothing for a statement that makes no document */
    Route of(Selecting statement, int index, Optional<Upsert> upsert, Routing routing) {
        if (routing.isNowhere()) {
            return new Route.Nothing();
        }
        if (routing.table().isEmpty()) {
            return new Route.One(routing.primary(), statement.raw());
        }
        RoutingTable table = routing.table().get();
        Filter filter = FilterParser.parse(statement.filter().toBson(), variables);
        Optional<ShardId> owner = Targeter.ownerByEquality(table, filter);
        if (owner.isPresent() && routing.collation(statement.collation()).isSimple()) {
            return new Route.One(owner.get(), statement.raw());
        }
        Target target = Targeter.of(routing, filter, statement.collation());
        Optional<ShardId> fresh = upsert.isPresent() && statement.multi()
                ? Optional.of(upsert.get().owner(table, filter))
                : Optional.empty();
        if (fresh.isPresent()) {
            // Only where all that matches lies on the shard of the new document can one shard decide to make it.
            if (target.isSingle() && target.single().equals(fresh.get())) {
                return new Route.One(fresh.get(), statement.raw());
            }
            throw SHARD_KEY_NOT_FOUND.because(
                    "an upsert of many documents must name the whole shard key %s in its filter", table.key());
        }
        if (target.isSingle() && upsert.isEmpty()) {
            return new Route.One(target.single(), statement.raw());
        }
        if (statement.multi()) {
            return new Route.Many(target.shards(), statement.raw());
        }
        Optional<Picker.Found> found = pick(statement, index, target, routing);
        if (found.isPresent()) {
            return new Route.Picked(
                    found.get().shard(), narrowed(statement, found.get().filter(statement.filter())));
        }
        return upsert.<Route>map(made -> new Route.One(made.owner(table, filter), statement.raw()))
                .orElseGet(Route.Nothing::new);
    }

    private Optional<Picker.Found> pick(Selecting statement, int index, Target target, Routing routing) {
        return picker.pick(
                routing,
                target.shards(),
                statement.filter(),
                statement.sort().orElse(RawDocument.EMPTY),
                statement.collation(),
                index,
                operation);
    }

    /** The statement for one document: it makes none, and its filter matches that one only. */
    private static RawDocument narrowed(Selecting statement, RawDocument filter) {
        RawBuilder narrowed = new RawBuilder(statement.raw().size() + filter.size()).put("q", filter);
        RawCursor field = statement.raw().cursor();
        while (field.next()) {
            if (!field.nameEquals("q") && !field.nameEquals("upsert") && !field.nameEquals("sort")) {
                narrowed.element(field);
            }
        }
        return narrowed.build();
    }
}
