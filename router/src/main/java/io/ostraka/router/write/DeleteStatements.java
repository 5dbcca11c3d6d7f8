package io.ostraka.router.write;

import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.DeleteRequest;
import io.ostraka.wire.request.DeleteRequest.Statement;
import java.util.List;
import java.util.Optional;

/** Deletions, routed by what they select; see {@link SelectingRoutes}. */
public final class DeleteStatements implements Statements {
    private final List<Statement> statements;
    private final SelectingRoutes routes;

    public DeleteStatements(ClusterServices services, DeleteRequest request, Operation operation) {
        this.statements = request.statements();
        this.routes = new SelectingRoutes(services, request.let(), operation);
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
        return routes.of(statements.get(index), index, Optional.empty(), routing);
    }
}
