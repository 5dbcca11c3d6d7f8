package io.ostraka.sharding.mover;

import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.view.View;
import io.ostraka.node.write.CollectionWriter;
import io.ostraka.node.write.MoverWrite;
import io.ostraka.node.write.SessionRecord;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.sharding.catalog.MovePlan;
import io.ostraka.sharding.shard.KeyIndex;
import io.ostraka.sharding.shard.MoveRows;
import io.ostraka.sharding.shard.StoredRows;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One move on its recipient: pulls pages, then rows, until it is told that the range is its own or that the move was
 * given up. The place it has reached is stored with what it applied.
 */
final class Receipt {
    private static final Logger LOG = LoggerFactory.getLogger(Receipt.class);
    /** Times in a row the donor may not answer before the job ends; the donor starts it again. */
    private static final int UNANSWERED_MAX = 5;
    /** Session records stored with one proposal. */
    private static final int SESSIONS_AT_ONCE = 100;

    /** What the donor sends with its request. */
    record Request(
            MovePlan plan,
            KeyRange range,
            ShardKey key,
            String donor,
            long t0,
            BsonDocument options,
            List<IndexDefinition> indexes) {}

    private final MoverParts parts;
    private final Request request;
    private BsonDocument row;
    private long documents;
    private long bytes;
    /** Where the copy of session records is; each job begins anew, since it may be done twice. */
    private Optional<BsonValue> sessionsAfter = Optional.empty();

    private boolean sessionsCopied;
    private volatile boolean stopped;
    private Thread thread;

    Receipt(MoverParts parts, Request request) {
        this.parts = parts;
        this.request = request;
    }

    private Namespace namespace() {
        return request.plan.namespace();
    }

    private BsonBinary id() {
        return new BsonBinary(request.plan.id());
    }

    static Namespace map(MovePlan plan) {
        return new Namespace("config", "receiptMap." + plan.id());
    }

    /**
     * Makes the collection with its indexes, and cleans up what an earlier move of the range left.
     *
     * @throws CommandException of kind USER if this shard cannot take the range
     */
    void prepare() {
        var operation = parts.operation("receive");
        CollectionWriter.Definition definition = new CollectionWriter.Definition(
                Optional.of(request.plan.uuid()), request.options, Optional.empty(), request.indexes, Optional.empty());
        boolean made = parts.member().collections().createAlike(namespace(), definition, operation);
        if (!made && !request.indexes.isEmpty()) {
            var ignored = parts.member().indexes().create(namespace(), request.indexes, operation);
        }
        parts.refresher().refresh(namespace(), operation);
        parts.deleter().finish(request.plan.uuid(), request.range);
        row = parts.member().transact(List.of(MoveRows.RECEIPTS), List.of(), operation, evaluation -> {
            Optional<BsonDocument> stored = StoredRows.get(evaluation.view(), MoveRows.RECEIPTS, id());
            if (stored.isPresent()) {
                return stored.get();
            }
            BsonDocument fresh = MoveRows.of(request.plan.id(), namespace(), request.plan.uuid(), request.range)
                    .append("state", new BsonString("PULLING"))
                    .append("cloned", BsonBoolean.FALSE)
                    .append("upTo", new BsonInt64(request.t0));
            evaluation.put(MoveRows.RECEIPTS, fresh);
            return fresh;
        });
        if (MoveRows.state(row).equals("RECEIVED")) {
            throw CONFLICTING_OPERATION_IN_PROGRESS.because("the range was received already");
        }
        recount();
    }

    /** Counts what an earlier job has applied; a fresh receipt has nothing. */
    private void recount() {
        documents = 0;
        bytes = 0;
        try (View view = parts.member().view()) {
            CollectionEntry entry = view.catalog().get(namespace());
            KeyIndex index = KeyIndex.of(entry, request.key)
                    .orElseThrow(() ->
                            ErrorCode.INVALID_OPTIONS.because("'%s' has no index for its shard key here", namespace()));
            Operation counting = parts.member()
                    .internal(
                            "receive", Deadline.never(parts.member().settings().clock()));
            boolean ignored = index.walk(view, request.range, Optional.empty(), (_, id) -> {
                counting.checkAlive();
                index.document(view, id)
                        .filter(document -> !View.owns(entry, document))
                        .ifPresent(document -> {
                            documents++;
                            bytes += document.size();
                        });
                return true;
            });
        }
    }

    void start() {
        thread = Thread.ofVirtual().name("receive " + request.plan.id()).start(this::run);
    }

    /** Whether the job is at work. */
    boolean isRunning() {
        return thread != null && thread.isAlive() && !stopped;
    }

