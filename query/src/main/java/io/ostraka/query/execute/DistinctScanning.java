package io.ostraka.query.execute;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.query.index.KeyRange;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.run.RunContext;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonValue;

/** A row for each different value of an index's first field, made of the value alone. */
final class DistinctScanning extends Operator {
    private final PlanNode.DistinctScan scan;
    private final Source source;
    private final RunContext context;
    private final NodeCounters counters;
    private final boolean[] descending;
    private final Iterator<KeyRange> ranges;
    private KeyRange range;

    DistinctScanning(PlanNode.DistinctScan scan, Source source, RunContext context, NodeCounters counters) {
        super(List.of());
        this.scan = scan;
        this.source = source;
        this.context = context;
        this.counters = counters;
        descending = scan.index().descending();
        ranges = scan.bounds().ranges().iterator();
    }

    @Override
    public Row next() {
        while (range != null || ranges.hasNext()) {
            range = range == null ? ranges.next() : range;
            Optional<Row> row = first();
            if (row.isPresent()) {
                return row.get();
            }
        }
        return null;
    }

    /** The value of the first entry left of the range, which then begins behind all with that value. */
    private Optional<Row> first() {
        try (Source.Walk<Source.Entry> entries = source.entries(scan.index(), range, false)) {
            Source.Entry entry = entries.next();
            if (entry == null) {
                range = null;
                return Optional.empty();
            }
            context.interruption().check();
            counters.oneKey();
            BsonValue value = value(entry);
            Optional<RecordId> found = Optional.of(entry.id());
            if (value.isNull()) {
                found = withField(entry, entries);
            }
            range = new KeyRange(KeyString.builder().add(value, descending[0]).after(), range.high());
            return found.map(id -> new Row(id, document(value)));
        }
    }

    private BsonValue value(Source.Entry entry) {
        return new KeyString(entry.key(), entry.typeBits()).decode(descending).getFirst();
    }

    /** A document whose field is null: one without the field has the same key, and no value. */
    private Optional<RecordId> withField(Source.Entry first, Source.Walk<Source.Entry> entries) {
        for (Source.Entry entry = first; entry != null && value(entry).isNull(); entry = entries.next()) {
            context.interruption().check();
            counters.oneDocument();
            Optional<RawDocument> document = source.fetch(entry.id());
            if (document.isPresent() && scan.path().find(document.get()) != null) {
                return Optional.of(entry.id());
            }
        }
        return Optional.empty();
    }

    private RawDocument document(BsonValue value) {
        return new RawBuilder().put(scan.path().text(), value).build();
    }
}
