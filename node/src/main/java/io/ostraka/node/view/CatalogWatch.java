package io.ostraka.node.view;

import static io.ostraka.core.error.ErrorCode.EXCEEDED_TIME_LIMIT;

import io.ostraka.node.apply.Progress;
import io.ostraka.wire.command.Operation;

/**
 * Looks at the catalog again and again until it is as an operation needs it: {@link #note} first, then look, then
 * {@link #await} the next change. So no change falls between, and a wait never ends without one. One operation, one
 * thread.
 */
public final class CatalogWatch {
    /** Within which a range that is being handed over has an owner again, all waits of the operation together. */
    private static final long LONGEST_NANOS = 60_000_000_000L;

    private final Progress progress;
    private final Operation operation;
    private long noted;
    private long since;
    private boolean hasWaited;

    CatalogWatch(Progress progress, Operation operation) {
        this.progress = progress;
        this.operation = operation;
    }

    /** Whatever changes from now on ends the next wait. */
    public void note() {
        noted = progress.catalogChanges();
    }

    /**
     * Waits for a change since {@link #note}.
     *
     * @throws io.ostraka.core.error.CommandException what ended the operation; 262 ExceededTimeLimit after a minute
     */
    public void await() {
        long now = operation.deadline().clock().nanos();
        if (!hasWaited) {
            hasWaited = true;
            since = now;
        }
        operation.await(
                progress.catalogChangeAfter(noted),
                LONGEST_NANOS - (now - since),
                () -> EXCEEDED_TIME_LIMIT.because(
                        "what the operation needs has been between two shards for %d seconds; try again, and see whether the config servers run",
                        LONGEST_NANOS / 1_000_000_000L));
    }
}
