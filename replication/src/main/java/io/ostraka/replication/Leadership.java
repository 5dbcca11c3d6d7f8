package io.ostraka.replication;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * One member's time as the leader. A write takes the current one before it reads anything and uses it to the end: its
 * proposals are refused or void once it is over.
 */
public final class Leadership {
    private final UUID incarnation;
    private final long term;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** Begins one; the group that makes it ends it. */
    public Leadership(UUID incarnation, long term) {
        this.incarnation = incarnation;
        this.term = term;
    }

    public UUID incarnation() {
        return incarnation;
    }

    public long term() {
        return term;
    }

    public boolean isOver() {
        return ended.isDone();
    }

    /** Runs something when it ends, at once if it has. */
    public void whenOver(Runnable action) {
        CompletableFuture<Void> unused = ended.thenRun(action);
    }

    /** Tells everyone who waits under it. */
    public void end() {
        ended.complete(null);
    }
}
