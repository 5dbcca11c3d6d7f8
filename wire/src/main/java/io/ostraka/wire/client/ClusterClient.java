package io.ostraka.wire.client;

import static io.ostraka.core.error.ErrorCode.HOST_UNREACHABLE;
import static io.ostraka.core.error.ErrorCode.INTERRUPTED;
import static io.ostraka.core.error.ErrorCode.NETWORK_TIMEOUT;
import static io.ostraka.core.error.ErrorCode.SHUTDOWN_IN_PROGRESS;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.auth.ClusterKey;
import io.ostraka.wire.command.ClusterTimeSource;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.message.ClusterProtocol;
import io.ostraka.wire.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.bson.BsonTimestamp;

/**
 * Sends commands to other processes of the cluster. Any number of requests wait at once on few connections, which are
 * made when they are needed and again when they broke. Safe for many threads; blocks the caller's.
 */
public final class ClusterClient implements AutoCloseable {
    /** What a client is made of. */
    public record Parts(
            Transport transport, ClusterKey key, ClusterTimeSource time, Clock clock, Ids ids, ClientLimits limits) {}

    private final Parts parts;
    private final Map<String, Peer> peers = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public ClusterClient(Parts parts) {
        this.parts = parts;
    }

    /**
     * Runs a command elsewhere.
     *
     * @param address host and port
     * @param database where it is sent, {@code $db}
     * @param command the body, without {@code $db} and {@code $clusterTime}
     * @param operation whose part this is: it ends the wait when killed or late
     * @return the reply, {@code ok: 1}
     * @throws CommandException what the other process answered; 6 HostUnreachable if it could not be reached or the
     *     connection broke, in which case the command may have run; 89 NetworkTimeout if no answer came in time; what
     *     ended the operation
     */
    public RawDocument run(String address, String database, RawDocument command, Operation operation) {
        return run(address, database, command, Map.of(), operation);
    }

    /** The same, with document sequences. */
    public RawDocument run(
            String address,
            String database,
            RawDocument command,
            Map<String, List<RawDocument>> sequences,
            Operation operation) {
        return checked(exchange(address, database, command, sequences, operation));
    }

    /** The same, answering errors as they came: for callers that look at the reply of a failed command. */
    public RawDocument exchange(
            String address,
            String database,
            RawDocument command,
            Map<String, List<RawDocument>> sequences,
            Operation operation) {
        operation.checkAlive();
        Deadline deadline = operation.deadline().atMost(parts.limits().answers().toMillis());
        Peer peer = peer(address);
        PeerConnection.Sent sent = peer.send(dressed(database, command, operation.deadline()), sequences, deadline);
        try {
            long silence = parts.limits().silence().toNanos();
            while (!operation.waitFor(sent.answer(), Math.min(silence, deadline.nanosLeft()))
                    && !deadline.hasPassed()) {
                peer.askForSignOfLife();
            }
            RawDocument reply = operation.await(
                    sent.answer(),
                    deadline.nanosLeft(),
                    () -> NETWORK_TIMEOUT.because("%s did not answer in time", address));
            heard(reply);
            return reply;
        } finally {
            // Killed or late here is killed there: nobody else would ever stop it.
            sent.cancel();
        }
    }

    /** The reply, or its error as an exception. */
    public static RawDocument checked(RawDocument reply) {
        RawCursor ok = reply.find("ok");
        if (ok != null && ok.isNumber() && ok.value().asNumber().doubleValue() == 1) {
            return reply;
        }
        throw CommandException.fromReply(reply.toBson());
    }

    /** Whether a request that ended so was never sent, as no connection could be made: it has certainly not run. */
    public static boolean wasNotSent(CommandException failed) {
        return failed.code() == ErrorCode.HOST_UNREACHABLE
                && failed.getMessage().startsWith(PeerConnection.NOT_CONNECTED);
    }

    /** Whether a request that ended so found no process at all: not a slow one, and not one that cannot be reached. */
    public static boolean wasRefused(CommandException failed) {
        return wasNotSent(failed) && failed.getMessage().endsWith(PeerConnection.NOBODY_LISTENS);
    }

    /** Adds what every request between our processes carries. */
    private RawDocument dressed(String database, RawDocument command, Deadline deadline) {
        RawBuilder all = new RawBuilder(command.size() + 160)
                .elements(command)
                .put("$db", database)
                .openDocument("$ostraka")
                .put("v", ClusterProtocol.VERSION)
                .close();
        BsonTimestamp time = parts.time().clusterTime();
        if (time.getValue() != 0) {
            all.openDocument("$clusterTime").put("clusterTime", time).close();
        }
        if (!deadline.isNever() && command.find("maxTimeMS") == null) {
            all.put("maxTimeMS", Math.clamp(deadline.nanosLeft() / 1_000_000, 1, Integer.MAX_VALUE));
        }
        return all.build();
    }

