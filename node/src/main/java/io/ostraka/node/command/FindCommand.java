package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.Selection;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.run.SpillSpace;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.request.FindRequest;
import java.util.List;
import java.util.Optional;

/**
 * {@code find}: the documents of one collection that match a filter.
 *
 * <pre>{ find: name, filter?, sort?, projection?, hint?, skip?, limit?, batchSize?, singleBatch? }  →  { cursor: { firstBatch, id, ns } }</pre>
 *
 * A collection that does not exist has no documents. The cursor reads one moment to its end.
 */
final class FindCommand implements Command<FindRequest> {
    private final Member member;
    private final Reading reading;
    private final CursorRegistry cursors;
    private final AggregateCommand aggregate;

    /** @param aggregate reads views */
    FindCommand(Member member, CursorRegistry cursors, AggregateCommand aggregate) {
        this.aggregate = aggregate;
        this.member = member;
        this.cursors = cursors;
        reading = new Reading(member);
    }

    @Override
    public String name() {
        return "find";
    }

    @Override
    public Needs needs() {
        return Needs.read("find");
    }

    @Override
    public FindRequest parse(Fields fields) {
        return FindRequest.parse(fields);
    }

    @Override
    public RawDocument run(FindRequest request, Operation operation) {
        Namespace namespace = new Namespace(request.database(), request.collection());
        if (reading.view(operation, namespace).isPresent()) {
            return aggregate.run(AggregateRequest.of(request), request.singleBatch(), operation);
        }
        Optional<RawDocument> answer =
                PointRead.of(request).flatMap(point -> byId(point, request, namespace, operation));
        if (answer.isPresent()) {
            return answer.get();
        }
        DocumentCursor.Puller puller = new DocumentCursor.Puller(operation);
        RunContext context = member.context(puller).with(reading.collation(namespace, request.collation()));
        if (!request.allowDiskUse()) {
            context = context.with(SpillSpace.NONE);
        }
        Selection selection = Selection.of(QueryWords.of(request, context), context);
        Reading.Opened opened = reading.open(operation, namespace);
        DocumentCursor cursor;
        try {
            DocumentStream documents = opened.collection()
                    .map(collection -> selection.open(opened.view(), collection))
                    .map(execution -> request.showRecordId() ? execution.withRecordIds() : execution.documents())
                    .orElseGet(() -> DocumentStream.of(List.of()));
            cursor = new DocumentCursor(documents, opened, puller);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        return cursors.open(
                cursor,
                request.namespace(),
                BatchReply.first(request.namespace(), request.firstBatch()),
                request.singleBatch(),
                request.noCursorTimeout(),
                operation);
    }

    /** Answers at once, or not at all where the collection's rules for strings ask for a plan. */
    private Optional<RawDocument> byId(PointRead point, FindRequest request, Namespace namespace, Operation operation) {
        try (Reading.Opened opened = reading.open(operation, namespace)) {
            Optional<CollectionEntry> collection = opened.collection();
            if (collection.isPresent() && !point.isFor(collection.get())) {
                return Optional.empty();
            }
            BatchReply batch = BatchReply.first(request.namespace(), 1);
            Optional<RawDocument> found = collection.flatMap(entry -> point.find(opened.view(), entry));
            boolean unused = found.isEmpty() || batch.add(found.get());
            return Optional.of(batch.finish(0));
        }
    }
}
