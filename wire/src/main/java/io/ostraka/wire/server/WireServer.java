package io.ostraka.wire.server;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_AT_SHUTDOWN;

import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.auth.ClusterKey;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.transport.Acceptor;
import io.ostraka.wire.transport.Link;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections and serves them, one virtual thread each. Owns every thread it starts and every link it
 * accepted; after {@link #close} none is left.
 */
public final class WireServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("NETWORK");

    /** What a server is made of. The operations are those its handler runs, so that closing can end them. */
    public record Parts(
            RequestHandler handler,
            Operations operations,
            CursorRegistry cursors,
            Optional<ClusterKey> clusterKey,
            Clock clock,
            Ids ids,
            ServerLimits limits) {}

    private final Parts parts;
    private final NetworkCounters counters;
    private final Map<Long, ServerConnection> connections = new ConcurrentHashMap<>();
    private final Map<Thread, Boolean> threads = new ConcurrentHashMap<>();
    private final List<Acceptor> acceptors = new ArrayList<>();
    private final List<Runnable> everySecond = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    public WireServer(Parts parts) {
        this.parts = parts;
        this.counters = new NetworkCounters(parts.limits().maxConnections());
        start("reaper", this::reap);
    }

    /** From now on runs something once a second, which must not wait, nor fail. */
    public void everySecond(Runnable work) {
        everySecond.add(work);
    }

    /** Serves what arrives at an acceptor, from now on. The server closes it. */
    public synchronized void serve(Acceptor acceptor) {
        if (isClosing()) {
            acceptor.close();
            return;
        }
        acceptors.add(acceptor);
        start("listener", () -> listen(acceptor));
    }

    public NetworkCounters counters() {
        return counters;
    }

    /** The clients connected now. */
    public Collection<Client> clients() {
        return connections.values().stream().map(ServerConnection::client).toList();
    }

    RequestHandler handler() {
        return parts.handler();
    }

    long nanos() {
        return parts.clock().nanos();
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Starts a virtual thread that {@link #close} waits for. */
    void start(String name, Runnable work) {
        Thread thread = Thread.ofVirtual().name(name).unstarted(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error bug) {
                LOG.error("thread {} ended unexpectedly", name, bug);
                throw bug;
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.put(thread, true);
        thread.start();
    }

    private void listen(Acceptor acceptor) {
        while (!isClosing()) {
            try {
                admit(acceptor.accept());
            } catch (IOException failed) {
                if (acceptor.isClosed() || isClosing()) {
                    return;
                }
                LOG.warn("accepting a connection failed; trying again", failed);
                pause(); // the usual cause is that no file handle is left, and asking at once asks in vain
            }
        }
    }

    private void pause() {
        try {
            if (closing.await(100, TimeUnit.MILLISECONDS)) {
                LOG.debug("closing");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void admit(Link link) {
        if (counters.current() >= parts.limits().maxConnections() || isClosing()) {
            counters.reject();
            link.close();
            LOG.atInfo()
                    .addKeyValue("id", 22942)
                    .addKeyValue("remote", link.remote())
                    .log("Connection refused because there are too many open connections");
            return;
        }
        long number = counters.open();
        Optional<ClusterHandshake> handshake = parts.clusterKey().map(key -> new ClusterHandshake(key, parts.ids()));
        ServerConnection connection = new ServerConnection(
                this, link, number, handshake, parts.limits().perClusterConnection());
        connections.put(number, connection);
        log(22943, "Connection accepted", connection);
        start("conn" + number, () -> {
            try {
                connection.serve();
            } finally {
                connections.remove(number);
                counters.closed();
                endOperations(connection);
                log(22944, "Connection ended", connection);
            }
        });
        if (isClosing()) {
            link.close();
        }
    }

    private void log(int id, String what, ServerConnection connection) {
        LOG.atInfo()
                .addKeyValue("id", id)
                .addKeyValue("remote", connection.client().remote())
                .addKeyValue("connectionId", connection.client().connectionId())
                .addKeyValue("connectionCount", counters.current())
                .log(what);
    }

    /** Requests of a client or a process that has gone have nobody to answer to; what they have done stands. */
    private void endOperations(ServerConnection connection) {
        for (Operation operation : parts.operations().all()) {
            if (operation.client().connectionId() == connection.client().connectionId()) {
                operation.kill(io.ostraka.core.error.ErrorCode.CLIENT_DISCONNECT.because(
                        "the connection of the operation's client was closed"));
            }
        }
    }

    /** Once a second: cursors nobody uses, clients that do not take their answers, and requests whose client has gone. */
    private void reap() {
        try {
            while (!closing.await(1, TimeUnit.SECONDS)) {
                parts.cursors().closeIdle();
                everySecond.forEach(Runnable::run);
                long now = parts.clock().nanos();
                for (ServerConnection connection : connections.values()) {
                    long since = connection.link().sendingSinceNanos();
                    if (since != 0 && now - since > parts.limits().sends().toNanos()) {
                        LOG.info(
                                "closing the connection from {}: it does not take its answers",
                                connection.link().remote());
                        connection.link().close();
                    }
                    if (connection.runsInVain(parts.limits().abandoned().toNanos())) {
                        endOperations(connection);
                    }
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops accepting, ends what runs (11600), closes all connections and waits for the threads. */
    @Override
    public void close() {
        synchronized (this) {
            closing.countDown();
            acceptors.forEach(Acceptor::close);
        }
        parts.operations()
                .all()
                .forEach(operation -> operation.kill(INTERRUPTED_AT_SHUTDOWN.because("interrupted at shutdown")));
        connections.values().forEach(connection -> connection.link().close());
        parts.cursors().close();
        long deadline = parts.clock().nanos() + parts.limits().closes().toNanos();
        for (Thread thread : List.copyOf(threads.keySet())) {
            join(thread, deadline);
        }
        if (!threads.isEmpty()) {
            LOG.warn("{} requests did not end when the server closed", threads.size());
            threads.keySet().forEach(Thread::interrupt);
        }
    }

    private void join(Thread thread, long deadline) {
        if (thread == Thread.currentThread()) {
            return; // a shutdown command closes the server it runs on
        }
        try {
            long millis = Math.max(1, (deadline - parts.clock().nanos()) / 1_000_000);
            if (!thread.join(java.time.Duration.ofMillis(millis))) {
                LOG.debug("thread {} still runs", thread.getName());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
