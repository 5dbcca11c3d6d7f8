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

    /** How many proposals wait for their fate. */
    int waiting();

    /** Ends this member's leadership and its part in the group; every waiting proposal gets its fate first. */
    @Override
    void close();
}
