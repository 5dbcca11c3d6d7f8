package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;

import io.ostraka.node.change.Proposal;
import io.ostraka.node.change.ProposalCodec;
import io.ostraka.node.lock.LockSet;
import io.ostraka.replication.Fate;
import io.ostraka.replication.ReplicaGroup;
import io.ostraka.storage.DiskReserve;
import io.ostraka.wire.command.HybridClock;
import io.ostraka.wire.command.Operation;
import java.util.concurrent.CompletableFuture;

/** Proposes what was evaluated, and ties the locks to its fate. Safe for many threads. */
public final class Proposer {
    /** How long after the end of a leadership a client waits for what became of its write. */
    private static final long AFTER_LEADERSHIP_NANOS = 500_000_000;

    private final ReplicaGroup group;
    private final HybridClock clock;
    private final DiskReserve reserve;

    public Proposer(ReplicaGroup group, HybridClock clock, DiskReserve reserve) {
        this.group = group;
        this.clock = clock;
        this.reserve = reserve;
    }

    /** The leader's hybrid reading. */
    public long reading() {
        return clock.reading().getValue();
    }

    /** What is kept free of the disk. */
    public DiskReserve reserve() {
        return reserve;
    }

    /** @throws io.ostraka.core.error.CommandException 14031 OutOfDiskSpace */
    public void checkDisk() {
        reserve.check();
    }

    /**
     * Proposes and waits for the fate as long as the operation lives. The locks are let go when the fate is known, be
     * it after this has thrown; with an empty list at once.
     *
     * @throws io.ostraka.core.error.CommandException why it was refused; or that the leadership ended and it is void or unknown
     */
    public void propose(LockSet locks, ChangeList changes, Operation operation) {
        if (changes.isEmpty()) {
            locks.close();
            return;
        }
        operation.proposes();
        byte[] bytes = ProposalCodec.encode(new Proposal(reading(), changes.build()));
        CompletableFuture<Fate> fate = group.propose(locks.leadership(), bytes);
        CompletableFuture<Fate> released = fate.whenComplete((_, _) -> locks.close());
        switch (awaitFate(locks, released, operation)) {
            case Fate.Applied _ -> changes.applied();
            case Fate.Refused(var reason) -> {
                changes.refused();
                throw reason;
            }
            case Fate.Void _ ->
                throw INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.because(
                        "the leadership ended before the write was decided; it did not happen");
        }
    }

    /** Waits for the fate; a leadership that ended and has told none soon will perhaps not tell for long. */
    private static Fate awaitFate(LockSet locks, CompletableFuture<Fate> fate, Operation operation) {
        boolean over = false;
        while (!operation.waitFor(fate, AFTER_LEADERSHIP_NANOS)) {
            if (over) {
                throw INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.because(
                        "this member is not primary any more, and whether the write happened is not known yet");
            }
            over = locks.leadership().isOver();
        }
        return operation.await(fate);
    }
}
