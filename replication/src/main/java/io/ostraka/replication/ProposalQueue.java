package io.ostraka.replication;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Proposals on their way to the log, from many threads to one that takes them in batches. */
public final class ProposalQueue {
    private static final Logger LOG = LoggerFactory.getLogger(ProposalQueue.class);

    /** What lies in the queue. */
    public sealed interface Item {
        /** No more will come. */
        record Last() implements Item {}
    }

    /**
     * A proposal that waits.
     *
     * @param fate completed by whoever decides it
     */
    public record Pending(Leadership under, byte[] proposal, CompletableFuture<Fate> fate) implements Item {}

    private final LinkedBlockingQueue<Item> queue = new LinkedBlockingQueue<>();
    private final ReplicationLimits limits;

    public ProposalQueue(ReplicationLimits limits) {
        this.limits = limits;
    }

    public int size() {
        return queue.size();
    }

    /** Whether no more may wait. */
    public boolean isFull() {
        return queue.size() >= limits.waitingProposals();
    }

    public void add(Pending pending) {
        queue.add(pending);
    }

    /** Ends the taking thread's work once it has what was added before. */
    public void end() {
        queue.add(new Item.Last());
    }

    /**
     * Waits for one proposal and takes what came with it, as far as one batch may hold.
     *
     * @return true if no more will come
     */
    public boolean take(List<Pending> batch) {
        int bytes = 0;
        Item next = waitForOne();
        while (next instanceof Pending pending) {
            batch.add(pending);
            bytes += pending.proposal().length;
            boolean full = batch.size() >= limits.batchProposals()
                    || queue.peek() instanceof Pending following
                            && bytes + following.proposal().length > limits.batchBytes();
            next = full ? null : queue.poll();
        }
        return next instanceof Item.Last;
    }

    private Item waitForOne() {
        while (true) {
            try {
                return queue.take();
            } catch (InterruptedException e) {
                // Only end() ends the taking thread; what was proposed gets its fate.
                LOG.debug("an interrupt of the thread that takes proposals is ignored", e);
            }
        }
    }
}
