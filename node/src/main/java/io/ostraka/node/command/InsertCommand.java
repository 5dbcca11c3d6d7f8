package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.HeldSession;
import io.ostraka.node.write.Inserter;
import io.ostraka.node.write.Recorded;
import io.ostraka.node.write.WriteError;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.InsertRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code insert}: stores documents.
 *
 * <pre>{ insert: name, documents: [ … ], ordered? }  →  { n, writeErrors? }</pre>
 *
 * An ordered insert stops at the first document that cannot be stored. A collection that does not exist is made.
 */
final class InsertCommand implements Command<InsertRequest> {
    private static final RawDocument ONE = new RawBuilder().put("n", 1).build();

    private final Member member;

    InsertCommand(Member member) {
        this.member = member;
    }

    @Override
    public String name() {
        return "insert";
    }

    @Override
    public Needs needs() {
        return Needs.write("insert");
    }

    @Override
    public InsertRequest parse(Fields fields) {
        return InsertRequest.parse(fields);
    }

    @Override
    public RawDocument run(InsertRequest request, Operation operation) {
        Namespace namespace = new Namespace(request.database(), request.collection());
        member.settings().guard().arrive(operation, namespace);
        try (HeldSession session = member.sessions().hold(operation)) {
            if (!session.isNumbered()) {
                Inserter.Outcome outcome = member.inserter(request.bypassValidation())
                        .insert(namespace, request.documents(), request.ordered(), operation);
                return WriteReply.finish(new RawBuilder().put("n", outcome.inserted()), outcome.errors());
            }
            return numbered(request, namespace, session, operation);
        }
    }

    private RawDocument numbered(InsertRequest request, Namespace namespace, HeldSession session, Operation operation) {
        Operation.Options options = operation.options();
        List<Integer> places = new ArrayList<>();
        List<Integer> retried = new ArrayList<>();
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < request.documents().size(); i++) {
            if (session.first(options.statement(i)).isPresent()) {
                retried.add(options.statement(i));
            } else {
                places.add(i);
                documents.add(request.documents().get(i));
            }
        }
        Recorded recorded = new Recorded(session, place -> options.statement(places.get(place)), _ -> ONE);
        Inserter.Outcome outcome = member.inserter(request.bypassValidation())
                .insert(namespace, documents, request.ordered(), recorded, operation);
        List<WriteError> errors = new ArrayList<>();
        for (WriteError error : outcome.errors()) {
            errors.add(new WriteError(places.get(error.index()), error.error()));
        }
        RawBuilder reply = new RawBuilder().put("n", outcome.inserted() + retried.size());
        WriteReply.retried(reply, retried);
        return WriteReply.finish(reply, errors);
    }
}
