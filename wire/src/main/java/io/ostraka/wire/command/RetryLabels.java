package io.ostraka.wire.command;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import java.util.Set;

/** The labels by which drivers know that they may repeat a numbered write. */
public final class RetryLabels {
    /** The write may be sent again with its number. */
    public static final String RETRYABLE = "RetryableWriteError";

    /** The attempt that got this error changed nothing, so an error of an earlier attempt says more. */
    public static final String NOTHING_WRITTEN = "NoWritesPerformed";

    /** The transaction may be begun anew. */
    public static final String TRANSIENT = "TransientTransactionError";

    /** The codes the drivers' specification of retryable writes names. */
    private static final Set<ErrorCode> CODES = Set.of(
            ErrorCode.HOST_UNREACHABLE,
            ErrorCode.HOST_NOT_FOUND,
            ErrorCode.NETWORK_TIMEOUT,
            ErrorCode.SHUTDOWN_IN_PROGRESS,
            ErrorCode.PRIMARY_STEPPED_DOWN,
            ErrorCode.EXCEEDED_TIME_LIMIT,
            ErrorCode.SOCKET_EXCEPTION,
            ErrorCode.NOT_WRITABLE_PRIMARY,
            ErrorCode.INTERRUPTED_AT_SHUTDOWN,
            ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE,
            ErrorCode.NOT_PRIMARY_NO_SECONDARY_OK,
            ErrorCode.NOT_PRIMARY_OR_SECONDARY,
            ErrorCode.READ_CONCERN_MAJORITY_NOT_AVAILABLE_YET);

    /** What makes a statement fail though the same transaction may succeed when it is begun anew. */
    private static final Set<ErrorCode> PASSING = Set.of(
            ErrorCode.WRITE_CONFLICT,
            ErrorCode.LOCK_TIMEOUT,
            ErrorCode.SNAPSHOT_UNAVAILABLE,
            ErrorCode.SNAPSHOT_TOO_OLD,
            ErrorCode.STALE_CONFIG,
            ErrorCode.STALE_DB_VERSION,
            ErrorCode.NO_SUCH_TRANSACTION);

    private static final Set<String> ENDS = Set.of("commitTransaction", "abortTransaction");

    private RetryLabels() {}

    /** Whether a numbered write may be sent again after this error. */
    public static boolean isRetryable(ErrorCode code) {
        return CODES.contains(code);
    }

    /** Whether the transaction whose statement got this error may be begun anew. */
    public static boolean isTransient(ErrorCode code) {
        return PASSING.contains(code) || CODES.contains(code);
    }

    /** The error of an operation as its client is told. */
    static CommandException on(CommandException failed, Operation operation) {
        if (operation.isInTransaction()) {
            return inTransaction(failed, ENDS.contains(operation.command()));
        }
        if (operation.options().txnNumber().isEmpty() || !isRetryable(failed.code())) {
            return failed;
        }
        CommandException labelled = failed.labelled(RETRYABLE);
        return operation.hasProposed() ? labelled : labelled.labelled(NOTHING_WRITTEN);
    }

    /** @param ends whether it is the commit or the abort: those may be sent again as they are */
    private static CommandException inTransaction(CommandException failed, boolean ends) {
        if (ends && isRetryable(failed.code())) {
            return failed.labelled(RETRYABLE);
        }
        return isTransient(failed.code()) ? failed.labelled(TRANSIENT) : failed;
    }
}
