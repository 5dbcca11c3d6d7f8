package io.ostraka.router.gather;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.cursor.OpenCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

/**
 * Several shards' cursors as one: merged by a sort pattern, or one after the other as their documents arrive. Holds
 * one batch of each shard.
 */
public final class MergedCursor implements OpenCursor {
    /** Documents of one shard held at once when several are merged. */
    private static final int HELD = 1_000;

    /**
     * What becomes of the documents here.
     *
     * @param order the shards' own, or empty for any
     * @param skip documents left out first
     * @param limit documents at most; 0 for all
     * @param last what is done to each document, such as the projection
     * @param tailable whether an empty batch is not the end
     */
    public record Shape(
            Optional<MergeOrder> order, long skip, long limit, UnaryOperator<RawDocument> last, boolean tailable) {
        /** As the shards gave them. */
        public static final Shape PLAIN = new Shape(Optional.empty(), 0, 0, UnaryOperator.identity(), false);
    }

    /** A shard and the key of its next document. */
    private record Head(byte[] key, int place, ShardCursor cursor) implements Comparable<Head> {
        @Override
        public int compareTo(Head other) {
            int order = Arrays.compareUnsigned(key, other.key);
            return order != 0 ? order : Integer.compare(place, other.place);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Head that && compareTo(that) == 0;
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(key) + place;
        }
    }

    private final List<ShardCursor> cursors;
    private final Shape shape;
    private final Threads threads;
    private final Clock clock;
    private final PriorityQueue<Head> heads = new PriorityQueue<>();
    private final List<Integer> headless = new ArrayList<>();
    private long toSkip;
    private long returned;
    private ShardCursor current;

    public MergedCursor(List<ShardCursor> cursors, Shape shape, Threads threads, Clock clock) {
        this.cursors = List.copyOf(cursors);
        this.shape = shape;
        this.threads = threads;
        this.clock = clock;
        toSkip = shape.skip();
        for (int i = 0; i < cursors.size(); i++) {
            headless.add(i);
        }
    }

    @Override
    public boolean fill(BatchReply batch, Operation operation) {
        int most = cursors.size() == 1 ? batch.maxDocuments() : Math.min(HELD, batch.maxDocuments());
        boolean mayFetch = true;
        while (!batch.isFull()) {
            if (shape.limit() > 0 && returned == shape.limit()) {
                return true;
            }
            ShardCursor from = next(most, mayFetch, operation);
            if (from == null) {
                return isOver();
            }
            // A tailable cursor answers with what there is; the client asks again.
            mayFetch = !shape.tailable();
            if (toSkip > 0) {
                toSkip--;
                taken(from);
                continue;
            }
            if (!batch.add(shape.last().apply(from.peek()))) {
                return false;
            }
            taken(from);
            returned++;
        }
        return isOver();
    }

    /** The next document as a stream gives it, or null at the end. */
    public RawDocument take(Operation operation) {
        ShardCursor from = next(cursors.size() == 1 ? Integer.MAX_VALUE : HELD, true, operation);
        if (from == null) {
            return null;
        }
        RawDocument document = shape.last().apply(from.peek());
        taken(from);
        return document;
    }

    private boolean isOver() {
        return shape.limit() > 0 && returned == shape.limit()
                || cursors.stream().allMatch(ShardCursor::isOver);
    }

    /** The shard whose document is next, or null where there is none. */
    private ShardCursor next(int most, boolean mayFetch, Operation operation) {
        return shape.order().isEmpty() ? anyNext(most, mayFetch, operation) : sortedNext(most, operation);
    }

    private ShardCursor anyNext(int most, boolean mayFetch, Operation operation) {
        if (current != null && current.peek() != null) {
            return current;
        }
        boolean fetched = false;
        while (true) {
            for (ShardCursor cursor : cursors) {
                if (cursor.peek() != null) {
                    current = cursor;
                    return cursor;
                }
            }
            List<ShardCursor> wanting =
                    cursors.stream().filter(ShardCursor::mustFetch).toList();
            if (wanting.isEmpty() || !mayFetch || fetched && shape.tailable()) {
                return null;
            }
            fetch(wanting, most, operation);
            fetched = true;
        }
    }

    private ShardCursor sortedNext(int most, Operation operation) {
        while (!headless.isEmpty()) {
            List<ShardCursor> wanting = headless.stream()
                    .map(cursors::get)
                    .filter(ShardCursor::mustFetch)
                    .toList();
            if (!wanting.isEmpty()) {
                fetch(wanting, most, operation);
            }
            headless.removeIf(place -> {
                ShardCursor cursor = cursors.get(place);
                if (cursor.peek() != null) {
                    heads.add(new Head(shape.order().orElseThrow().keyOf(cursor.peek()), place, cursor));
                }
                return cursor.peek() != null || cursor.isOver();
            });
        }
        return heads.isEmpty() ? null : heads.peek().cursor();
    }

    private void fetch(List<ShardCursor> wanting, int most, Operation operation) {
        threads.all(wanting.stream()
                .<Callable<Boolean>>map(cursor -> () -> {
                    cursor.fetch(most, operation);
                    return true;
                })
                .toList());
        operation.checkAlive();
    }

    private void taken(ShardCursor cursor) {
        cursor.poll();
        if (shape.order().isPresent()) {
            headless.add(heads.poll().place());
        }
    }

    /** Ends the shards' cursors, without making the client wait for it. */
    @Override
    public void close() {
        close(cursors, threads, clock);
    }

    /** Ends cursors that will not be read. */
    static void close(List<ShardCursor> cursors, Threads threads, Clock clock) {
        for (ShardCursor cursor : cursors) {
            if (cursor.isOpen()) {
                threads.aside("closing a cursor on " + cursor.shard(), () -> cursor.close(clock));
            }
        }
    }
}
