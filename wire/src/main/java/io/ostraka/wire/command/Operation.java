package io.ostraka.wire.command;

import static io.ostraka.core.error.ErrorCode.EXCEEDED_TIME_LIMIT;
import static io.ostraka.core.error.ErrorCode.INTERRUPTED;
import static io.ostraka.core.error.ErrorCode.MAX_TIME_MS_EXPIRED;
import static io.ostraka.core.error.ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * One command being run: who asked, by when, in which session, with which concerns. Passed down as a parameter; there
 * are no thread-locals. Safe for many threads; only the marks of being killed and of having
 * proposed something change.
 */
public final class Operation {
    /** Whether a request is a statement of a multi-document transaction. */
    public enum InTransaction {
        NO,
        /** Its first: {@code startTransaction: true}. */
        STARTS,
        /** A later one, or its end: {@code autocommit: false}. */
        CONTINUES
    }

    /** The generic fields of the request. */
    public record Options(
            String database,
            Optional<RawDocument> lsid,
            OptionalLong txnNumber,
            InTransaction transaction,
            List<Integer> stmtIds,
            Optional<RawDocument> readConcern,
            Optional<RawDocument> writeConcern,
            Optional<RawDocument> readPreference,
            Optional<RawDocument> shardVersion,
            Optional<RawDocument> databaseVersion,
            Optional<org.bson.BsonValue> comment) {
        /** The number of the statement at a place among a command's: as sent, or counted on from what was sent. */
        public int statement(int place) {
            if (place < stmtIds.size()) {
                return stmtIds.get(place);
            }
            return stmtIds.isEmpty() ? place : stmtIds.getLast() + place - stmtIds.size() + 1;
        }

        /** These of a write that belongs to a larger operation: its database, with the write concern alone. */
        public Options ofWrite(String writtenTo) {
            return new Options(
                    writtenTo,
                    Optional.empty(),
                    OptionalLong.empty(),
                    InTransaction.NO,
                    List.of(),
                    Optional.empty(),
                    writeConcern,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    comment);
        }

        /** These of some of a command's statements, sent as a command of their own. */
        public Options ofStatements(String writtenTo, List<Integer> numbers) {
            return new Options(
                    writtenTo,
                    lsid,
                    txnNumber,
                    transaction,
                    List.copyOf(numbers),
                    readConcern,
                    writeConcern,
                    readPreference,
                    Optional.empty(),
                    Optional.empty(),
                    comment);
        }

        /** No options but the database: for operations a process starts by itself, and for tests. */
        public static Options of(String database) {
            return new Options(
                    database,
                    Optional.empty(),
                    OptionalLong.empty(),
                    InTransaction.NO,
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
    }

    /** An operation of the process itself, not asked for by any client: TTL, a coordinator, a background task. */
    public static Operation ofProcess(String name, String database, Deadline deadline) {
        return new Operation(
                0,
                Client.INTERNAL,
                name,
                RawDocument.EMPTY,
                Options.of(database),
                deadline,
                deadline.clock().nanos());
    }

    private final long id;
    private final Client client;
    private final String command;
    private final RawDocument request;
    private final Options options;
    private final Deadline deadline;
    private final long startedNanos;
    private final AtomicBoolean proposed;
    private final CompletableFuture<CommandException> killed;
    private final TimeSlice slice;

    public Operation(
            long id,
            Client client,
            String command,
            RawDocument request,
            Options options,
            Deadline deadline,
            long startedNanos) {
        this(id, client, command, request, options, deadline, startedNanos, new CompletableFuture<>());
    }

    /** @param killed ends the operation, as {@link #kill} does, when it is completed */
    public Operation(
            long id,
            Client client,
            String command,
            RawDocument request,
            Options options,
            Deadline deadline,
            long startedNanos,
            CompletableFuture<CommandException> killed) {
        this(id, client, command, request, options, deadline, startedNanos, killed, new AtomicBoolean());
    }

    private Operation(
            long id,
            Client client,
            String command,
            RawDocument request,
            Options options,
            Deadline deadline,
            long startedNanos,
            CompletableFuture<CommandException> killed,
            AtomicBoolean proposed) {
        this.proposed = proposed;
        this.id = id;
        this.client = client;
        this.command = command;
        this.request = request;
        this.options = options;
        this.deadline = deadline;
        this.startedNanos = startedNanos;
        this.killed = killed;
        this.slice = new TimeSlice(deadline.clock(), startedNanos);
    }

    /**
     * A part of this operation that is a command of its own, as the writes of a pipeline are: killed with it, by the same
     * deadline.
     *
     * @param body what it would have come as
     */
    public Operation part(String name, RawDocument body, Options ofPart) {
        return new Operation(id, client, name, body, ofPart, deadline, startedNanos, killed, proposed);
    }

    /** The same, killed with it, without its deadline: where that says how long to wait for something, not when to fail. */
    public Operation unhurried() {
        return new Operation(
                id,
                client,
                command,
                request,
                options,
                Deadline.never(deadline.clock()),
                startedNanos,
                killed,
                proposed);
    }

    /** The number {@code currentOp} shows and {@code killOp} takes. */
    public long id() {
        return id;
    }

    /** Whether this is a statement of a multi-document transaction, or its end. */
    public boolean isInTransaction() {
        return options.transaction() != InTransaction.NO;
    }

    public Client client() {
        return client;
    }

    /** @throws CommandException 263 in a multi-document transaction */
    public void refuseInTransaction(String what) {
        if (isInTransaction()) {
            throw OPERATION_NOT_SUPPORTED_IN_TRANSACTION.because(
                    "%s cannot be used in a multi-document transaction", what);
        }
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

    /** From here on the operation may have changed something. */
    public void proposes() {
        proposed.set(true);
    }

    /** Whether it may have changed something, here or elsewhere. */
    public boolean hasProposed() {
        return proposed.get();
    }

    /** Marks the operation; it ends with this error at its next {@link #checkAlive}. The first mark stays. */
    public void kill(CommandException reason) {
        killed.complete(reason);
    }

    /**
     * Waits for something, as long as the operation lives. The thread is never interrupted for it: an interrupt would
     * close whatever socket the thread happens to be using.
     *
     * @return what the future was completed with
     * @throws CommandException what {@link #checkAlive} would throw, or the future's own if it failed with one
     */
    public <T> T await(CompletableFuture<T> future) {
        return await(future, deadline.nanosLeft(), () -> MAX_TIME_MS_EXPIRED.because("operation exceeded time limit"));
    }

    /**
     * The same, at most so long.
     *
     * @param late makes what is thrown when neither the future nor the operation has ended by then
     */
    public <T> T await(CompletableFuture<T> future, long nanosAtMost, Supplier<CommandException> late) {
        if (!waitFor(future, nanosAtMost)) {
            throw late.get();
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof CommandException known) {
                throw known;
            }
            throw failed;
        }
    }

    /**
     * Waits for something at most so long, as long as the operation lives. The future must be the operation's own, or
     * what waits on it piles up.
     *
     * @return whether it is done, well or not
     * @throws CommandException what {@link #checkAlive} would throw
     */
    public boolean waitFor(CompletableFuture<?> future, long nanosAtMost) {
        try {
            if (!future.isDone()) {
                CompletableFuture<Object> first = CompletableFuture.anyOf(future, killed);
                if (nanosAtMost == Long.MAX_VALUE && deadline.isNever()) {
                    first.get();
                } else {
                    first.get(Math.min(nanosAtMost, deadline.nanosLeft()), TimeUnit.NANOSECONDS);
                }
            }
        } catch (TimeoutException over) {
            checkAlive();
            return future.isDone();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw INTERRUPTED.because("operation was interrupted");
        } catch (ExecutionException failed) {
            return true;
        }
        if (!future.isDone()) {
            checkAlive();
        }
        return future.isDone();
    }

    /**
     * Takes a lock that others hold while they wait for another process. The wait ends with the deadline, not by being
     * killed.
     *
     * @throws CommandException 50 MaxTimeMSExpired at the deadline, 262 ExceededTimeLimit after so long
     */
    public void awaitLock(Lock lock, long nanosAtMost) {
        try {
            if (!lock.tryLock(Math.min(nanosAtMost, deadline.nanosLeft()), TimeUnit.NANOSECONDS)) {
                checkAlive();
                throw EXCEEDED_TIME_LIMIT.because(
                        "another operation has waited for the same answer for %d seconds; try again",
                        nanosAtMost / 1_000_000_000L);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw INTERRUPTED.because("operation was interrupted");
        }
    }

    /**
     * Ends an operation that was killed or is late, and lets others have the processor after a while. Called between
     * rows, batches and waits, at least every few milliseconds of work.
     *
     * @throws CommandException 50 MaxTimeMSExpired, 11601 Interrupted, or what {@link #kill} was given
     */
    public void checkAlive() {
        CommandException reason = killed.getNow(null);
        if (reason != null) {
            throw reason;
        }
        if (deadline.hasPassed()) {
            throw MAX_TIME_MS_EXPIRED.because("operation exceeded time limit");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw INTERRUPTED.because("operation was interrupted");
        }
        slice.used();
    }
}
