package io.ostraka.router.remote;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Runs commands on the primary of one set. Remembers who that was. Safe for many threads. */
public final class ReplicaSet {
    /** How long a set without a primary is asked again, as an election takes. */
    private static final long ELECTION_NANOS = 15_000_000_000L;

    /**
     * The same for a set none of whose members runs: nobody can be elected there. Long enough for a process to be
     * started again; after it reads of this shard fail, and those that allow partial results go on without it.
     */
    private static final long ABSENT_NANOS = 3_000_000_000L;

    private static final long DISCOVERS_MILLIS = 2_000;
    private static final long PAUSE_NANOS = 50_000_000L;

    /** A member that answers with these has done nothing. */
    private static final Set<ErrorCode> DID_NOTHING = Set.of(
            ErrorCode.NOT_WRITABLE_PRIMARY,
            ErrorCode.NOT_PRIMARY_NO_SECONDARY_OK,
            ErrorCode.NOT_PRIMARY_OR_SECONDARY,
            ErrorCode.SHUTDOWN_IN_PROGRESS,
            ErrorCode.RESOURCE_EXHAUSTED);

    private final ClusterClient client;
    private final String connectionString;
    private volatile List<String> hosts;
    private final AtomicInteger turn = new AtomicInteger();
    private volatile SetView view = new SetView(List.of(), 0);
    private volatile String primary;

    /** @param connectionString {@code set/host:port,host:port} */
    public ReplicaSet(ClusterClient client, String connectionString) {
        this.client = client;
        this.connectionString = connectionString;
        this.hosts = hostsOf(connectionString);
        this.primary = hosts.getFirst();
    }

    /** The members named in a connection string. */
    public static List<String> hostsOf(String connectionString) {
        return List.of(
                connectionString.substring(connectionString.indexOf('/') + 1).split(","));
    }

    public String connectionString() {
        return connectionString;
    }

    public List<String> hosts() {
        return hosts;
    }

    /** The member last known as primary. */
    public String primary() {
        return primary;
    }

    /**
     * Runs a command on the primary.
     *
     * @param repeatable whether it may run twice: a read, or a write the set recognises. Others are sent again only
     *     when a member said that it did nothing.
     * @throws CommandException what the primary answered; what the last member asked answered, or 6 HostUnreachable, if
     *     no primary is found for {@link #ELECTION_NANOS}, or no member at all for {@link #ABSENT_NANOS}
     * @return the reply, {@code ok: 1}
     */
    public RawDocument run(
            String database,
            RawDocument command,
            Map<String, List<RawDocument>> sequences,
            boolean repeatable,
            Operation operation) {
        long started = operation.deadline().clock().nanos();
        CommandException last = null;
        while (true) {
            boolean absent = true;
            for (String member : order()) {
                try {
                    RawDocument reply = client.run(member, database, command, sequences, operation);
                    primary = member;
                    return reply;
                } catch (CommandException failed) {
                    if (!mayGoOn(failed, repeatable)) {
                        throw failed;
                    }
                    last = failed;
                    absent &= ClusterClient.wasRefused(failed);
                }
            }
            if (operation.deadline().clock().nanos() - started > (absent ? ABSENT_NANOS : ELECTION_NANOS)) {
                throw last != null
                        ? last
                        : FAILED_TO_SATISFY_READ_PREFERENCE.because("Could not find a primary in %s", connectionString);
            }
            operation.checkAlive();
            discover(operation);
            if (operation.waitFor(new CompletableFuture<>(), PAUSE_NANOS)) {
                throw new IllegalStateException("nobody completes a pause");
            }
        }
    }

    /**
     * An answer and who gave it.
     *
     * @param host the member, where it need not be the primary: a cursor is open there
     */
    public record Answer(Optional<String> host, RawDocument reply) {}

    /**
     * Reads from a member that the operation's read preference allows, from the primary if it names none.
     *
     * @throws CommandException 133 FailedToSatisfyReadPreference if no such member is found for {@link #ELECTION_NANOS}, and
     *     as {@link #run}
     */
    public Answer read(
            String database, RawDocument command, Map<String, List<RawDocument>> sequences, Operation operation) {
        Optional<ReadPreference> wanted = ReadPreference.of(operation);
        if (wanted.isEmpty() || hosts.size() == 1) {
            return new Answer(Optional.empty(), run(database, command, sequences, true, operation));
        }
        RawDocument marked = new RawBuilder(command.size() + 64)
                .elements(command)
                .put("$readPreference", wanted.get().raw())
                .build();
        long started = operation.deadline().clock().nanos();
        while (true) {
            for (String member : view(operation).candidates(wanted.get(), turn.getAndIncrement())) {
                try {
                    return new Answer(Optional.of(member), client.run(member, database, marked, sequences, operation));
                } catch (CommandException failed) {
                    if (!mayGoOn(failed, true)) {
                        throw failed;
                    }
                    view = new SetView(List.of(), 0);
                }
            }
            if (operation.deadline().clock().nanos() - started > ELECTION_NANOS) {
                throw FAILED_TO_SATISFY_READ_PREFERENCE.because(
                        "Could not find host matching read preference %s for set %s",
                        wanted.get().raw().toBson().toJson(), connectionString);
            }
            operation.checkAlive();
            if (operation.waitFor(new CompletableFuture<>(), PAUSE_NANOS)) {
                throw new IllegalStateException("nobody completes a pause");
            }
        }
    }

    private SetView view(Operation operation) {
        SetView known = view;
        boolean fresh = !known.members().isEmpty()
                && operation.deadline().clock().nanos() - known.atNanos() < SetView.FRESH_NANOS;
        if (!fresh) {
            known = SetView.ask(client, hosts, operation);
            view = known;
        }
        return known;
    }

    /** The same set, of which only one member is asked: a cursor is open there. */
    public ReplicaSet only(String member) {
        return new ReplicaSet(client, connectionString.substring(0, connectionString.indexOf('/') + 1) + member);
    }

    /** Asks whoever answers who the members are by now, and who leads: they may have changed since they were named. */
    private void discover(Operation operation) {
        RawDocument hello = new RawBuilder().put("hello", 1).build();
        for (String member : hosts) {
            try {
                BsonDocument reply = client.run(
                                member,
                                "admin",
                                hello,
                                Operation.ofProcess(
                                        "hello", "admin", operation.deadline().atMost(DISCOVERS_MILLIS)))
                        .toBson();
                List<String> named = reply.getArray("hosts", new BsonArray()).stream()
                        .map(host -> host.asString().getValue())
                        .toList();
                String setName = reply.getString("setName", new BsonString("")).getValue();
                if (named.isEmpty() || !connectionString.startsWith(setName + "/")) {
                    continue;
                }
                hosts = named;
                primary = reply.getString("primary", new BsonString(named.getFirst()))
                        .getValue();
                return;
            } catch (CommandException unreachable) {
                operation.checkAlive();
            }
        }
    }

    private static boolean mayGoOn(CommandException failed, boolean repeatable) {
        boolean unreachable = failed.code() == ErrorCode.HOST_UNREACHABLE;
        boolean over = failed.code().kind() == ErrorCode.Kind.FAILOVER;
        return DID_NOTHING.contains(failed.code())
                || ClusterClient.wasNotSent(failed)
                || (unreachable || over) && repeatable;
    }

    private List<String> order() {
        if (hosts.size() == 1) {
            return hosts;
        }
        String first = primary;
        List<String> order = new ArrayList<>(hosts);
        if (order.remove(first)) {
            order.addFirst(first);
        }
        return order;
    }
}
