package io.ostraka.sharding.mover;

import static io.ostraka.core.error.ErrorCode.EXCEEDED_TIME_LIMIT;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_SHARDED;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Ownership;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.change.OplogRow;
import io.ostraka.node.view.OplogReader;
import io.ostraka.node.view.View;
import io.ostraka.node.write.SessionRecord;
import io.ostraka.node.write.SessionWriter;
import io.ostraka.sharding.shard.KeyIndex;
import io.ostraka.storage.RecordStore;
import io.ostraka.storage.Rows;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonBinary;

/**
 * What a donor serves to its recipient: pages of documents, each from a fresh View, and the rows of the oplog since T0.
 */
final class DonationFeed {
    /** What a recipient says when it asks for rows. */
    record RowsRequest(long after, boolean drained, long documents, long bytes) {}

    /** Records in one answer. */
    private static final int SESSIONS_MAX = 1_000;

    private final MoverParts parts;
    private final Donation donation;

    DonationFeed(MoverParts parts, Donation donation) {
        this.parts = parts;
        this.donation = donation;
    }

    /**
     * The next page in order of keys: {@code {docs: [{r, d} ...], after: BinData?, done: bool}}.
     *
     * @param after where the last page ended
     */
    RawDocument page(Optional<byte[]> after) {
        donation.pull().heard(parts.clock().nanos());
        RawBuilder reply = new RawBuilder(parts.limits().pageBytes() + 4096).openArray("docs");
        byte[][] last = new byte[1][];
        boolean done;
        try (View view = parts.member().view()) {
            CollectionEntry entry = collection(view);
            ShardKey key = key(entry);
            KeyIndex index = KeyIndex.of(entry, key)
                    .orElseThrow(() ->
                            INVALID_OPTIONS.because("'%s' has no index for its shard key here", entry.namespace()));
            int[] count = {0};
            done = index.walk(view, donation.range(), after, (stored, id) -> {
                last[0] = stored;
                index.document(view, id).ifPresent(document -> document(reply, count[0]++, id, Optional.of(document)));
                return reply.size() < parts.limits().pageBytes();
            });
        }
        reply.close().put("done", done);
        if (last[0] != null) {
            reply.put("after", new BsonBinary(last[0]));
        }
        return reply.build();
    }

    /** The collection that moves; it may be dropped at any time, which ends the move and is no fault of this shard. */
    private CollectionEntry collection(View view) {
        return view.catalog()
                .find(donation.plan().uuid())
                .orElseThrow(() -> NAMESPACE_NOT_FOUND.because(
                        "'%s' was dropped while a range of it moved",
                        donation.plan().namespace()));
    }

    private static ShardKey key(CollectionEntry entry) {
        return entry.ownership()
                .map(Ownership::key)
                .orElseThrow(() -> NAMESPACE_NOT_SHARDED.because("'%s' is not sharded any more", entry.namespace()));
    }

    private static void document(RawBuilder array, int place, RecordId id, Optional<RawDocument> document) {
        array.openDocument(Integer.toString(place)).put("r", new BsonBinary(id.toByteArray()));
        document.ifPresent(there -> array.put("d", there));
        array.close();
    }

    /**
     * The next rows: {@code {docs: [{r, d?} ...], sessions: [{} ...], upTo: time, blockedAt: time or -1}}; one without
     * {@code d} is gone from the range. The sessions are the records of the retryable writes among them. Waits a little for the first one.
     */
    RawDocument rows(RowsRequest request, Operation operation) {
        Pull pull = donation.pull();
        pull.heard(parts.clock().nanos());
        long blockedAt = pull.blockedAt();
        if (request.drained && blockedAt >= 0 && request.after >= blockedAt) {
            pull.drained(new Pull.Drained(request.documents, request.bytes));
        }
        Deadline poll = operation.deadline().atMost(parts.limits().pollMillis());
        long from = request.after;
        while (true) {
            CompletableFuture<Void> told = pull.nextChange();
            Batch batch = batch(from);
            pull.caughtUp(batch.count < parts.limits().lagRows());
            boolean mustTell = !request.drained && pull.blockedAt() >= 0 && batch.upTo >= pull.blockedAt();
            if (batch.count > 0 || mustTell || poll.hasPassed()) {
                batch.reply.close();
                put(batch.reply, batch.sessions.values());
                return batch.reply
                        .put("upTo", batch.upTo)
                        .put("blockedAt", pull.blockedAt())
                        .build();
            }
            // Nothing up to there concerns the move, so it need not be read again.
            from = batch.upTo;
            CompletableFuture<Object> either = CompletableFuture.anyOf(
                    told, parts.member().views().progress().reaches(batch.upTo + 1));
            awaitQuietly(either, poll, operation);
        }
    }

