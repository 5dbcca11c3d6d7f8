package io.ostraka.sharding.shard;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.view.View;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * Where a range can be split: keys read from the index in order. Documents are taken to be of the collection's mean
 * size, so that none need be read but those at the points.
 *
 * @param points new lower ends in order, all inside the range
 * @param entries how many documents the range holds, owned or not
 * @param bytes how much that is, by the mean
 * @param last the greatest key in the range, if it holds anything
 */
record SplitPoints(List<BsonDocument> points, long entries, long bytes, Optional<BsonDocument> last) {
    /** Nothing to split. */
    static final SplitPoints NONE = new SplitPoints(List.of(), 0, 0, Optional.empty());

    /**
     * Points that leave about so many bytes between them. Equal keys are never parted.
     *
     * @param partBytes at least one document goes into a part, however large it is
     * @param operation asked at each entry: a walk may be long
     */
    static SplitPoints every(
            View view, CollectionEntry entry, ShardKey key, KeyRange range, long partBytes, Operation operation) {
        Optional<KeyIndex> index = KeyIndex.of(entry, key);
        long documents = view.totals(entry).documents();
        if (index.isEmpty() || documents == 0) {
            return NONE;
        }
        long mean = Math.max(1, view.totals(entry).bytes() / documents);
        Walk walk = new Walk(view, index.get(), key, range, Math.max(1, partBytes / mean), operation);
        boolean ignored = index.get().walk(view, range, Optional.empty(), walk::visit);
        return new SplitPoints(walk.points, walk.entries, walk.entries * mean, walk.lastKey());
    }

    /** The key in the middle of a range, by count; none if the range holds fewer than two keys. */
    static Optional<BsonDocument> median(
            View view, CollectionEntry entry, ShardKey key, KeyRange range, Operation operation) {
        SplitPoints all = every(view, entry, key, range, Long.MAX_VALUE, operation);
        Optional<KeyIndex> index = KeyIndex.of(entry, key);
        if (index.isEmpty() || all.entries < 2) {
            return Optional.empty();
        }
        Walk walk = new Walk(view, index.get(), key, range, all.entries / 2, operation);
        boolean ignored = index.get().walk(view, range, Optional.empty(), walk::visit);
        if (!walk.points.isEmpty()) {
            return Optional.of(walk.points.getFirst());
        }
        // All keys from the middle on are equal: the first key that differs from the lowest one will do.
        Walk first = new Walk(view, index.get(), key, range, 1, operation);
        boolean unusedEnd = index.get().walk(view, range, Optional.empty(), first::visit);
        return first.points.isEmpty() ? Optional.empty() : Optional.of(first.points.getLast());
    }

    /** Counts entries and notes a point each time a part is full and the key changes. One thread. */
    private static final class Walk {
        private final View view;
        private final KeyIndex index;
        private final ShardKey key;
        private final KeyRange range;
        private final long perPart;
        private final Operation operation;
        private final List<BsonDocument> points = new ArrayList<>();
        private long entries;
        private long inPart;
        private byte[] firstKey;
        private byte[] partStarts;
        private RecordId lastId;

        Walk(View view, KeyIndex index, ShardKey key, KeyRange range, long perPart, Operation operation) {
            this.view = view;
            this.index = index;
            this.key = key;
            this.range = range;
            this.perPart = perPart;
            this.operation = operation;
        }

        boolean visit(byte[] entry, RecordId id) {
            operation.checkAlive();
            if (entries++ == 0) {
                firstKey = index.document(view, id)
                        .map(document -> key.encodeBound(key.boundOf(document)))
                        .orElse(range.min());
            }
            lastId = id;
            if (inPart >= perPart) {
                part(id);
            }
            inPart++;
            return true;
        }

        private void part(RecordId id) {
            Optional<RawDocument> document = index.document(view, id);
            if (document.isEmpty()) {
                return;
            }
            BsonDocument bound = key.boundOf(document.get());
            byte[] at = key.encodeBound(bound);
            // A bound lies below all documents of its key, so equal keys stay together, and a part whose key began
            // with the part before it gets no point until the key changes.
            if (Arrays.compareUnsigned(at, lowest()) > 0) {
                points.add(bound);
                partStarts = at;
                inPart = 0;
            }
        }

        /** The key the present part begins with; a point there would leave the part before it without documents. */
        private byte[] lowest() {
            return partStarts == null ? firstKey : partStarts;
        }

        Optional<BsonDocument> lastKey() {
            return lastId == null
                    ? Optional.empty()
                    : index.document(view, lastId).map(key::boundOf);
        }
    }
}
