package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.Editor;
import io.ostraka.node.write.HeldSession;
import io.ostraka.node.write.Recorded;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.projection.Projector;
import io.ostraka.query.run.RunContext;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.FindAndModifyRequest;
import java.util.List;
import java.util.Optional;
import org.bson.BsonNull;

/**
 * {@code findAndModify}: changes or deletes one document and answers it as it was, or as it is now.
 *
 * <pre>
 * { findAndModify: name, query?, sort?, update | remove: true, new?, upsert?, fields?, arrayFilters?, hint? }
 *   →  { lastErrorObject: { n, updatedExisting?, upserted? }, value: document or null }
 * </pre>
 */
final class FindAndModifyCommand implements Command<FindAndModifyRequest> {
    private final Member member;
    private final Changing changing;

    FindAndModifyCommand(Member member) {
        this.member = member;
        changing = new Changing(member);
    }

    @Override
    public String name() {
        return "findAndModify";
    }

    @Override
    public List<String> aliases() {
        return List.of("findandmodify");
    }

    @Override
    public Needs needs() {
        return Needs.write("findAndModify");
    }

    @Override
    public FindAndModifyRequest parse(Fields fields) {
        return FindAndModifyRequest.parse(fields);
    }

    static FindQuery query(FindAndModifyRequest request, Variables variables, Collation collation) {
        return QueryWords.of(request.query(), request.sort(), request.hint(), variables)
                .collated(collation);
    }

    @Override
    public RawDocument run(FindAndModifyRequest request, Operation operation) {
        Variables variables = Variables.of(request.let(), member.context(operation::checkAlive));
        Namespace namespace = new Namespace(request.database(), request.collection());
        FindQuery query = query(request, variables, Reading.collation(member, namespace, request.collation()));
        member.settings().guard().arrive(operation, namespace);
        try (HeldSession session = member.sessions().hold(operation)) {
            int number = operation.options().statement(0);
            Optional<RawDocument> first = session.first(number);
            if (first.isPresent()) {
                return finish(new RawBuilder().elements(first.get()).put("retriedStmtId", number));
            }
            Recorded recorded = Recorded.one(session, number, outcome -> answer(request, query, outcome, operation));
            Editor.Outcome outcome = request.remove()
                    ? changing.delete(namespace, query, false, Optional.empty(), recorded, operation)
                    : changing.update(
                            namespace,
                            query,
                            request.update().orElseThrow(),
                            request.arrayFilters(),
                            variables,
                            false,
                            request.upsert(),
                            Optional.empty(),
                            request.bypassValidation(),
                            Optional.empty(),
                            recorded,
                            operation);
            return finish(new RawBuilder().elements(answer(request, query, outcome, operation)));
        }
    }

    private static RawDocument finish(RawBuilder reply) {
        return WriteReply.finish(reply, List.of());
    }

    /** What is answered, and is answered again with the same documents when the write is retried. */
    private RawDocument answer(
            FindAndModifyRequest request, FindQuery query, Editor.Outcome outcome, Operation operation) {
        RawBuilder reply = new RawBuilder().openDocument("lastErrorObject");
        if (request.remove()) {
            reply.put("n", (int) outcome.modified()).close();
            return value(reply, request, query, outcome.before(), operation).build();
        }
        boolean existed = outcome.matched() > 0;
        reply.put("n", existed || outcome.upserted().isPresent() ? 1 : 0).put("updatedExisting", existed);
        outcome.upserted().ifPresent(document -> reply.value("upserted", document.find("_id")));
        Optional<RawDocument> shown = request.answerNew() ? outcome.after() : outcome.before();
        return value(reply.close(), request, query, shown, operation).build();
    }

    private RawBuilder value(
            RawBuilder reply,
            FindAndModifyRequest request,
            FindQuery query,
            Optional<RawDocument> document,
            Operation operation) {
        if (document.isEmpty()) {
            return reply.put("value", BsonNull.VALUE);
        }
        if (request.projection().isEmpty()) {
            return reply.put("value", document.get());
        }
        RunContext context = member.context(operation::checkAlive).with(query.collation());
        Variables variables = Variables.of(request.let(), context);
        Projector projector =
                Projector.of(Projection.parseFind(request.projection(), variables), query.filter(), context);
        return reply.put("value", projector.apply(document.get()));
    }
}
