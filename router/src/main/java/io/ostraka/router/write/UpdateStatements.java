package io.ostraka.router.write;

import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.UpdateRequest;
import io.ostraka.wire.request.UpdateRequest.Statement;
import java.util.List;
import java.util.Optional;

/** Updates, routed by what they select; see {@link SelectingRoutes}. */
public final class UpdateStatements implements Statements {
    private final List<Statement> statements;
    private final SelectingRoutes routes;

    public UpdateStatements(ClusterServices services, UpdateRequest request, Operation operation) {
        this.statements = request.statements();
        this.routes = new SelectingRoutes(services, request.let(), operation);
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
        Optional<SelectingRoutes.Upsert> upsert = Optional.of(statement)
                .filter(Statement::upsert)
                .map(making -> (table, filter) -> UpsertKey.owner(table, filter, making.update(), making.supplied()));
        return routes.of(statement, index, upsert, routing);
    }
}
