package io.ostraka.replication.raft;

/** The library failed where it must not: this member can take no part any more. */
public final class RaftFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    RaftFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