    private static void awaitQuietly(CompletableFuture<Object> either, Deadline poll, Operation operation) {
        try {
            Object ignored = operation.await(either, poll.nanosLeft(), () -> EXCEEDED_TIME_LIMIT.because("poll"));
        } catch (CommandException e) {
            if (e.code() != EXCEEDED_TIME_LIMIT) {
                throw e;
            }
        }
    }

    /**
     * The records of retryable writes that changed the collection, as of now, in the order they are stored:
     * {@code {sessions: [{} ...], after: BinData?, done: bool}}. Those that change later come with the rows.
     *
     * @param after where the last answer ended
     */
    RawDocument sessions(Optional<RecordId> after) {
        donation.pull().heard(parts.clock().nanos());
        List<RawDocument> records = new ArrayList<>();
        int bytes = 0;
        Optional<RecordId> last = Optional.empty();
        boolean on = false;
        try (View view = parts.member().view()) {
            Optional<CollectionEntry> collection = view.find(SessionWriter.TRANSACTIONS);
            if (collection.isPresent()) {
                RecordStore store = new RecordStore(collection.get().ident());
                try (Rows rows = view.records(collection.get())) {
                    on = after.isEmpty()
                            ? rows.first()
                            : rows.seek(store.key(RecordId.of(after.get().number() + 1)));
                    while (on && bytes < parts.limits().pageBytes() && records.size() < SESSIONS_MAX) {
                        last = Optional.of(RecordStore.recordId(rows.key()));
                        SessionRecord record = SessionRecord.of(RawDocument.of(rows.value()));
                        if (record.collections().contains(donation.plan().uuid())) {
                            RawDocument raw = whole(record);
                            records.add(raw);
                            bytes += raw.size();
                        }
                        on = rows.next();
                    }
                }
            }
        }
        RawBuilder reply = new RawBuilder(bytes + 4096);
        put(reply, records);
        last.ifPresent(id -> reply.put("after", new BsonBinary(id.toByteArray())));
        return reply.put("done", !on).build();
    }

    private static void put(RawBuilder reply, Collection<RawDocument> sessions) {
        reply.openArray("sessions");
        int place = 0;
        for (RawDocument session : sessions) {
            reply.put(Integer.toString(place++), session);
        }
        reply.close();
    }

    private RawDocument whole(SessionRecord record) {
        return parts.member().sessions().whole(record).toRaw();
    }

    private static final class Batch {
        /** By session: what is recorded of those that wrote the rows. */
        private final Map<RawDocument, RawDocument> sessions = new HashMap<>();

        private int sessionBytes;
        private final RawBuilder reply = new RawBuilder(4096).openArray("docs");
        private int count;
        private long upTo;
    }

    /** Rows after a time, whole proposals only. */
    private Batch batch(long after) {
        Batch batch = new Batch();
        batch.upTo = after;
        try (View view = parts.member().view();
                OplogReader reader = new OplogReader(view, after + 1, 0)) {
            ShardKey key = key(collection(view));
            int scanned = 0;
            long time = after;
            Optional<OplogRow> row;
            while ((row = reader.next()).isPresent()) {
                boolean full = batch.reply.size() + batch.sessionBytes
                                >= parts.limits().rowsBytes()
                        || scanned >= parts.limits().rowsScanned();
                if (full && row.get().time() != time) {
                    batch.upTo = time;
                    return batch;
                }
                time = row.get().time();
                scanned++;
                add(view, batch, row.get(), key);
            }
            batch.upTo = Math.max(after, view.time());
            return batch;
        }
    }

    private void add(View view, Batch batch, OplogRow row, ShardKey key) {
        OplogRow.Header header = row.header();
        boolean concerns = header.collection().isPresent()
                && header.collection().get().equals(donation.plan().uuid())
                && header.recordId().isPresent()
                && !header.moved();
        if (!concerns) {
            return;
        }
        KeyRange range = donation.range();
        boolean isIn =
                row.after().map(document -> range.contains(key.keyOf(document))).orElse(false);
        boolean wasIn = header.documentKey()
                .map(document -> key.keyOfFind(document).map(range::contains).orElse(true))
                .orElse(true);
        if (isIn || wasIn) {
            header.statement().ifPresent(statement -> addSession(view, batch, statement.lsid()));
        }
        if (isIn) {
            document(batch.reply, batch.count++, header.recordId().get(), row.after());
        } else if (wasIn) {
            document(batch.reply, batch.count++, header.recordId().get(), Optional.empty());
        }
    }

    /** As it is now, which may be later than the row: a record only grows until its session goes on to another number. */
    private void addSession(View view, Batch batch, RawDocument lsid) {
        if (!batch.sessions.containsKey(lsid)) {
            parts.member().sessions().find(view, lsid).map(this::whole).ifPresent(raw -> {
                batch.sessions.put(lsid, raw);
                batch.sessionBytes += raw.size();
            });
        }
    }
}
