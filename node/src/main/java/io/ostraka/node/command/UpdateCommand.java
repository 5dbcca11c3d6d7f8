package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
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
import io.ostraka.wire.request.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    static FindQuery query(UpdateRequest.Statement statement, Variables variables) {
        QueryWords.refuse(statement.collation(), "a collation");
        return QueryWords.of(
                statement.filter(), statement.sort().orElse(RawDocument.EMPTY), statement.hint(), variables);
    }

    @Override
    public RawDocument run(UpdateRequest request, Operation operation) {
        Variables variables = Variables.of(request.let(), member.context(operation::checkAlive));
        Namespace namespace = new Namespace(request.database(), request.collection());
        member.settings().guard().arrive(operation, namespace);
        WriteReply.refuseNumbered(
                operation, request.statements().stream().anyMatch(UpdateRequest.Statement::multi), "multi=true");
        try (HeldSession session = member.sessions().hold(operation)) {
            Sum sum = new Sum();
            for (int i = 0; i < request.statements().size(); i++) {
                int number = operation.options().statement(i);
                Optional<RawDocument> first = session.first(number);
                try {
                    if (first.isPresent()) {
                        sum.retried.add(number);
                        sum.add(i, first.get());
                    } else {
                        Recorded recorded = Recorded.one(session, number, UpdateCommand::result);
                        RawDocument result = result(one(
                                namespace,
                                request.statements().get(i),
                                request.bypassValidation(),
                                variables,
                                recorded,
                                operation));
                        session.idle(number, result);
                        sum.add(i, result);
                    }
                } catch (CommandException refused) {
                    if (WriteReply.endsAll(refused)
                            || refused.code().kind() == ErrorCode.Kind.ROUTING && sum.isEmpty()) {
                        throw refused;
                    }
                    sum.errors.add(new WriteError(i, refused));
                    if (request.ordered()) {
                        break;
                    }
                }
            }
            return sum.answer(operation);
        }
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
                query(statement, variables),
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

    /** The statements' results added up. */
    private static final class Sum {
        private long n;
        private long modified;
        private int done;
        private final List<RawDocument> upserted = new ArrayList<>();
        private final List<Integer> retried = new ArrayList<>();
        private final List<WriteError> errors = new ArrayList<>();

        boolean isEmpty() {
            return done == 0 && errors.isEmpty();
        }

        void add(int index, RawDocument result) {
            done++;
            n += result.find("n").int32();
            modified += result.find("nModified").int32();
            RawCursor id = result.find("_id");
            if (id != null) {
                upserted.add(new RawBuilder().put("index", index).element(id).build());
            }
        }

        RawDocument answer(Operation operation) {
            RawBuilder reply = new RawBuilder().put("n", (int) n).put("nModified", (int) modified);
            if (!upserted.isEmpty()) {
                reply.openArray("upserted");
                for (int i = 0; i < upserted.size(); i++) {
                    reply.put(Integer.toString(i), upserted.get(i));
                }
                reply.close();
            }
            WriteReply.retried(reply, retried);
            return WriteReply.finish(reply, errors, operation);
        }
    }
}
