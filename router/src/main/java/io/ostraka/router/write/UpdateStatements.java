package io.ostraka.router.write;

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
import io.ostraka.wire.request.UpdateRequest;
import io.ostraka.wire.request.UpdateRequest.Statement;
import java.util.List;
import java.util.Optional;

/**
 * Updates. One that names its shard goes there; one of many documents to all that can hold any; one of a single
 * document that may be anywhere to where one was picked. An upsert that finds nothing goes to the owner of the key its
 * document would have.
 */
public final class UpdateStatements implements Statements {
    private final List<Statement> statements;
    private final Operation operation;
    private final Picker picker;
    private final Variables variables;

    public UpdateStatements(ClusterServices services, UpdateRequest request, Operation operation) {
        this.statements = request.statements();
        this.operation = operation;
        this.picker = new Picker(services);
        this.variables = Variables.of(request.let(), services.context(operation));
    }

    @Override
    public String field() {
        return "updates";
    }

    @Override
    public int size() {
        return statements.size();
    }

    @Override
    public boolean create() {
        return statements.stream().anyMatch(Statement::upsert);
    }

    @Override
    public Route route(int index, Routing routing) {
        Statement statement = statements.get(index);
        if (routing.isNowhere()) {
            return new Route.Nothing();
        }
        if (routing.table().isEmpty()) {
            return new Route.One(routing.primary(), statement.raw());
        }
        RoutingTable table = routing.table().get();
        Filter filter = FilterParser.parse(statement.filter().toBson(), variables);
        Optional<ShardId> owner = Targeter.ownerByEquality(table, filter);
        if (owner.isPresent() && statement.collation().isEmpty()) {
            return new Route.One(owner.get(), statement.raw());
        }
        Target target = Targeter.of(routing, filter, statement.collation());
        if (statement.multi()) {
            return many(statement, target, table, filter);
        }
        if (target.isSingle() && !statement.upsert()) {
            return new Route.One(target.single(), statement.raw());
        }
        return picked(index, routing, target, filter);
    }

    private static Route many(Statement statement, Target target, RoutingTable table, Filter filter) {
        if (statement.upsert()) {
            // Only where all that matches lies on the shard of the new document can one shard decide to make it.
            ShardId owner = UpsertKey.owner(table, filter, statement.update(), statement.supplied());
            if (target.isSingle() && target.single().equals(owner)) {
                return new Route.One(owner, statement.raw());
            }
            throw io.ostraka.core.error.ErrorCode.SHARD_KEY_NOT_FOUND.because(
                    "an upsert of many documents must name the whole shard key %s in its filter", table.key());
        }
        return target.isSingle()
                ? new Route.One(target.single(), statement.raw())
                : new Route.Many(target.shards(), statement.raw());
    }

    private Route picked(int index, Routing routing, Target target, Filter filter) {
        Statement statement = statements.get(index);
        Optional<Picker.Found> found = picker.pick(
                routing,
                target.shards(),
                statement.filter(),
                statement.sort().orElse(RawDocument.EMPTY),
                statement.collation(),
                index,
                operation);
        if (found.isPresent()) {
            return new Route.Picked(
                    found.get().shard(), narrowed(statement, found.get().filter(statement.filter())));
        }
        if (!statement.upsert()) {
            return new Route.Nothing();
        }
        ShardId owner =
                UpsertKey.owner(routing.table().orElseThrow(), filter, statement.update(), statement.supplied());
        return new Route.One(owner, statement.raw());
    }

    /** The statement for one document: it makes none, and its filter matches that one only. */
    private static RawDocument narrowed(Statement statement, RawDocument filter) {
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
