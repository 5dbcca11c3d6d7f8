package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.request.ListIndexesRequest;
import java.util.List;

/**
 * {@code listIndexes}: a collection's indexes as a cursor. Those being built are not shown.
 *
 * <pre>{ listIndexes: name, cursor? }  →  { cursor: { firstBatch: [ { v, key, name, … } ], id, ns } }</pre>
 */
final class ListIndexesCommand implements Command<ListIndexesRequest> {
    private final Reading reading;
    private final CursorRegistry cursors;

    ListIndexesCommand(Member member, CursorRegistry cursors) {
        reading = new Reading(member);
        this.cursors = cursors;
    }

    @Override
    public String name() {
        return "listIndexes";
    }

    @Override
    public Needs needs() {
        return Needs.read("listIndexes");
    }

    @Override
    public ListIndexesRequest parse(Fields fields) {
        return ListIndexesRequest.parse(fields);
    }

    @Override
    public RawDocument run(ListIndexesRequest request, Operation operation) {
        Namespace namespace = new Namespace(request.database(), request.collection());
        List<RawDocument> shown;
        try (Reading.Opened opened = reading.open(operation, namespace)) {
            CollectionEntry entry = opened.collection()
                    .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("ns does not exist: %s", namespace));
            shown = entry.indexes().stream()
                    .filter(IndexEntry::isReady)
                    .filter(index ->
                            !entry.isTimeSeries() || !index.definition().isId())
                    .map(index -> shown(entry, index))
                    .toList();
        }
        return FirstBatch.of(shown, namespace.toString(), request.batchSize(), cursors, operation);
    }

    private static RawDocument shown(CollectionEntry entry, IndexEntry index) {
        if (!entry.isClustered() || !index.definition().isId()) {
            return index.definition().toDocument();
        }
        return new RawBuilder()
                .elements(RawDocument.of(entry.options().getDocument("clusteredIndex")))
                .put("clustered", true)
                .build();
    }
}
