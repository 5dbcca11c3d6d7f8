package io.ostraka.replication;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The members that share one log, seen from one of them. */
public interface ReplicaGroup extends AutoCloseable {
    /** This member's leadership, once its own first entry is applied; empty if another leads or none. */
    Optional<Leadership> leadership();

    /**
     * Proposes bytes evaluated under a leadership. Returns at once; the future is completed with the fate, from
     * another thread; it fails only where the fate stays unknown (storage failed here), and the leadership ends with it.
     *
     * @param proposal at most {@link ReplicationLimits#proposalBytes}; not changed afterwards
     */
    CompletableFuture<Fate> propose(Leadership leadership, byte[] proposal);

    /**
     * Has something run after each change of who leads; at once, if somebody does. It runs on a thread of the group's and
     * must not wait for it.
     */
    void watch(Runnable changed);

    /** How many proposals wait for their fate. */
    int waiting();

    /**
     * Ends this member's leadership and its part in the group. Where the members are one, every waiting proposal gets its
     * fate first; otherwise what is not decided yet stays unknown.
     */
    @Override
    void close();
}
