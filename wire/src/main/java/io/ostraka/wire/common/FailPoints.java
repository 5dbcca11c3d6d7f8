package io.ostraka.wire.common;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandTable;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.message.Message;
import io.ostraka.wire.message.Reply;
import io.ostraka.wire.server.RequestHandler;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * {@code configureFailPoint} with {@code failCommand}: makes commands of clients fail, so that drivers can be tested. Only
 * in processes that were started with {@code --setParameter enableTestCommands=1}. Safe for many threads.
 *
 * <pre>
 * { configureFailPoint: "failCommand", mode: "off" | "alwaysOn" | { times: n } | { skip: n },
 *   data: { failCommands: [ name, … ], errorCode?, errorLabels?, closeConnection?, blockConnection?, blockTimeMS?,
 *           appName?, writeConcernError?, failInternalCommands? } }  →  { count }
 * </pre>
 */
public final class FailPoints {
    private static final long BLOCKED_MILLIS_MAX = 600_000;

    private volatile Optional<FailCommand> point = Optional.empty();

    /** The command that turns them on and off. */
    public Command<?> command() {
        return new Small("configureFailPoint", Needs.admin("configureFailPoint", Needs.Kind.CONTROL), this::configure);
    }

    private BsonDocument configure(Fields fields, Operation operation) {
        String name = fields.requiredString("configureFailPoint");
        if (!name.equals("failCommand")) {
            throw BAD_VALUE.because("there is no fail point '%s' here, only 'failCommand'", name);
        }
        long entered = point.map(FailCommand::entered).orElse(0L);
        FailCommand.Mode mode = FailCommand.Mode.of(fields.requiredValue("mode"));
        if (mode.isOff()) {
            point = Optional.empty();
        } else {
            RawDocument data = fields.document("data")
                    .orElseThrow(() -> FAILED_TO_PARSE.because("failCommand needs 'data' with its 'failCommands'"));
            point = Optional.of(FailCommand.of(mode, data.toBson()));
        }
        return new BsonDocument("count", new BsonInt64(entered));
    }

    /**
     * A handler that fails what it was told to fail, and lets another answer the rest.
     *
     * @param table knows the other spellings of commands
     */
    public RequestHandler before(RequestHandler inner, CommandTable table) {
        return (message, client, killed) -> {
            Optional<FailCommand> met = point.filter(each -> each.meets(name(message, table), client));
            return met.isPresent()
                    ? fail(met.get(), inner, message, client, killed)
                    : inner.run(message, client, killed);
        };
    }

    private static String name(Message message, CommandTable table) {
        String spelling = String.valueOf(message.body().firstName());
        return table.find(spelling).map(Command::name).orElse(spelling);
    }

    private static Reply fail(
            FailCommand failing,
            RequestHandler inner,
            Message message,
            Client client,
            CompletableFuture<CommandException> killed)
            throws IOException {
        failing.blockMillis().ifPresent(millis -> block(Math.min(millis, BLOCKED_MILLIS_MAX), killed));
        if (failing.closesConnection()) {
            throw new IOException("closed by failCommand");
        }
        Optional<RawDocument> error = failing.error(message.body());
        if (error.isPresent()) {
            return Reply.of(error.get());
        }
        RawDocument reply = inner.run(message, client, killed).whole();
        return Reply.of(failing.withConcernError(reply, message.body()));
    }

    private static void block(long millis, CompletableFuture<CommandException> killed) {
        try {
            CommandException unused = killed.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException passed) {
            return;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException ended) {
            throw new IllegalStateException(ended);
        }
    }

    /** The same reply with fields of another. */
    static RawDocument with(RawDocument reply, BsonDocument more) {
        RawBuilder all = new RawBuilder(reply.size() + 256);
        RawCursor field = reply.cursor();
        while (field.next()) {
            if (!more.containsKey(field.name())) {
                all.element(field);
            }
        }
        return all.elements(RawDocument.of(more)).build();
    }
}
