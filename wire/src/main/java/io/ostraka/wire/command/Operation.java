package io.ostraka.wire.command;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED;
import static io.ostraka.core.error.ErrorCode.MAX_TIME_MS_EXPIRED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One command being run: who asked, by when, in which session, with which concerns. Passed down as a parameter; there
 * are no thread-locals. Safe for many threads; only the kill mark and the placed namespace change.
 */
public final class Operation {
    /** The generic fields of the request. */
    public record Options(
            String database,
            Optional<RawDocument> lsid,
            OptionalLong txnNumber,
            List<Integer> stmtIds,
            Optional<RawDocument> readConcern,
            Optional<RawDocument> writeConcern,
            Optional<RawDocument> readPreference,
            Optional<RawDocument> shardVersion,
            Optional<RawDocument> databaseVersion,
            Optional<org.bson.BsonValue> comment) {}

    private final long id;
    private final Client client;
    private final String command;
    private final RawDocument request;
    private final Options options;
    private final Deadline deadline;
    private final long startedNanos;
    private final AtomicReference<CommandException> killed = new AtomicReference<>();

    public Operation(
            long id,
            Client client,
            String command,
            RawDocument request,
            Options options,
            Deadline deadline,
            long startedNanos) {
        this.id = id;
        this.client = client;
        this.command = command;
        this.request = request;
        this.options = options;
        this.deadline = deadline;
        this.startedNanos = startedNanos;
    }

    /** The number {@code currentOp} shows and {@code killOp} takes. */
    public long id() {
        return id;
    }

    public Client client() {
        return client;
    }

    /** The command's canonical name. */
    public String command() {
        return command;
    }

    /** The body as it came, for forwarding and for {@code currentOp}. */
    public RawDocument request() {
        return request;
    }

    public Options options() {
        return options;
    }

    public String database() {
        return options.database();
    }

    public Deadline deadline() {
        return deadline;
    }

    public long startedNanos() {
        return startedNanos;
    }

    /** Marks the operation; it ends with this error at its next {@link #checkAlive}. The first mark stays. */
    public void kill(CommandException reason) {
        killed.compareAndSet(null, reason);
    }

    /**
     * Ends an operation that was killed or is late. Called between rows, batches and waits, at least every few
     * milliseconds of work.
     *
     * @throws CommandException 50 MaxTimeMSExpired, 11601 Interrupted, or what {@link #kill} was given
     */
    public void checkAlive() {
        CommandException reason = killed.get();
        if (reason != null) {
            throw reason;
        }
        if (deadline.hasPassed()) {
            throw MAX_TIME_MS_EXPIRED.because("operation exceeded time limit");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw INTERRUPTED.because("operation was interrupted");
        }
    }
}
