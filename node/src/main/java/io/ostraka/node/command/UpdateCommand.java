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
import io.ostraka.wire.request.UpdateRequest;

/**
 * {@code update}: changes documents that match.
 *
 * <pre>
 * { update: name, updates: [ { q, u, multi?, upsert?, arrayFilters?, hint?, sort? }, … ], ordered? }
 *   →  { n, nModified, upserted: [ { index, _id } ]?, writeErrors? }
 * </pre>
 */
final class UpdateCommand implements Command<UpdateRequest> {
    private final Member member;
    private final Changing changing;

    UpdateCommand(Member member) {
        this.member = member;
        changing = new Changing(member);
    }

    @Override
    public String name() {
        return "update";
    }

    @Override
    public Needs needs() {
        return Needs.write("update");
    }

    @Override
    public UpdateRequest parse(Fields fields) {
        return UpdateRequest.parse(fields);
    }

    static FindQuery query(UpdateRequest.Statement statement, Variables variables, Collation collation) {
        return QueryWords.of(
                        statement.filter(), statement.sort().orElse(RawDocument.EMPTY), statement.hint(), variables)
                .collated(collation);
    }

    @Override
    public RawDocument run(UpdateRequest request, Operation operation) {
        Variables variables = Variables.of(request.let(), member.context(operation::checkAlive));
        Namespace namespace = new Namespace(request.database(), request.collection());
        member.settings().guard().arrive(operation, namespace);
        WriteReply.refuseNumbered(
                operation, request.statements().stream().anyMatch(UpdateRequest.Statement::multi), "multi=true");
        EditStatements statements = new EditStatements(UpdateCommand::result, operation);
        statements.run(
                member,
                request.statements().size(),
                request.ordered(),
                (index, recorded) -> one(
                        namespace,
                        request.statements().get(index),
                        request.bypassValidation(),
                        variables,
                        recorded,
                        operation));
        return statements.answer(true);
    }

    private Editor.Outcome one(
            Namespace namespace,
            UpdateRequest.Statement statement,
            boolean bypassValidation,
            Variables shared,
            Recorded recorded,
            Operation operation) {
        Variables variables = statement
                .constants()
                .map(constants -> shared.with(constants.toBson()))
                .orElse(shared);
        return changing.update(
                namespace,
                query(statement, variables, Reading.collation(member, namespace, statement.collation())),
                statement.update(),
                statement.arrayFilters(),
                variables,
                statement.multi(),
                statement.upsert(),
                statement.supplied(),
                bypassValidation,
                statement.within(),
                recorded,
                operation);
    }

    /** What one statement answers, and is answered again when it is retried. */
    private static RawDocument result(Editor.Outcome outcome) {
        RawBuilder result = new RawBuilder(64)
                .put("n", (int) (outcome.upserted().isPresent() ? 1 : outcome.matched()))
                .put("nModified", (int) outcome.modified());
        outcome.upserted().ifPresent(document -> result.element(document.find("_id")));
        return result.build();
    }
}
