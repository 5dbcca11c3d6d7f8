package io.ostraka.query.execute;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.KeyRange;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.run.RunContext;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.bson.BsonValue;

/** The leaves of plans. */
final class Scans {
    private Scans() {}

    static final class OfRecords extends Operator {
        private final Source.Walk<Source.Stored> records;
        private final DocumentTest filter;
        private final RunContext context;
        private final NodeCounters counters;

        OfRecords(PlanNode.CollectionScan scan, Source source, RunContext context, NodeCounters counters) {
            super(List.of());
            this.filter = FilterCompiler.compile(scan.filter(), context);
            this.context = context;
            this.counters = counters;
            this.records = source.records(scan.backwards());
        }

        @Override
        public Row next() {
            for (Source.Stored record = records.next(); record != null; record = records.next()) {
                context.interruption().check();
                counters.oneDocument();
                if (filter.test(record.document())) {
                    return new Row(record.id(), record.document());
                }
            }
            return null;
        }

        @Override
        public void close() {
            records.close();
        }
    }

    static final class OfEntries extends Operator {
        private final PlanNode.IndexScan scan;
        private final Source source;
        private final RunContext context;
        private final NodeCounters counters;
        private final Iterator<KeyRange> ranges;
        private final boolean[] descending;
        /** Records met before: only an index with arrays meets one twice. */
        private final Set<RecordId> seen = new HashSet<>();

        private Source.Walk<Source.Entry> entries;

        OfEntries(PlanNode.IndexScan scan, Source source, RunContext context, NodeCounters counters) {
            super(List.of());
            this.scan = scan;
            this.source = source;
            this.context = context;
            this.counters = counters;
            this.descending = scan.index().descending();
            this.ranges = (scan.backwards()
                            ? scan.bounds().ranges().reversed()
                            : scan.bounds().ranges())
                    .iterator();
        }

        @Override
        public Row next() {
            while (true) {
                if (entries == null) {
                    if (!ranges.hasNext()) {
                        return null;
                    }
                    entries = source.entries(scan.index(), ranges.next(), scan.backwards());
                }
                Source.Entry entry = entries.next();
                if (entry == null) {
                    close();
                    continue;
                }
                context.interruption().check();
                counters.oneKey();
                if (scan.multikey() == 0 || seen.add(entry.id())) {
                    return new Row(entry.id(), scan.covered() ? document(scan.index(), entry) : RawDocument.EMPTY);
                }
            }
        }

        private RawDocument document(IndexDefinition index, Source.Entry entry) {
            List<BsonValue> values = new KeyString(entry.key(), entry.typeBits()).decode(descending);
            RawBuilder builder = new RawBuilder();
            for (int i = 0; i < values.size(); i++) {
                if (!index.fields().get(i).isHashed()) {
                    builder.put(index.fields().get(i).path().text(), values.get(i));
                }
            }
            return builder.build();
        }

        @Override
        public void close() {
            if (entries != null) {
                entries.close();
                entries = null;
            }
        }
    }

    /** One seek and one get. */
    static final class OfId extends Operator {
        private final PlanNode.IdLookup lookup;
        private final Source source;
        private final NodeCounters counters;
        private Source.Walk<Source.Entry> entries;

        OfId(PlanNode.IdLookup lookup, Source source, NodeCounters counters) {
            super(List.of());
            this.lookup = lookup;
            this.source = source;
            this.counters = counters;
        }

        @Override
        public Row next() {
            if (entries == null) {
                entries =
                        source.entries(lookup.index(), lookup.bounds().ranges().getFirst(), false);
            }
            // More than one: while a document moves in, another with its _id may be left behind or unowned.
            for (Source.Entry entry = entries.next(); entry != null; entry = entries.next()) {
                counters.oneKey();
                counters.oneDocument();
                RecordId id = entry.id();
                Row row =
                        source.fetch(id).map(document -> new Row(id, document)).orElse(null);
                if (row != null) {
                    return row;
                }
            }
            return null;
        }

        @Override
        public void close() {
            if (entries != null) {
                entries.close();
            }
        }
    }
}
