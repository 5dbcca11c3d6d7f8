package io.ostraka.replication;

import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;
import static io.ostraka.core.error.ErrorCode.NOT_WRITABLE_PRIMARY;
import static io.ostraka.core.error.ErrorCode.SHUTDOWN_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.TEMPORARILY_UNAVAILABLE;

import io.ostraka.core.error.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group of one member. The state's own journal is the log, so an entry is decided when it is applied. Concurrent
 * proposals are applied together, so that they share one write to disk.
 *
 * <p>Each opening is a new term. The thread is this group's own and ends with it.
 */
public final class LocalGroup implements ReplicaGroup {
    private static final Logger LOG = LoggerFactory.getLogger(LocalGroup.class);

    private final ReplicatedState state;
    private final ReplicationLimits limits;
    private final ProposalQueue queue;
    private final AtomicReference<Leadership> leadership = new AtomicReference<>();
    private final Thread thread;
    private LogPosition position;
    private volatile RuntimeException failure;
    private boolean closed;

    private LocalGroup(String name, ReplicatedState state, ReplicationLimits limits) {
        this.state = state;
        this.limits = limits;
        queue = new ProposalQueue(limits);
        position = state.applied();
        thread = Thread.ofPlatform().daemon().name("apply-" + name).unstarted(this::run);
    }

    /**
     * Opens a group over a state and becomes its leader.
     *
     * @param name for the thread
     * @param noOp the bytes of the leader's first entry, which the state takes as changing nothing
     */
    public static LocalGroup open(String name, ReplicatedState state, byte[] noOp, ReplicationLimits limits) {
        LocalGroup group = new LocalGroup(name, state, limits);
        long term = group.position.term() + 1;
        group.position = group.position.next(term);
        state.apply(List.of(new LogEntry(group.position, term, noOp)));
        group.leadership.set(new Leadership(group.position.incarnation(), term));
        group.thread.start();
        return group;
    }

    @Override
    public Optional<Leadership> leadership() {
        return Optional.ofNullable(leadership.get());
    }

    @Override
    public CompletableFuture<Fate> propose(Leadership under, byte[] proposal) {
        if (proposal.length > limits.proposalBytes()) {
            return refused(BSON_OBJECT_TOO_LARGE.because(
                    "the write needs %d bytes in the log; the most is %d. Write fewer or smaller documents at once.",
                    proposal.length, limits.proposalBytes()));
        }
        if (queue.isFull()) {
            return refused(TEMPORARILY_UNAVAILABLE.because("too many writes wait for the disk; try again"));
        }
        ProposalQueue.Pending pending = new ProposalQueue.Pending(under, proposal, new CompletableFuture<>());
        synchronized (this) {
            if (closed || under.isOver() || leadership.get() != under) {
                return refused(refusal());
            }
            queue.add(pending);
        }
        return pending.fate();
    }

    private CommandException refusal() {
        return closed
                ? SHUTDOWN_IN_PROGRESS.because("the server is shutting down")
                : NOT_WRITABLE_PRIMARY.because("not primary");
    }

    private static CompletableFuture<Fate> refused(CommandException reason) {
        return CompletableFuture.completedFuture(new Fate.Refused(reason));
    }

    @Override
    public void watch(Runnable changed) {
        changed.run(); // it leads from the start, to the end
    }

    @Override
    public int waiting() {
        return queue.size();
    }

    private void run() {
        List<ProposalQueue.Pending> batch = new ArrayList<>();
        boolean last = false;
        while (!last) {
            batch.clear();
            last = queue.take(batch);
            if (!batch.isEmpty()) {
                decide(batch);
            }
        }
    }

    private void decide(List<ProposalQueue.Pending> batch) {
        if (failure != null) {
            fail(batch);
            return;
        }
        List<LogEntry> entries = new ArrayList<>(batch.size());
        LogPosition at = position;
        for (ProposalQueue.Pending pending : batch) {
            at = at.next(pending.under().term());
            entries.add(new LogEntry(at, pending.under().term(), pending.proposal()));
        }
        try {
            state.apply(entries);
        } catch (RuntimeException e) {
            LOG.error("storage failed; this member takes no more writes until it is started again", e);
            failure = e;
            Leadership over = leadership.getAndSet(null);
            fail(batch);
            if (over != null) {
                over.end();
            }
            return;
        }
        position = at;
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).fate().complete(new Fate.Applied(entries.get(i).position()));
        }
    }

    /** After a failed write nobody knows what is on disk, so these keep no fate: their leadership is over instead. */
    private void fail(List<ProposalQueue.Pending> batch) {
        for (ProposalQueue.Pending pending : batch) {
            pending.fate()
                    .completeExceptionally(
                            NOT_WRITABLE_PRIMARY.because("storage failed; the result of the write is unknown"));
        }
    }

    @Override
    public void close() {
        Leadership over;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            over = leadership.getAndSet(null);
            queue.end();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (over != null) {
            over.end();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
