package io.ostraka.router.write;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.routing.Routing;
import io.ostraka.router.target.Target;
import io.ostraka.router.target.Targeter;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.DeleteRequest;
import io.ostraka.wire.request.DeleteRequest.Statement;
import java.util.List;
import java.util.Optional;

/** Deletions; routed as updates are. */
public final class DeleteStatements implements Statements {
    private final List<Statement> statements;
    private final Operation operation;
    private final Picker picker;
    private final Variables variables;

    public DeleteStatements(ClusterServices services, DeleteRequest request, Operation operation) {
        this.statements = request.statements();
        this.operation = operation;
        this.picker = new Picker(services);
        this.variables = Variables.of(request.let(), services.context(operation));
    }

    @Override
    public String field() {
        return "deletes";
    }

    @Override
    public int size() {
        return statements.size();
    }

    @Override
    public boolean create() {
        return false;
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
        Filter filter = FilterParser.parse(statement.filter().toBson(), variables);
        Target target = Targeter.of(routing, filter, statement.collation());
        if (target.isSingle()) {
            return new Route.One(target.single(), statement.raw());
        }
        if (statement.multi()) {
            return new Route.Many(target.shards(), statement.raw());
        }
        Optional<Picker.Found> found = picker.pick(
                routing,
                target.shards(),
                statement.filter(),
                RawDocument.EMPTY,
                statement.collation(),
                index,
                operation);
        return found.<Route>map(
                        one -> new Route.Picked(one.shard(), narrowed(statement, one.filter(statement.filter()))))
                .orElseGet(Route.Nothing::new);
    }

    private static RawDocument narrowed(Statement statement, RawDocument filter) {
        RawBuilder narrowed = new RawBuilder(statement.raw().size() + filter.size()).put("q", filter);
        RawCursor field = statement.raw().cursor();
        while (field.next()) {
            if (!field.nameEquals("q")) {
                narrowed.element(field);
            }
        }
        return narrowed.build();
    }
}
