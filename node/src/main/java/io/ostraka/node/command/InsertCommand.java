package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.Inserter;
import io.ostraka.node.write.WriteError;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.InsertRequest;
import io.ostraka.wire.session.RetryableWrites;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
    private final RetryableWrites retryable;

    InsertCommand(Member member, RetryableWrites retryable) {
        this.member = member;
        this.retryable = retryable;
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
        try (RetryableWrites.Held held = retryable.hold(operation)) {
            List<Integer> places = new ArrayList<>();
            List<RawDocument> documents = new ArrayList<>();
            for (int i = 0; i < request.documents().size(); i++) {
                if (held.first(Statements.number(operation, i)).isEmpty()) {
                    places.add(i);
                    documents.add(request.documents().get(i));
                }
            }
            Inserter.Outcome outcome = member.inserter(request.bypassValidation())
                    .insert(namespace, documents, request.ordered(), operation);
            Set<Integer> failed = new HashSet<>();
            List<WriteError> errors = new ArrayList<>();
            for (WriteError error : outcome.errors()) {
                failed.add(error.index());
                errors.add(new WriteError(places.get(error.index()), error.error()));
            }
            int tried = request.ordered() && !errors.isEmpty()
                    ? outcome.errors().getFirst().index()
                    : documents.size();
            for (int i = 0; i < tried; i++) {
                if (!failed.contains(i)) {
                    held.record(Statements.number(operation, places.get(i)), ONE);
                }
            }
            int before = request.documents().size() - documents.size();
            return WriteReply.finish(new RawBuilder().put("n", outcome.inserted() + before), errors, operation);
        }
    }
}
