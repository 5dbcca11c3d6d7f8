package io.ostraka.query.execute;

import static io.ostraka.core.error.ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.GeoTests;
import io.ostraka.query.filter.Intervals;
import io.ostraka.query.geo.Near;
import io.ostraka.query.geo.PlaneCells;
import io.ostraka.query.index.AccessMethod;
import io.ostraka.query.index.GeoBounds;
import io.ostraka.query.index.IndexBounds;
import io.ostraka.query.index.KeyRange;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.run.RunContext;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Documents by distance. Looks around the point, as far as a first distance, then four times as far each time, without the
 * cells it has seen; what is nearer than it has looked is given, nearest first, and what is farther waits.
 */
final class Nearing extends Operator {
    /** What one waiting document takes, without its bytes. */
    private static final long WAITING_BYTES = 96;

    private record Waiting(double distance, RecordId id) {}

    private final PlanNode.GeoNear node;
    private final Near near;
    private final Source source;
    private final RunContext context;
    private final NodeCounters counters;
    private final DocumentTest filter;
    private final double farthest;
    private final Set<RecordId> seen = new HashSet<>();
    private final PriorityQueue<Waiting> waiting =
            new PriorityQueue<>(Comparator.comparingDouble(Waiting::distance).thenComparing(Waiting::id));
    private Intervals looked = Intervals.NONE;
    private double reached = -1;

    Nearing(PlanNode.GeoNear node, Source source, RunContext context, NodeCounters counters) {
        super(List.of());
        this.node = node;
        this.near = node.near();
        this.source = source;
        this.context = context;
        this.counters = counters;
        this.filter = FilterCompiler.compile(node.filter(), context);
        Optional<PlaneCells> plane = node.index().method() instanceof AccessMethod.Planar planar
                ? Optional.of(GeoBounds.cells(planar))
                : Optional.empty();
        this.farthest = near.farthest(plane);
    }

    @Override
    public Row next() {
        while (true) {
            Waiting nearest = waiting.peek();
            if (nearest != null && (nearest.distance <= reached || reached >= farthest)) {
                waiting.poll();
                RawDocument document = source.fetch(nearest.id).orElseThrow();
                return new Row(
                        nearest.id,
                        node.told() ? Metadata.GEO_NEAR_DISTANCE.with(document, nearest.distance) : document);
            }
            if (reached >= farthest) {
                return null;
            }
            look(reached < 0 ? near.first() : near.next(reached));
        }
    }

    private void look(double distance) {
        Intervals around = GeoBounds.of(near.within(distance), node.index().method());
        IndexBounds bounds = node.bounds()
                .with(
                        node.part(),
                        around.intersect(looked.complement()),
                        context.limits().scanRangesMax());
        looked = looked.union(around);
        for (KeyRange range : bounds.ranges()) {
            look(range);
        }
        // Where the cells do not bound the ranges everything has been seen.
        boolean all = bounds.bounded() <= node.part() && !bounds.ranges().isEmpty();
        reached = all || distance >= farthest ? Double.POSITIVE_INFINITY : distance;
    }

    private void look(KeyRange range) {
        try (Source.Walk<Source.Entry> entries = source.entries(node.index(), range, false)) {
            for (Source.Entry entry = entries.next(); entry != null; entry = entries.next()) {
                context.interruption().check();
                counters.oneKey();
                if (seen.add(entry.id())) {
                    consider(entry.id());
                }
            }
        }
    }

    private void consider(RecordId id) {
        Optional<RawDocument> document = source.fetch(id);
        counters.oneDocument();
        if (document.isEmpty() || !filter.test(document.get())) {
            return;
        }
        GeoTests.nearest(document.get(), node.path(), near)
                .ifPresent(found -> waiting.add(new Waiting(found.distance(), id)));
        if ((waiting.size() + seen.size()) * WAITING_BYTES > context.limits().sortBytesMax()) {
            throw QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED.because(
                    "documents to be sorted by distance exceed the memory limit of %d bytes; bound the distance with"
                            + " $maxDistance",
                    context.limits().sortBytesMax());
        }
    }
}
