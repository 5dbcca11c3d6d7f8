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

    private RetryLabels() {}

    /** Whether a numbered write may be sent again after this error. */
    public static boolean isRetryable(ErrorCode code) {
        return CODES.contains(code);
    }

    /** The error of an operation as its client is told. */
    static CommandException on(CommandException failed, Operation operation) {
        if (operation.options().txnNumber().isEmpty() || !isRetryable(failed.code())) {
            return failed;
        }
        CommandException labelled = failed.labelled(RETRYABLE);
        return operation.hasProposed() ? labelled : labelled.labelled(NOTHING_WRITTEN);
    }
}
