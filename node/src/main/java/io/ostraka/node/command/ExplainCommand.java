package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_FOUND;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.core.placement.Namespace;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.request.CountRequest;
import io.ostraka.wire.request.DeleteRequest;
import io.ostraka.wire.request.DistinctRequest;
import io.ostraka.wire.request.ExplainRequest;
import io.ostraka.wire.request.FindAndModifyRequest;
import io.ostraka.wire.request.FindRequest;
import io.ostraka.wire.request.UpdateRequest;
import java.util.Optional;

/**
 * {@code explain}: how a command would be answered.
 *
 * <pre>
 * { explain: { find | count | distinct | aggregate | update | delete | findAndModify: … }, verbosity? }
 *   →  { explainVersion, queryPlanner, executionStats?, command, serverInfo }
 * </pre>
 *
 * Writes are planned and their documents found, and nothing is written.
 */
final class ExplainCommand implements Command<ExplainRequest> {
    private final Explaining explaining;
    private final AggregateCommand aggregate;

    /** @param aggregate follows views */
    ExplainCommand(Explaining explaining, AggregateCommand aggregate) {
        this.aggregate = aggregate;
        this.explaining = explaining;
    }

    @Override
    public String name() {
        return "explain";
    }

    @Override
    public Needs needs() {
        return Needs.database("find", Needs.Kind.READ);
    }

    @Override
    public ExplainRequest parse(Fields fields) {
        return ExplainRequest.parse(fields);
    }

    @Override
    public RawDocument run(ExplainRequest request, Operation operation) {
        Fields fields = request.fields();
        String name =
                request.command().firstName() == null ? "" : request.command().firstName();
        return switch (name) {
            case "find" -> {
                FindRequest find = FindRequest.parse(fields);
                if (isView(request, find.collection(), operation)) {
                    yield overView(request, AggregateRequest.of(find), operation);
                }
                yield shown(
                        request,
                        find.collection(),
                        QueryWords.of(
                                find,
                                explaining
                                        .context(operation)
                                        .with(collation(request, find.collection(), find.collation()))),
                        Optional.empty(),
                        operation);
            }
            case "count" -> {
                CountRequest count = CountRequest.parse(fields);
                if (isView(request, count.collection(), operation)) {
                    yield overView(request, AggregateRequest.of(count), operation);
                }
                FindQuery query = CountCommand.query(count, collation(request, count.collection(), count.collation()))
                        .skipping(count.skip())
                        .limited(count.limit());
                yield shown(request, count.collection(), query, Optional.empty(), operation);
            }
            case "distinct" -> {
                DistinctRequest distinct = DistinctRequest.parse(fields);
                if (isView(request, distinct.collection(), operation)) {
                    yield overView(request, AggregateRequest.of(distinct), operation);
                }
                yield explaining.distinct(
                        new Namespace(request.database(), distinct.collection()),
                        DistinctCommand.query(
                                distinct, collation(request, distinct.collection(), distinct.collation())),
                        FieldPath.of(distinct.key()),
                        request.command(),
                        request.verbosity(),
                        operation);
            }
            case "aggregate" -> {
                // Inside explain a pipeline needs no cursor option.
                yield overView(request, AggregateRequest.parse(withCursor(request)), operation);
            }
            case "update" -> {
                UpdateRequest update = UpdateRequest.parse(fields);
                FindQuery query = UpdateCommand.query(
                        update.statements().getFirst(),
                        Variables.of(update.let(), explaining.context(operation)),
                        collation(
                                request,
                                update.collection(),
                                update.statements().getFirst().collation()));
                yield shown(request, update.collection(), query, Optional.of(new Explaining.Root("UPDATE")), operation);
            }
            case "delete" -> {
                DeleteRequest delete = DeleteRequest.parse(fields);
                FindQuery query = DeleteCommand.query(
                        delete.statements().getFirst(),
                        Variables.of(delete.let(), explaining.context(operation)),
                        collation(
                                request,
                                delete.collection(),
                                delete.statements().getFirst().collation()));
                yield shown(request, delete.collection(), query, Optional.of(new Explaining.Root("DELETE")), operation);
            }
            case "findAndModify", "findandmodify" -> {
                FindAndModifyRequest modify = FindAndModifyRequest.parse(fields);
                String stage = modify.remove() ? "DELETE" : "UPDATE";
                yield shown(
                        request,
                        modify.collection(),
                        FindAndModifyCommand.query(
                                        modify,
                                        Variables.of(modify.let(), explaining.context(operation)),
                                        collation(request, modify.collection(), modify.collation()))
                                .limited(1),
                        Optional.of(new Explaining.Root(stage)),
                        operation);
            }
            default -> throw COMMAND_NOT_FOUND.because("Explain failed due to unknown command: %s", name);
        };
    }

    private Collation collation(ExplainRequest request, String collection, Optional<RawDocument> asked) {
        return explaining.collation(new Namespace(request.database(), collection), asked);
    }

    private boolean isView(ExplainRequest request, String collection, Operation operation) {
        return explaining.isView(new Namespace(request.database(), collection), operation);
    }

    private RawDocument overView(ExplainRequest request, AggregateRequest over, Operation operation) {
        return explaining.aggregate(
                aggregate.resolved(over, operation), request.command(), request.verbosity(), operation);
    }

    private static Fields withCursor(ExplainRequest request) {
        if (request.command().find("cursor") != null) {
            return request.fields();
        }
        RawDocument command = new io.ostraka.core.bson.RawBuilder()
                .elements(request.command())
                .put("cursor", RawDocument.EMPTY)
                .build();
        return new Fields("aggregate", request.database(), command, java.util.Map.of());
    }

    private RawDocument shown(
            ExplainRequest request,
            String collection,
            FindQuery query,
            Optional<Explaining.Root> root,
            Operation operation) {
        return explaining.query(
                new Namespace(request.database(), collection),
                query,
                root,
                request.command(),
                request.verbosity(),
                operation);
    }
}
