package io.ostraka.node.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.Selection;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.request.CountRequest;

/**
 * {@code count}: how many documents of one collection match a filter.
 *
 * <pre>{ count: name, query?, skip?, limit?, hint? }  →  { n }</pre>
 *
 * A collection that does not exist counts zero. Without a filter the counters answer, and documents this shard does not own
 * are not among them.
 */
final class CountCommand implements Command<CountRequest> {
    private final Reading reading;
    private final AggregateCommand aggregate;

    /** @param aggregate reads views */
    CountCommand(Member member, AggregateCommand aggregate) {
        this.aggregate = aggregate;
        reading = new Reading(member);
    }

    @Override
    public String name() {
        return "count";
    }

    @Override
    public Needs needs() {
        return Needs.read("find");
    }

    @Override
    public CountRequest parse(Fields fields) {
        return CountRequest.parse(fields);
    }

    @Override
    public RawDocument run(CountRequest request, Operation operation) {
        Namespace namespace = new Namespace(request.database(), request.collection());
        FindQuery query = query(request, reading.collation(namespace, request.collation()));
        if (reading.view(operation, new Namespace(request.database(), request.collection()))
                .isPresent()) {
            try (DocumentStream counted = aggregate.documents(AggregateRequest.of(request), operation)) {
                RawDocument row = counted.next();
                return answer(row == null ? 0 : row.get("n").asNumber().longValue());
            }
        }
        try (Reading.Opened opened = reading.open(operation, new Namespace(request.database(), request.collection()))) {
            long n = opened.collection()
                    .map(collection -> count(opened, collection, query, operation))
                    .orElse(0L);
            long afterSkip = Math.max(0, n - request.skip());
            return answer(request.limit() == 0 ? afterSkip : Math.min(afterSkip, request.limit()));
        }
    }

    static FindQuery query(CountRequest request, Collation collation) {
        return QueryWords.of(request.query(), RawDocument.EMPTY, request.hint())
                .counting()
                .collated(collation);
    }

    private long count(Reading.Opened opened, CollectionEntry collection, FindQuery query, Operation operation) {
        if (query.filter().isEverything() && query.hint().isEmpty()) {
            return opened.view().totals(collection).owned();
        }
        Selection selection = Selection.of(query, reading.context(operation).with(query.collation()));
        try (Execution execution = selection.open(opened.view(), collection)) {
            return execution.count();
        }
    }

    private static RawDocument answer(long n) {
        RawBuilder reply = new RawBuilder(32);
        return (n == (int) n ? reply.put("n", (int) n) : reply.put("n", n)).build();
    }
}
