package io.ostraka.router.gather;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.time.Clock;
import io.ostraka.router.remote.ReplicaSet;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Consumer;

/** A cursor open on one shard, with the documents fetched and not yet taken. One thread at a time. */
public final class ShardCursor {
    private static final long CLOSES_MILLIS = 5_000;

    private final ShardId shard;
    private final ReplicaSet set;
    private final String database;
    private final String collection;
    private final Deque<RawDocument> fetched = new ArrayDeque<>();
    private long id;

    /** @param reply of the command that opened it: {@code {cursor: {firstBatch, id, ns}}} */
    public ShardCursor(ShardId shard, ReplicaSet set, RawDocument reply) {
        this.shard = shard;
        this.set = set;
        RawDocument cursor = reply.find("cursor").document();
        String namespace = cursor.find("ns").string();
        int dot = namespace.indexOf('.');
        database = namespace.substring(0, dot);
        collection = namespace.substring(dot + 1);
        take(cursor, "firstBatch");
    }

    public ShardId shard() {
        return shard;
    }

    private void take(RawDocument cursor, String batch) {
        id = cursor.find("id").int64();
        RawCursor element = cursor.find(batch).document().cursor();
        while (element.next()) {
            fetched.add(element.document());
        }
    }

    /** The next document, left where it is; null where none is fetched. */
    RawDocument peek() {
        return fetched.peek();
    }

    RawDocument poll() {
        return fetched.poll();
    }

    /** Whether there is nothing fetched and something to fetch. */
    boolean mustFetch() {
        return fetched.isEmpty() && id != 0;
    }

    boolean isOver() {
        return fetched.isEmpty() && id == 0;
    }

    /** Fetches the next batch. */
    void fetch(int maxDocuments, Operation operation) {
        RawBuilder getMore = new RawBuilder().put("getMore", id).put("collection", collection);
        if (maxDocuments < Integer.MAX_VALUE) {
            getMore.put("batchSize", Math.max(1, maxDocuments));
        }
        if (operation.isInTransaction()) {
            RoutedTransactions.addFields(getMore, operation);
        }
        RawDocument reply = set.run(database, getMore.build(), Map.of(), false, operation);
        take(reply.find("cursor").document(), "nextBatch");
    }

    /** Reads it to its end. */
    public void forEach(Operation operation, Consumer<RawDocument> take) {
        while (!isOver()) {
            if (mustFetch()) {
                fetch(Integer.MAX_VALUE, operation);
            } else {
                take.accept(poll());
            }
        }
    }

    /** Ends it on the shard, if it is open there. */
    void close(Clock clock) {
        if (id == 0) {
            return;
        }
        RawDocument kill = new RawBuilder()
                .put("killCursors", collection)
                .openArray("cursors")
                .put("0", id)
                .close()
                .build();
        id = 0;
        Operation operation = Operation.ofProcess("killCursors", database, Deadline.in(clock, CLOSES_MILLIS));
        if (set.run(database, kill, Map.of(), true, operation).find("cursorsKilled") == null) {
            throw new IllegalStateException("killCursors answers which were killed");
        }
    }

    boolean isOpen() {
        return id != 0;
    }
}
