package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.View;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.request.ListCollectionsRequest;
import java.util.List;

/**
 * {@code listCollections}: the collections of a database as a cursor.
 *
 * <pre>
 * { listCollections: 1, filter?, nameOnly?, cursor? }
 *   →  { cursor: { firstBatch: [ { name, type, options, info: { readOnly, uuid }, idIndex } ], id, ns } }
 * </pre>
 */
final class ListCollectionsCommand implements Command<ListCollectionsRequest> {
    private final Member member;
    private final Reading reading;
    private final CursorRegistry cursors;

    ListCollectionsCommand(Member member, CursorRegistry cursors) {
        this.member = member;
        reading = new Reading(member);
        this.cursors = cursors;
    }

    @Override
    public String name() {
        return "listCollections";
    }

    @Override
    public Needs needs() {
        return Needs.database("listCollections", Needs.Kind.READ);
    }

    @Override
    public ListCollectionsRequest parse(Fields fields) {
        return ListCollectionsRequest.parse(fields);
    }

    @Override
    public RawDocument run(ListCollectionsRequest request, Operation operation) {
        DocumentTest wanted = FilterCompiler.compile(FilterParser.parse(request.filter()), reading.context(operation));
        List<RawDocument> shown;
        try (View view = member.view()) {
            shown = view.catalog().ofDatabase(request.database()).stream()
                    .map(entry -> shown(entry, request.nameOnly()))
                    .filter(wanted::test)
                    .toList();
        }
        return FirstBatch.of(shown, request.namespace(), request.batchSize(), cursors, operation);
    }

    private static RawDocument shown(CollectionEntry entry, boolean nameOnly) {
        RawBuilder row = new RawBuilder()
                .put("name", entry.namespace().collection())
                .put("type", entry.isView() ? "view" : entry.isTimeSeries() ? "timeseries" : "collection");
        if (nameOnly) {
            return row.build();
        }
        if (entry.isView()) {
            return row.put("options", RawDocument.of(entry.options()))
                    .openDocument("info")
                    .put("readOnly", true)
                    .close()
                    .build();
        }
        row.put("options", RawDocument.of(entry.options()))
                .openDocument("info")
                .put("readOnly", false)
                .put("uuid", entry.uuidValue())
                .close();
        if (!entry.isTimeSeries() && !entry.isClustered()) {
            row.put("idIndex", entry.idIndex().definition().toDocument());
        }
        return row.build();
    }
}
