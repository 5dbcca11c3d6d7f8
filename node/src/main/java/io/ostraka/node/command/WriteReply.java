package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.UNKNOWN_REPL_WRITE_CONCERN;
import static io.ostraka.core.error.ErrorCode.UNSATISFIABLE_WRITE_CONCERN;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.node.write.WriteError;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** What replies of write commands have in common. */
final class WriteReply {
    private static final Set<ErrorCode> ENDS =
            Set.of(ErrorCode.MAX_TIME_MS_EXPIRED, ErrorCode.INTERRUPTED, ErrorCode.CURSOR_KILLED);

    private WriteReply() {}

    /** Puts {@code writeErrors}, where there are any, and {@code writeConcernError}, where the concern cannot be met. */
    static RawDocument finish(RawBuilder reply, List<WriteError> errors, Operation operation) {
        if (!errors.isEmpty()) {
            reply.openArray("writeErrors");
            for (int i = 0; i < errors.size(); i++) {
                reply.put(Integer.toString(i), RawDocument.of(errors.get(i).toBson()));
            }
            reply.close();
        }
        concern(operation).ifPresent(error -> reply.put("writeConcernError", RawDocument.of(error)));
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
        if (many && operation.options().txnNumber().isPresent()) {
            throw INVALID_OPTIONS.because("Cannot use retryable writes with %s; leave out the txnNumber", word);
        }
    }

    /** Whether an error is not one statement's but ends the command: the leadership or the operation is over. */
    static boolean endsAll(CommandException error) {
        return error.code().kind() == ErrorCode.Kind.FAILOVER || ENDS.contains(error.code());
    }

    /** A set of one member meets every concern that one member can; the write stays in any case. */
    static Optional<BsonDocument> concern(Operation operation) {
        BsonValue w = operation
                .options()
                .writeConcern()
                .map(concern -> concern.get("w"))
                .orElse(null);
        if (w != null && w.isNumber() && w.asNumber().longValue() > 1) {
            return Optional.of(error(UNSATISFIABLE_WRITE_CONCERN.because("Not enough data-bearing nodes")));
        }
        if (w != null && w.isString() && !w.asString().getValue().equals("majority")) {
            return Optional.of(error(UNKNOWN_REPL_WRITE_CONCERN.because(
                    "No write concern mode named '%s' found in replica set configuration",
                    w.asString().getValue())));
        }
        return Optional.empty();
    }

    private static BsonDocument error(CommandException error) {
        return new BsonDocument("code", new BsonInt32(error.code().number()))
                .append("codeName", new BsonString(error.code().codeName()))
                .append("errmsg", new BsonString(error.getMessage()))
                .append("errInfo", new BsonDocument());
    }
}
