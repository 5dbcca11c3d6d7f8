package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.Editor;
import io.ostraka.node.write.HeldSession;
import io.ostraka.node.write.Recorded;
import io.ostraka.node.write.WriteError;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.DeleteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code delete}: takes documents away.
 *
 * <pre>{ delete: name, deletes: [ { q, limit: 0|1, hint? }, … ], ordered? }  →  { n, writeErrors? }</pre>
 */
final class DeleteCommand implements Command<DeleteRequest> {
    private final Member member;
    private final Changing changing;

    DeleteCommand(Member member) {
        this.member = member;
        changing = new Changing(member);
    }

    @Override
    public String name() {
        return "delete";
    }

    @Override
    public Needs needs() {
        return Needs.write("remove");
    }

    @Override
    public DeleteRequest parse(Fields fields) {
        return DeleteRequest.parse(fields);
    }

    static FindQuery query(DeleteRequest.Statement statement, Variables variables) {
        QueryWords.refuse(statement.collation(), "a collation");
        return QueryWords.of(statement.filter(), RawDocument.EMPTY, statement.hint(), variables);
    }

    @Override
    public RawDocument run(DeleteRequest request, Operation operation) {
        Variables variables = Variables.of(request.let(), member.context(operation::checkAlive));
        Namespace namespace = new Namespace(request.database(), request.collection());
        member.settings().guard().arrive(operation, namespace);
        long n = 0;
        int done = 0;
        List<Integer> retried = new ArrayList<>();
        List<WriteError> errors = new ArrayList<>();
        WriteReply.refuseNumbered(
                operation, request.statements().stream().anyMatch(DeleteRequest.Statement::multi), "limit=0");
        try (HeldSession session = member.sessions().hold(operation)) {
            for (int i = 0; i < request.statements().size(); i++) {
                int number = operation.options().statement(i);
                Optional<RawDocument> first = session.first(number);
                try {
                    RawDocument result;
                    if (first.isPresent()) {
                        result = first.get();
                        retried.add(number);
                    } else {
                        Recorded recorded = Recorded.one(session, number, DeleteCommand::result);
                        result = result(one(namespace, request.statements().get(i), variables, recorded, operation));
                        session.idle(number, result);
                    }
                    n += result.find("n").int32();
                    done++;
                } catch (CommandException refused) {
                    if (WriteReply.endsAll(refused)
                            || refused.code().kind() == ErrorCode.Kind.ROUTING && done == 0 && errors.isEmpty()) {
                        throw refused;
                    }
                    errors.add(new WriteError(i, refused));
                    if (request.ordered()) {
                        break;
                    }
                }
            }
        }
        RawBuilder reply = new RawBuilder().put("n", (int) n);
        WriteReply.retried(reply, retried);
        return WriteReply.finish(reply, errors, operation);
    }

    private Editor.Outcome one(
            Namespace namespace,
            DeleteRequest.Statement statement,
            Variables variables,
            Recorded recorded,
            Operation operation) {
        return changing.delete(
                namespace, query(statement, variables), statement.multi(), statement.within(), recorded, operation);
    }

    private static RawDocument result(Editor.Outcome outcome) {
        return new RawBuilder().put("n", (int) outcome.modified()).build();
    }
}
