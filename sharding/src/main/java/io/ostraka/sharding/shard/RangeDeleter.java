package io.ostraka.sharding.shard;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.core.time.Clock;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.View;
import io.ostraka.sharding.loop.Pause;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes documents of ranges this shard gave away, and of ranges that came and were not kept: in small batches, by
 * the shard key's index, leaving alone what somebody has locked or what is owned again.
 */
public final class RangeDeleter implements AutoCloseable {
    /** How the deleter works: entries looked at in one batch, and how often it looks for ranges that are due. */
    public record Limits(int batch, long lookMillis) {
        public static final Limits DEFAULT = new Limits(100, 1_000);
    }

    private static final Logger LOG = LoggerFactory.getLogger(RangeDeleter.class);
    private static final long CALL_MILLIS = 60_000;

    private final Member member;
    private final Clock clock;
    private final Limits limits;
    private final Pause pause = new Pause();
    /** Held while one range is being cleaned. */
    private final ReentrantLock cleaning = new ReentrantLock();

    private Thread thread;

    public RangeDeleter(Member member, Clock clock, Limits limits) {
        this.member = member;
        this.clock = clock;
        this.limits = limits;
    }

    public void start() {
        thread = Thread.ofVirtual().name("range deleter").start(this::loop);
    }

    private void loop() {
        while (pause.await(Duration.ofMillis(limits.lookMillis))) {
            try {
                for (BsonDocument row : rows()) {
                    if (row.getDateTime("notBefore").getValue() <= clock.wallMillis()) {
                        clean(row);
                    }
                }
            } catch (CommandException e) {
                LOG.debug("range deletion waits: {}", e.getMessage());
            }
        }
    }

    private List<BsonDocument> rows() {
        try (View view = member.view()) {
            return StoredRows.all(view, MoveRows.RANGE_DELETIONS);
        }
    }

    private Operation operation() {
        return member.internal("rangeDeletion", Deadline.in(clock, CALL_MILLIS));
    }

    /** Notes that what came for a plan is to be cleaned up at once. */
    public void schedule(UUID plan, Namespace namespace, UUID collection, KeyRange range) {
        BsonDocument row = MoveRows.of(plan, namespace, collection, range)
                .append("notBefore", new BsonDateTime(clock.wallMillis()));
        member.transact(List.of(MoveRows.RANGE_DELETIONS), List.of(), operation(), evaluation -> {
            evaluation.put(MoveRows.RANGE_DELETIONS, row);
            return null;
        });
        pause.wake();
    }

    /** How many ranges are to be cleaned up, for {@code serverStatus}. */
    public int pending() {
        return rows().size();
    }

    /** Cleans up everything that overlaps a range now, whoever may still read it. */
    public void finish(UUID collection, KeyRange range) {
        for (BsonDocument row : rows()) {
            if (MoveRows.uuid(row).equals(collection) && MoveRows.range(row).overlaps(range)) {
                clean(row);
            }
        }
    }

    /** Cleans up everything now. @return ranges that are still not clean, because somebody held documents in them */
    public int finishAll() {
        rows().forEach(this::clean);
        return pending();
    }

    private void clean(BsonDocument row) {
        cleaning.lock();
        try {
            Optional<byte[]> after = Optional.empty();
            boolean more = true;
            boolean skipped = false;
            while (more && !pause.isClosed()) {
                Batch batch = batch(row, after);
                if (!batch.ids.isEmpty()) {
                    int deleted = member.mover()
                            .deleteUnowned(MoveRows.namespace(row), MoveRows.range(row), batch.ids, operation());
                    skipped |= deleted < batch.ids.size();
                }
                after = batch.last;
                more = batch.last.isPresent();
            }
            if (!pause.isClosed() && !skipped) {
                forget(row);
            }
        } finally {
            cleaning.unlock();
        }
    }

    private record Batch(List<RecordId> ids, Optional<byte[]> last) {}

    /** The next documents to delete, and where to go on; no place to go on from when the range is done. */
    private Batch batch(BsonDocument row, Optional<byte[]> after) {
        try (View view = member.view()) {
            Optional<CollectionEntry> entry = view.catalog().find(MoveRows.uuid(row));
            Optional<Ownership> ownership = entry.flatMap(CollectionEntry::ownership);
            Optional<KeyIndex> index = ownership.flatMap(owned -> KeyIndex.of(entry.get(), owned.key()));
            if (index.isEmpty()) {
                return new Batch(List.of(), Optional.empty());
            }
            List<RecordId> ids = new ArrayList<>();
            byte[][] last = new byte[1][];
            int[] seen = {0};
            Operation looking = operation();
            boolean done = index.get().walk(view, MoveRows.range(row), after, (key, id) -> {
                looking.checkAlive();
                last[0] = key;
                boolean unowned = index.get()
                        .document(view, id)
                        .map(document -> !View.owns(entry.get(), document))
                        .orElse(false);
                if (unowned) {
                    ids.add(id);
                }
                return ids.size() < limits.batch && ++seen[0] < 100 * limits.batch;
            });
            return new Batch(ids, done ? Optional.empty() : Optional.ofNullable(last[0]));
        }
    }

    private void forget(BsonDocument row) {
        member.transact(List.of(MoveRows.RANGE_DELETIONS), List.of(), operation(), evaluation -> {
            boolean ignored = evaluation.delete(MoveRows.RANGE_DELETIONS, row.get("_id"));
            return null;
        });
        LOG.debug("cleaned up {} of {}", MoveRows.range(row), MoveRows.namespace(row));
    }

    @Override
    public void close() {
        pause.close();
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
