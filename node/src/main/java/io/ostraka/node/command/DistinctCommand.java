package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.Selection;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.execute.DistinctValues;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.Row;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.request.DistinctRequest;

/**
 * {@code distinct}: the different values of one field.
 *
 * <pre>{ distinct: name, key: path, query?, hint? }  →  { values: [ … ] }</pre>
 *
 * Of an array each element is a value. Documents without the field give none. They are answered in their order.
 */
final class DistinctCommand implements Command<DistinctRequest> {
    private final Reading reading;
    private final AggregateCommand aggregate;

    /** @param aggregate reads views */
    DistinctCommand(Member member, AggregateCommand aggregate) {
        this.aggregate = aggregate;
        reading = new Reading(member);
    }

    @Override
    public String name() {
        return "distinct";
    }

    @Override
    public Needs needs() {
        return Needs.read("find");
    }

    @Override
    public DistinctRequest parse(Fields fields) {
        return DistinctRequest.parse(fields);
    }

    static FindQuery query(DistinctRequest request, Collation collation) {
        return QueryWords.of(request.query(), RawDocument.EMPTY, request.hint()).collated(collation);
    }

    @Override
    public RawDocument run(DistinctRequest request, Operation operation) {
        Namespace namespace = new Namespace(request.database(), request.collection());
        Collation collation = reading.collation(namespace, request.collation());
        Selection selection = Selection.of(
                query(request, collation), reading.context(operation).with(collation));
        DistinctValues values = new DistinctValues(FieldPath.of(request.key()), collation);
        if (reading.view(operation, new Namespace(request.database(), request.collection()))
                .isPresent()) {
            try (DocumentStream shown = aggregate.documents(AggregateRequest.of(request), operation)) {
                for (RawDocument document = shown.next(); document != null; document = shown.next()) {
                    values.add(document);
                }
            }
            return new RawBuilder().put("values", values.values()).build();
        }
        try (Reading.Opened opened = reading.open(operation, new Namespace(request.database(), request.collection()))) {
            if (opened.collection().isPresent()) {
                try (Execution execution = selection.openDistinct(
                        opened.view(), opened.collection().get(), FieldPath.of(request.key()))) {
                    for (Row row = execution.next(); row != null; row = execution.next()) {
                        values.add(row.document());
                    }
                }
            }
        }
        return new RawBuilder().put("values", values.values()).build();
    }
}
