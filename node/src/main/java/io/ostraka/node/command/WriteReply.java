package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.node.write.WriteError;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.RetryLabels;
import java.util.List;
import java.util.Set;

/** What replies of write commands have in common. */
final class WriteReply {
    private static final Set<ErrorCode> ENDS =
            Set.of(ErrorCode.MAX_TIME_MS_EXPIRED, ErrorCode.INTERRUPTED, ErrorCode.CURSOR_KILLED);

    private WriteReply() {}

    /** Puts {@code writeErrors}, where there are any. */
    static RawDocument finish(RawBuilder reply, List<WriteError> errors) {
        if (!errors.isEmpty()) {
            reply.openArray("writeErrors");
            for (int i = 0; i < errors.size(); i++) {
                reply.put(Integer.toString(i), RawDocument.of(errors.get(i).toBson()));
            }
            reply.close();
        }
        return reply.build();
    }

    /** Puts {@code retriedStmtIds}: the statements that were answered with what they did when they ran first. */
    static void retried(RawBuilder reply, List<Integer> statements) {
        if (!statements.isEmpty()) {
            reply.openArray("retriedStmtIds");
            for (int i = 0; i < statements.size(); i++) {
                reply.put(Integer.toString(i), statements.get(i));
            }
            reply.close();
        }
    }

    /** @throws CommandException 72 for statements of many documents in a retryable write: no result stands for them */
    static void refuseNumbered(Operation operation, boolean many, String word) {
        if (many && operation.options().txnNumber().isPresent() && !operation.isInTransaction()) {
            throw INVALID_OPTIONS.because("Cannot use retryable writes with %s; leave out the txnNumber", word);
        }
    }

    /** Whether an error is not one statement's but ends the command: the leadership or the operation is over. */
    static boolean endsAll(CommandException error, Operation operation) {
        if (operation.isInTransaction() && RetryLabels.isTransient(error.code())) {
            return true;
        }
        return error.code().kind() == ErrorCode.Kind.FAILOVER || ENDS.contains(error.code());
    }
}