    /** Ends the job and waits until it writes no more. */
    void stop() {
        stopped = true;
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        int unanswered = 0;
        while (!stopped && unanswered < UNANSWERED_MAX) {
            try {
                if (!sessionsCopied) {
                    sessions();
                } else if (!row.getBoolean("cloned").getValue()) {
                    page();
                } else {
                    rows();
                }
                unanswered = 0;
            } catch (CommandException e) {
                unanswered++;
                if (e.code().kind() == ErrorCode.Kind.USER) {
                    report(e);
                    return;
                }
                LOG.debug("the donor did not answer: {}", e.getMessage());
            }
        }
    }

    private void report(CommandException failure) {
        LOG.info("move {} cannot go on here: {}", request.plan.id(), failure.getMessage());
        try {
            RawDocument ignored = parts.call(
                    request.donor, new BsonDocument("_shardsvrReceiveFailed", id()).append("error", failure.toReply()));
        } catch (CommandException e) {
            LOG.debug("the donor did not hear it: {}", e.getMessage());
        }
    }

    /** Copies the records of retryable writes before the documents they are about; what comes later comes with the rows. */
    private void sessions() {
        BsonDocument command = new BsonDocument("_shardsvrMoveSessions", id());
        sessionsAfter.ifPresent(after -> command.append("after", after));
        RawDocument reply = parts.call(request.donor, command);
        merge(reply);
        if (reply.find("after") != null) {
            sessionsAfter = Optional.of(reply.get("after"));
        }
        sessionsCopied = reply.get("done").asBoolean().getValue();
    }

    private void merge(RawDocument reply) {
        List<SessionRecord> records = new ArrayList<>();
        RawCursor each = reply.find("sessions").document().cursor();
        while (each.next()) {
            records.add(SessionRecord.of(each.document()));
            if (records.size() == SESSIONS_AT_ONCE) {
                parts.member().sessions().merge(records, parts.operation("receive"));
                records.clear();
            }
        }
        parts.member().sessions().merge(records, parts.operation("receive"));
    }

    private void page() {
        BsonDocument command = new BsonDocument("_shardsvrMovePage", id());
        if (row.containsKey("after")) {
            command.append("after", row.get("after"));
        }
        RawDocument reply = parts.call(request.donor, command);
        BsonDocument next = MoveRows.in(row, "PULLING");
        if (reply.find("after") != null) {
            next.put("after", reply.get("after"));
        }
        next.put("cloned", reply.get("done"));
        apply(changes(reply), next);
    }

    private void rows() {
        boolean drained = MoveRows.state(row).equals("DRAINED");
        BsonDocument command = new BsonDocument("_shardsvrMoveRows", id())
                .append("after", row.get("upTo"))
                .append("drained", BsonBoolean.valueOf(drained))
                .append("documents", new BsonInt64(documents))
                .append("bytes", new BsonInt64(bytes));
        RawDocument reply = parts.call(request.donor, command);
        List<MoverWrite.Moved> changes = changes(reply);
        long upTo = reply.get("upTo").asInt64().getValue();
        // Before the rows: with them their place is stored, and they are not asked for again.
        merge(reply);
        long blockedAt = reply.get("blockedAt").asInt64().getValue();
        if (!changes.isEmpty()) {
            BsonDocument next = MoveRows.in(row, "PULLING");
            next.put("upTo", new BsonInt64(upTo));
            apply(changes, next);
        } else {
            // A place without changes need not be stored: following it again gives the same.
            row.put("upTo", new BsonInt64(upTo));
        }
        if (blockedAt >= 0 && upTo >= blockedAt && !MoveRows.state(row).equals("DRAINED")) {
            markDrained();
        }
    }

    private void apply(List<MoverWrite.Moved> changes, BsonDocument next) {
        MoverWrite.Written written = parts.member()
                .mover()
                .apply(
                        namespace(),
                        map(request.plan),
                        request.plan.from().name(),
                        changes,
                        List.of(new MoverWrite.Alongside(MoveRows.RECEIPTS, RawDocument.of(next))),
                        parts.operation("receive"));
        documents += written.documents();
        bytes += written.bytes();
        row = next;
    }

    /** Everything is here and writers are blocked: from now on the donor may hand over. */
    private void markDrained() {
        BsonDocument next = MoveRows.in(row, "DRAINED");
        next.put("documents", new BsonInt64(documents));
        next.put("bytes", new BsonInt64(bytes));
        parts.member().transact(List.of(MoveRows.RECEIPTS), List.of(), parts.operation("receive"), evaluation -> {
            evaluation.put(MoveRows.RECEIPTS, next);
            return null;
        });
        row = next;
    }

    private static List<MoverWrite.Moved> changes(RawDocument reply) {
        List<MoverWrite.Moved> changes = new ArrayList<>();
        RawCursor each = reply.find("docs").document().cursor();
        while (each.next()) {
            RawDocument change = each.document();
            RecordId there = RecordId.of(change.get("r").asBinary().getData());
            RawCursor document = change.find("d");
            changes.add(
                    document == null
                            ? new MoverWrite.Moved.Delete(there)
                            : new MoverWrite.Moved.Put(there, document.document()));
        }
        return changes;
    }
}
