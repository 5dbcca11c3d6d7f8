package io.ostraka.storage;

/**
 * The disk or the database failed. Not the user's mistake and not to be answered and forgotten: a member that cannot
 * write what was decided must stop.
 */
public final class StorageFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StorageFailure(String what, Throwable cause) {
        super(what + ": " + cause.getMessage(), cause);
    }
}
