package io.ostraka.wire.command;

import static io.ostraka.core.error.ErrorCode.INTERNAL_ERROR;
import static io.ostraka.core.error.ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION;
import static io.ostraka.core.error.ErrorCode.UNAUTHORIZED;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.time.Clock;
import io.ostraka.wire.message.Message;
import io.ostraka.wire.message.Reply;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonTimestamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs commands: finds one in the table, checks who may, reads the generic fields into an {@link Operation}, lets the
 * command parse and run, and turns what comes out, an answer or an exception, into a reply. Safe for many threads;
 * the caller's thread does the work.
 */
public final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** Holds what is added to an answer. */
    private static final int ADDED_BYTES = 192;

    private final CommandTable table;
    private final Permissions users;
    private final ClusterTimeSource time;
    private final Clock clock;
    private final Operations operations;
    private final OpCounters counters = new OpCounters();
    private final SlowOperations slow;
    private final Admission admission;
    private final KnownSessions sessions;

    public Dispatcher(
            CommandTable table,
            Permissions users,
            ClusterTimeSource time,
            Clock clock,
            Operations operations,
            SlowOperations slow,
            Admission admission,
            KnownSessions sessions) {
        this.table = table;
        this.users = users;
        this.time = time;
        this.clock = clock;
        this.operations = operations;
        this.slow = slow;
        this.admission = admission;
        this.sessions = sessions;
    }

    public CommandTable table() {
        return table;
    }

    public OpCounters counters() {
        return counters;
    }

    public Operations operations() {
        return operations;
    }

    /** Runs one request and answers; never throws but for what kills the process. */
    public RawDocument run(Message message, Client client) {
        return run(message, client, new CompletableFuture<>()).whole();
    }

    /** The same; completing {@code killed} ends the request. */
    public Reply run(Message message, Client client, CompletableFuture<CommandException> killed) {
        try {
            return answered(runOrThrow(message, client, killed));
        } catch (CommandException refused) {
            return failed(refused);
        } catch (RuntimeException | StackOverflowError bug) {
            LOG.error("command {} failed unexpectedly", message.body().firstName(), bug);
            return failed(
                    INTERNAL_ERROR.because("%s: %s", bug.getClass().getSimpleName(), String.valueOf(bug.getMessage())));
        }
    }

    private RawDocument runOrThrow(Message message, Client client, CompletableFuture<CommandException> killed) {
        RawDocument body = message.body();
        GenericFields generic = GenericFields.parse(body);
        generic.clusterTime().ifPresent(heard -> time.heard(heard, client.ofCluster()));
        String spelling = body.firstName() == null ? "" : body.firstName();
        Command<?> command = table.get(spelling);
        String database = generic.database();
        String namespace = namespace(command, body, database);
        checkAllowed(command, namespace, database, client);
        if (generic.options().transaction() != Operation.InTransaction.NO && !command.inTransactions()) {
            throw OPERATION_NOT_SUPPORTED_IN_TRANSACTION.because(
                    "Cannot run '%s' in a multi-document transaction.", command.name());
        }
        generic.options().lsid().ifPresent(sessions::used);
        long started = clock.nanos();
        Operation operation = new Operation(
                operations.nextId(),
                client,
                command.name(),
                body,
                generic.options(),
                Deadline.in(clock, generic.maxTimeMillis()),
                started,
                killed);
        Fields fields = new Fields(command.name(), database, body, message.sequences());
        if (fields.bool("help", false) && body.find("help") != null) {
            return help(command);
        }
        counters.count(command.name(), fields);
        try {
            return runAdmitted(command, fields, operation);
        } finally {
            counters.usage().note(namespace, command, clock.nanos() - started);
        }
    }

    private <R> RawDocument runAdmitted(Command<R> command, Fields fields, Operation operation) {
        R request = command.parse(fields);
        fields.refuseUnknown();
        operations.begin(operation);
        try (Admission.Seat _ = admission.enter(command.needs().kind(), operation)) {
            operation.checkAlive();
            return command.run(request, operation);
        } catch (CommandException failed) {
            throw RetryLabels.on(failed, operation);
        } finally {
            operations.end(operation);
            slow.note(operation, clock.nanos() - operation.startedNanos());
        }
    }

    /** What a command is about: a collection, a database, or the cluster, which is empty. */
    private static String namespace(Command<?> command, RawDocument body, String database) {
        if (command.needs().scope() == Needs.Scope.CLUSTER) {
            return "";
        }
        RawCursor own = body.cursor();
        boolean named = own.next() && own.typeByte() == 0x02 && command.needs().scope() == Needs.Scope.COLLECTION;
        return named ? database + "." + own.string() : database;
    }

    private void checkAllowed(Command<?> command, String namespace, String database, Client client) {
        Needs needs = command.needs();
        if (needs.internal() && !client.ofCluster()) {
            throw UNAUTHORIZED.because(
                    "not authorized on %s to execute command %s: it is between processes of one cluster",
                    database, command.name());
        }
        if (needs.adminOnly() && !database.equals("admin")) {
            throw UNAUTHORIZED.because("%s may only be run against the admin database.", command.name());
        }
        if (needs.scope() != Needs.Scope.NONE && !users.mayRun(client.user(), needs, namespace)) {
            throw UNAUTHORIZED.because("not authorized on %s to execute command %s", database, command.name());
        }
    }

    private static RawDocument help(Command<?> command) {
        return new RawBuilder()
                .put("help", "help for: " + command.name() + " (see docs/compatibility.md)")
                .build();
    }

    private Reply answered(RawDocument reply) {
        RawBuilder added = new RawBuilder(ADDED_BYTES);
        if (reply.find("ok") == null) {
            added.put("ok", 1.0);
        }
        return withTime(reply, added);
    }

    private Reply failed(CommandException refused) {
        return withTime(RawDocument.of(refused.toReply()), new RawBuilder(ADDED_BYTES));
    }

    private Reply withTime(RawDocument reply, RawBuilder added) {
        BsonTimestamp cluster = time.clusterTime();
        if (cluster.getValue() != 0) {
            added.openDocument("$clusterTime").put("clusterTime", cluster);
            added.elements(UNSIGNED).close();
            BsonTimestamp operation = time.operationTime();
            if (operation.getValue() != 0) {
                added.put("operationTime", operation);
            }
        }
        return new Reply(reply, added.buildShortLived());
    }

    /** What stands where a signature will: drivers send it back as it is. */
    private static final RawDocument UNSIGNED = RawDocument.of(new org.bson.BsonDocument(
            "signature",
            new org.bson.BsonDocument("hash", new org.bson.BsonBinary(new byte[20]))
                    .append("keyId", new org.bson.BsonInt64(0))));
}