    private void heard(RawDocument reply) {
        if (reply.get("operationTime") instanceof BsonTimestamp time) {
            parts.time().answered(time);
        }
        RawCursor gossip = reply.find("$clusterTime");
        if (gossip != null
                && gossip.isDocument()
                && gossip.document().get("clusterTime") instanceof BsonTimestamp time) {
            parts.time().heard(time, true);
        }
    }

    private Peer peer(String address) {
        if (closed) {
            throw SHUTDOWN_IN_PROGRESS.because("this process is stopping");
        }
        return peers.computeIfAbsent(address, there -> new Peer(there, parts));
    }

    /** Connections that stand, by address, for {@code connPoolStats}. */
    public Map<String, Integer> connections() {
        Map<String, Integer> all = new java.util.TreeMap<>();
        peers.forEach((address, peer) -> all.put(address, peer.connected()));
        return all;
    }

    /** Closes all connections; requests that wait end with 6 HostUnreachable. */
    @Override
    public void close() {
        closed = true;
        peers.values().forEach(Peer::close);
    }

    /** The connections to one process. */
    private static final class Peer {
        private final String address;
        private final Parts parts;
        private final List<Slot> slots = new ArrayList<>();
        private final java.util.concurrent.atomic.AtomicBoolean asking =
                new java.util.concurrent.atomic.AtomicBoolean();
        private final java.util.concurrent.atomic.AtomicInteger turn = new java.util.concurrent.atomic.AtomicInteger();

        Peer(String address, Parts parts) {
            this.address = address;
            this.parts = parts;
            for (int i = 0; i < parts.limits().connectionsPerPeer(); i++) {
                slots.add(new Slot());
            }
        }

        PeerConnection.Sent send(RawDocument body, Map<String, List<RawDocument>> sequences, Deadline deadline) {
            Slot slot = slots.get(Math.floorMod(turn.getAndIncrement(), slots.size()));
            return slot.connection(address, parts, deadline).send(body, sequences);
        }

        /**
         * Asks the other process whether it is there, and breaks the connections if it does not say so: a process that was
         * stopped, or cut off, closes nothing. One question at a time.
         */
        void askForSignOfLife() {
            if (asking.compareAndSet(false, true)) {
                Thread.ofVirtual().name("sign of life from " + address).start(() -> {
                    try {
                        ask();
                    } finally {
                        asking.set(false);
                    }
                });
            }
        }

        private void ask() {
            long millis = parts.limits().signOfLife().toMillis();
            RawDocument ping =
                    new RawBuilder().put("ping", 1).put("$db", "admin").build();
            try {
                RawDocument unused = send(ping, Map.of(), Deadline.in(parts.clock(), millis))
                        .answer()
                        .get(millis, java.util.concurrent.TimeUnit.MILLISECONDS);
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            } catch (java.util.concurrent.ExecutionException
                    | java.util.concurrent.TimeoutException
                    | CommandException silent) {
                slots.forEach(slot -> slot.giveUp("it gave no sign of life for " + millis + " ms"));
            }
        }

        int connected() {
            return (int) slots.stream().filter(Slot::stands).count();
        }

        void close() {
            slots.forEach(Slot::close);
        }
    }

    /** A place for one connection. */
    private static final class Slot {
        private final java.util.concurrent.locks.ReentrantLock connecting =
                new java.util.concurrent.locks.ReentrantLock();
        private volatile PeerConnection connection;
        private volatile boolean closed;

        void giveUp(String why) {
            PeerConnection now = connection;
            if (now != null && now.isOpen()) {
                now.giveUp(why);
            }
        }

        boolean stands() {
            PeerConnection now = connection;
            return now != null && now.isOpen();
        }

        PeerConnection connection(String address, Parts parts, Deadline deadline) {
            PeerConnection now = connection;
            if (now != null && now.isOpen()) {
                return now;
            }
            awaitTurn(address, parts, deadline);
            try {
                if (closed) {
                    throw HOST_UNREACHABLE.because("the connection to %s is closed: this process is stopping", address);
                }
                if (connection == null || !connection.isOpen()) {
                    connection = PeerConnection.connect(address, parts, deadline);
                }
                return connection;
            } finally {
                connecting.unlock();
            }
        }

        /** Several connect one after the other, each bounded; whoever comes late does not wait for all of them. */
        private void awaitTurn(String address, Parts parts, Deadline deadline) {
            long nanos = deadline.atMost(parts.limits().connects().toMillis()).nanosLeft();
            try {
                if (!connecting.tryLock(nanos, TimeUnit.NANOSECONDS)) {
                    throw HOST_UNREACHABLE.because(
                            "%s %s: no connection stands after %d ms",
                            PeerConnection.NOT_CONNECTED, address, nanos / 1_000_000);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw INTERRUPTED.because("operation was interrupted");
            }
        }

        void close() {
            closed = true;
            PeerConnection now = connection;
            if (now != null) {
                now.close();
            }
            connecting.lock();
            try {
                if (connection != null) {
                    connection.close();
                }
            } finally {
                connecting.unlock();
            }
        }
    }
}
