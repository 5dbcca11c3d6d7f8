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
import io.ostraka.wire.request.ListDatabasesRequest;
import java.util.List;

/**
 * {@code listDatabases}: the databases that have a collection.
 *
 * <pre>{ listDatabases: 1, filter?, nameOnly? }  →  { databases: [ { name, sizeOnDisk, empty } ], totalSize, totalSizeMb }</pre>
 *
 * Sizes are those of the documents.
 */
final class ListDatabasesCommand implements Command<ListDatabasesRequest> {
    private final Member member;
    private final Reading reading;

    ListDatabasesCommand(Member member) {
        this.member = member;
        reading = new Reading(member);
    }

    @Override
    public String name() {
        return "listDatabases";
    }

    @Override
    public Needs needs() {
        return Needs.admin("listDatabases", Needs.Kind.READ);
    }

    @Override
    public ListDatabasesRequest parse(Fields fields) {
        return ListDatabasesRequest.parse(fields);
    }

    @Override
    public RawDocument run(ListDatabasesRequest request, Operation operation) {
        DocumentTest wanted = FilterCompiler.compile(FilterParser.parse(request.filter()), reading.context(operation));
        RawBuilder reply = new RawBuilder().openArray("databases");
        long total = 0;
        int count = 0;
        List<Member> stores = member.hasLocal() ? List.of(member, member.local()) : List.of(member);
        for (Member store : stores) {
            try (View view = store.view()) {
                for (String database : view.catalog().databases()) {
                    long size = 0;
                    long documents = 0;
                    for (CollectionEntry entry : view.catalog().ofDatabase(database)) {
                        size += view.totals(entry).ownedBytes();
                        documents += view.totals(entry).owned();
                    }
                    RawBuilder row = new RawBuilder().put("name", database);
                    if (!request.nameOnly()) {
                        row.put("sizeOnDisk", size).put("empty", documents == 0);
                    }
                    RawDocument shown = row.build();
                    if (wanted.test(shown)) {
                        reply.put(Integer.toString(count++), shown);
                        total += size;
                    }
                }
            }
        }
        reply.close();
        if (!request.nameOnly()) {
            reply.put("totalSize", total).put("totalSizeMb", total >> 20);
        }
        return reply.build();
    }
}
