package io.ostraka.sharding.mover;

import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.INTERRUPTED_AT_SHUTDOWN;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Ownership;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.view.View;
import io.ostraka.node.write.AtomicWrite;
import io.ostraka.sharding.catalog.MovePlan;
import io.ostraka.sharding.shard.KeyIndex;
import io.ostraka.sharding.shard.MoveRows;
import io.ostraka.sharding.shard.StoredRows;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One move on its donor, from the plan to the decision. {@link #run} is the job; pages and rows are served meanwhile by
 * {@link DonationFeed}.
 */
final class Donation {
    private static final Logger LOG = LoggerFactory.getLogger(Donation.class);

    /** How a move ended, and why if it did not succeed. */
    record Outcome(MovePlan.Decision decision, String reason) {}

    private final MoverParts parts;
    private final MovePlan plan;
    private final List<String> recipients;
    private final String self;
    private final KeyRange range;
    private final Pull pull = new Pull();
    private volatile boolean closed;
    private BsonDocument sent = new BsonDocument();

    /**
     * @param recipients the recipient's members
     * @param self this member's address
     */
    Donation(MoverParts parts, MovePlan plan, KeyRange range, List<String> recipients, String self) {
        this.parts = parts;
        this.plan = plan;
        this.range = range;
        this.recipients = recipients;
        this.self = self;
    }

    MovePlan plan() {
        return plan;
    }

    KeyRange range() {
        return range;
    }

    /** What the recipient last said. */
    Pull pull() {
        return pull;
    }

    /** Ends the job at its next wait; the stored state is where the next one begins. */
    void close() {
        closed = true;
        pull.changed();
    }

    private BsonBinary id() {
        return new BsonBinary(plan.id());
    }

    private Optional<BsonDocument> stored() {
        try (View view = parts.member().view()) {
            return StoredRows.get(view, MoveRows.DONATIONS, id());
        }
    }

    /**
     * Takes the move to its end.
     *
     * @throws CommandException of kind USER if it cannot begin or go on; of another kind if it must be tried again
     */
    Outcome run() {
        BsonDocument row = stored().orElseGet(this::begin);
        String state = MoveRows.state(row);
        if (state.equals("BLOCKED")) {
            unblock("FOLLOWING");
            state = "FOLLOWING";
        }
        if (state.equals("FOLLOWING")) {
            Optional<String> failure = copyUntilDrained();
            if (failure.isPresent()) {
                return abort(failure.get());
            }
        }
        return finish();
    }

    /** Fixes T0: from here on the oplog holds whatever pages may miss. */
    private BsonDocument begin() {
        parts.deleter().finish(plan.uuid(), range);
        return parts.member()
                .transact(
                        List.of(MoveRows.DONATIONS),
                        List.of(plan.namespace()),
                        parts.operation("moveRange"),
                        evaluation -> {
                            check(evaluation);
                            BsonDocument row = MoveRows.of(plan.id(), plan.namespace(), plan.uuid(), range)
                                    .append("state", new BsonString("FOLLOWING"))
                                    .append(
                                            "t0",
                                            new BsonInt64(evaluation.view().time()));
                            evaluation.put(MoveRows.DONATIONS, row);
                            return row;
                        });
    }

    private void check(AtomicWrite.Evaluation evaluation) {
        CollectionEntry entry = evaluation
                .view()
                .find(plan.namespace())
                .filter(found -> found.uuid().equals(plan.uuid()))
                .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("'%s' is not here any more", plan.namespace()));
        Ownership ownership = entry.ownership()
                .filter(owned -> owned.version().generation().equals(plan.generation()))
                .orElseThrow(() -> CONFLICTING_OPERATION_IN_PROGRESS.because(
                        "'%s' is not the collection the move was planned for any more", plan.namespace()));
        if (!ownership.owned().covers(range)) {
            throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                    "the range from %s to %s is not all here",
                    plan.min().toJson(), plan.max().toJson());
        }
        if (ownership.blocked().overlaps(range)) {
            throw CONFLICTING_OPERATION_IN_PROGRESS.because("the range is being changed by another operation");
        }
        if (KeyIndex.of(entry, ownership.key()).isEmpty()) {
            throw INVALID_OPTIONS.because(
                    "'%s' has no index that begins with the shard key %s and can be used to move documents",
                    plan.namespace(), ownership.key());
        }
    }

    /** Clone and follow until the recipient has everything and writers are blocked; or why that cannot be. */
    private Optional<String> copyUntilDrained() {
        int attempts = 0;
        try {
            startRecipient();
            while (true) {
                awaitCaughtUp();
                if (block()) {
                    return Optional.empty();
                }
                attempts++;
                LOG.info("move {} of {} steps back to following, {} times now", plan.id(), plan.namespace(), attempts);
            }
        } catch (CommandException e) {
            if (e.code().kind() == ErrorCode.Kind.USER) {
                return Optional.of(e.getMessage());
            }
            throw e;
        }
    }

    private void startRecipient() {
        BsonDocument command = new BsonDocument(
                        "_shardsvrReceive", new BsonString(plan.namespace().toString()))
                .append("plan", plan.toBson())
                .append("from", new BsonString(self))
                .append(
                        "t0",
                        new BsonInt64(stored().orElseThrow().getInt64("t0").getValue()));
        try (View view = parts.member().view()) {
            CollectionEntry entry = view.catalog()
                    .find(plan.uuid())
                    .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("'%s' is not here any more", plan.namespace()));
            sent = shape(entry);
            command.putAll(sent);
            command.append("key", entry.ownership().orElseThrow().key().pattern());
        }
        callRecipient(command);
        pull.heard(parts.clock().nanos());
    }

    /** What the recipient makes its part of the collection from. */
    private static BsonDocument shape(CollectionEntry entry) {
        BsonArray indexes = new BsonArray();
        entry.indexes().stream()
                .filter(index -> index.isReady() && !index.definition().isId())
                .forEach(index -> indexes.add(index.definition().toDocument().toBson()));
        return new BsonDocument("options", entry.options()).append("indexes", indexes);
    }

    /** A recipient that does not own anything yet hears nothing of a collMod or createIndexes: the move begins anew. */
    private void checkShape(AtomicWrite.Evaluation evaluation) {
        boolean changed = evaluation
                .view()
                .find(plan.namespace())
                .filter(entry -> !shape(entry).equals(sent))
                .isPresent();
        if (changed) {
            throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                    "the options or indexes of '%s' were changed during the move; try again", plan.namespace());
        }
    }

    private void callRecipient(BsonDocument command) {
        CommandException last = null;
        for (String host : recipients) {
            try {
                var ignored = parts.call(host, command);
                return;
            } catch (CommandException e) {
                last = e;
            }
        }
        throw last;
    }

    private void awaitCaughtUp() {
        while (!pull.isCaughtUp()) {
            long silent = parts.clock().nanos() - pull.heardNanos();
            if (silent > parts.limits().silenceMillis() * 1_000_000) {
                startRecipient();
            }
            awaitPull(pull::isCaughtUp, parts.limits().silenceMillis());
        }
    }

    private void awaitPull(BooleanSupplier holds, long millis) {
        pull.await(() -> closed || holds.getAsBoolean() || pull.failure().isPresent(), millis);
        if (closed) {
            throw INTERRUPTED_AT_SHUTDOWN.because("the donor is shutting down; the move goes on later");
        }
        if (pull.failure().isPresent()) {
            throw pull.failure().get();
        }
    }

    /** Blocks the range's writers until the recipient has the tail; false if that took longer than the bound. */
    private boolean block() {
        long began = parts.clock().nanos();
        Deadline bound = Deadline.in(parts.clock(), parts.limits().blockedMillis());
        try {
            change("BLOCKED", owned -> owned.block(range), Optional.empty());
            Operation draining = parts.member().internal("moveRange", bound);
            parts.member().term().locks().drain(ident(), range, draining);
            pull.blockAt(time());
            while (pull.drained().isEmpty()) {
                draining.checkAlive();
                awaitPull(() -> pull.drained().isPresent(), Math.max(1, bound.nanosLeft() / 1_000_000));
            }
            change("COMMITTING", owned -> owned.commit(range), pull.drained());
            LOG.debug(
                    "writers of the range were blocked for {} µs",
                    (parts.clock().nanos() - began) / 1000);
            return true;
        } catch (CommandException e) {
            pull.unblock();
            unblock("FOLLOWING");
            if (e.code() == ErrorCode.MAX_TIME_MS_EXPIRED) {
                return false;
            }
            throw e;
        }
    }

    private int ident() {
        return parts.member()
                .views()
                .catalog()
                .find(plan.uuid())
                .map(CollectionEntry::ident)
                .orElseThrow(() -> NAMESPACE_NOT_FOUND.because("'%s' is not here any more", plan.namespace()));
    }

    private long time() {
        try (View view = parts.member().view()) {
            return view.time();
        }
    }

    private void unblock(String state) {
        change(state, owned -> owned.release(range), Optional.empty());
    }

    /** Stores a new state together with what it means for the range. */
    private void change(String state, UnaryOperator<Ownership> ownership, Optional<Pull.Drained> drained) {
        parts.member()
                .transact(
                        List.of(MoveRows.DONATIONS),
                        List.of(plan.namespace()),
                        parts.operation("moveRange"),
                        evaluation -> {
                            if (drained.isPresent()) {
                                checkShape(evaluation);
                            }
                            evaluation
                                    .view()
                                    .find(plan.namespace())
                                    .filter(entry -> entry.uuid().equals(plan.uuid()))
                                    .flatMap(CollectionEntry::ownership)
                                    .ifPresent(owned -> evaluation.setOwnership(
                                            plan.namespace(), Optional.of(ownership.apply(owned))));
                            BsonDocument row = MoveRows.in(
                                    StoredRows.get(evaluation.view(), MoveRows.DONATIONS, id())
                                            .orElseThrow(),
                                    state);
                            drained.ifPresent(all -> {
                                row.put("documents", new BsonInt64(all.documents()));
                                row.put("bytes", new BsonInt64(all.bytes()));
                            });
                            evaluation.put(MoveRows.DONATIONS, row);
                            return null;
                        });
    }

    /** From COMMITTING on only the config servers' recorded decision counts: they may have said yes already. */
    private Outcome finish() {
        BsonDocument row = stored().orElseThrow();
        MovePlan.Decision decision = MoveRows.state(row).equals("GIVEN") ? MovePlan.Decision.COMMITTED : decide(row);
        if (decision == MovePlan.Decision.ABORTED) {
            return abort("the config servers recorded an abort");
        }
        callRecipient(new BsonDocument(
                        "_shardsvrReceived", new BsonString(plan.namespace().toString()))
                .append("plan", plan.toBson()));
        parts.refresher().refresh(plan.namespace(), parts.operation("moveRange"));
        forget();
        if (plan.waitForDelete()) {
            parts.deleter().finish(plan.uuid(), range);
        }
        return new Outcome(decision, "");
    }

    private MovePlan.Decision decide(BsonDocument row) {
        BsonDocument details = new BsonDocument(
                        "counts",
                        new BsonDocument("cloned", new BsonInt64(MoveRows.documents(row)))
                                .append("clonedBytes", new BsonInt64(MoveRows.bytes(row))))
                .append("movedBy", new BsonString(self));
        try {
            BsonDocument reply =
                    parts.config(new BsonDocument("_configsvrCommitMove", id()).append("details", details));
            return MovePlan.Decision.valueOf(reply.getString("decision").getValue());
        } catch (CommandException e) {
            if (e.code() != ErrorCode.NO_SUCH_KEY) {
                throw e;
            }
            // A committed plan stays until its donor has finished: one that is not there was never committed.
            return MovePlan.Decision.ABORTED;
        }
    }

    /** Writers go on; the recipient is told to clean up by the config servers. */
    private Outcome abort(String reason) {
        BsonDocument reply =
                parts.config(new BsonDocument("_configsvrSettleMove", id()).append("reason", new BsonString(reason)));
        if (MovePlan.Decision.valueOf(reply.getString("decision").getValue()) == MovePlan.Decision.COMMITTED) {
            return finish();
        }
        unblock("ABORTED");
        forget();
        return new Outcome(MovePlan.Decision.ABORTED, reason);
    }

    private void forget() {
        parts.member().transact(List.of(MoveRows.DONATIONS), List.of(), parts.operation("moveRange"), evaluation -> {
            boolean ignored = evaluation.delete(MoveRows.DONATIONS, id());
            return null;
        });
    }
}
