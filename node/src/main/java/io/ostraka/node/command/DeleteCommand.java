package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.Editor;
import io.ostraka.node.write.Recorded;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.DeleteRequest;

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

    static FindQuery query(DeleteRequest.Statement statement, Variables variables, Collation collation) {
        return QueryWords.of(statement.filter(), RawDocument.EMPTY, statement.hint(), variables)
                .collated(collation);
    }

    @Override
    public RawDocument run(DeleteRequest request, Operation operation) {
        Variables variables = Variables.of(request.let(), member.context(operation::checkAlive));
        Namespace namespace = new Namespace(request.database(), request.collection());
        member.settings().guard().arrive(operation, namespace);
        WriteReply.refuseNumbered(
                operation, request.statements().stream().anyMatch(DeleteRequest.Statement::multi), "limit=0");
        EditStatements statements = new EditStatements(DeleteCommand::result, operation);
        statements.run(
                member,
                request.statements().size(),
                request.ordered(),
                (index, recorded) -> one(namespace, request.statements().get(index), variables, recorded, operation));
        return statements.answer(false);
    }

    private Editor.Outcome one(
            Namespace namespace,
            DeleteRequest.Statement statement,
            Variables variables,
            Recorded recorded,
            Operation operation) {
        return changing.delete(
                namespace,
                query(statement, variables, Reading.collation(member, namespace, statement.collation())),
                statement.multi(),
                statement.within(),
                recorded,
                operation);
    }

    private static RawDocument result(Editor.Outcome outcome) {
        return new RawBuilder().put("n", (int) outcome.modified()).build();
    }
}
