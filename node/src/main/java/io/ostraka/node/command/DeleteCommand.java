package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.WriteError;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.DeleteRequest;
import io.ostraka.wire.session.RetryableWrites;
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
    private final RetryableWrites retryable;

    DeleteCommand(Member member, RetryableWrites retryable) {
        this.member = member;
        this.retryable = retryable;
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
        List<WriteError> errors = new ArrayList<>();
        try (RetryableWrites.Held held = retryable.hold(operation)) {
            for (int i = 0; i < request.statements().size(); i++) {
                int number = Statements.number(operation, i);
                Optional<RawDocument> first = held.first(number);
                try {
                    RawDocument result = first.isPresent()
                            ? first.get()
                            : one(namespace, request.statements().get(i), variables, operation);
                    held.record(number, result);
                    n += result.find("n").int32();
                    done++;
                } catch (CommandException refused) {
                    if (refused.code().kind() == ErrorCode.Kind.ROUTING && done == 0 && errors.isEmpty()) {
                        throw refused;
                    }
                    errors.add(new WriteError(i, refused));
                    if (request.ordered()) {
                        break;
                    }
                }
            }
        }
        return WriteReply.finish(new RawBuilder().put("n", (int) n), errors, operation);
    }

    private RawDocument one(
            Namespace namespace, DeleteRequest.Statement statement, Variables variables, Operation operation) {
        long deleted = changing.delete(
                        namespace, query(statement, variables), statement.multi(), statement.within(), operation)
                .modified();
        return new RawBuilder().put("n", (int) deleted).build();
    }
}
