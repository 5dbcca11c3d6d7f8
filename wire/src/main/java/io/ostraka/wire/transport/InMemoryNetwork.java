package io.ostraka.wire.transport;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Carries the same frames between the processes of one JVM without sockets. Nothing above can tell. Addresses nobody
 * listens on here are looked for by the transport given.
 */
public final class InMemoryNetwork implements Transport {
    /** Frames on their way in one direction. */
    private static final int IN_FLIGHT = 256;
    /** Tells a receiver that nothing follows. */
    private static final byte[] END = new byte[0];

    private final Transport elsewhere;
    private final Map<String, Listening> listening = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();

    /** @param elsewhere for addresses outside this JVM */
    public InMemoryNetwork(Transport elsewhere) {
        this.elsewhere = elsewhere;
    }

    /** A network of its own: other addresses cannot be reached. */
    public static InMemoryNetwork alone() {
        return new InMemoryNetwork((address, within) -> {
            throw new ConnectException("nobody listens on " + address);
        });
    }

    @Override
    public Link connect(String address, Duration within) throws IOException {
        Listening there = listening.get(address);
        if (there == null) {
            return elsewhere.connect(address, within);
        }
        BlockingQueue<byte[]> forth = new ArrayBlockingQueue<>(IN_FLIGHT);
        BlockingQueue<byte[]> back = new ArrayBlockingQueue<>(IN_FLIGHT);
        End client = new End(back, forth, address);
        End server = new End(forth, back, "memory:" + numbers.incrementAndGet());
        client.other = server;
        server.other = client;
        if (!there.arrived.offer(Optional.of(server)) || there.closed) {
            client.close();
            throw new ConnectException("nobody accepts connections on " + address);
        }
        return client;
    }

    /**
     * Listens on an address, which need not exist outside.
     *
     * @param address host and port
     */
    public Acceptor listen(String address) throws IOException {
        Listening acceptor = new Listening(address);
        if (listening.putIfAbsent(address, acceptor) != null) {
            throw new IOException("somebody listens on " + address + " already");
        }
        return acceptor;
    }

    private final class Listening implements Acceptor {
        private final String address;
        private final BlockingQueue<Optional<Link>> arrived = new ArrayBlockingQueue<>(1024);
        private volatile boolean closed;

        private Listening(String address) {
            this.address = address;
        }

        @Override
        public Link accept() throws IOException {
            try {
                return arrived.take().orElseThrow(() -> new IOException("closed"));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            }
        }

        @Override
        public int port() {
            return Integer.parseInt(address, address.lastIndexOf(':') + 1, address.length(), 10);
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            closed = true;
            listening.remove(address, this);
            List<Optional<Link>> waiting = new ArrayList<>();
            arrived.drainTo(waiting);
            waiting.forEach(link -> link.ifPresent(Link::close));
            arrived.add(Optional.empty());
        }
    }

    /** One end of a connection. */
    private static final class End implements Link {
        private final BlockingQueue<byte[]> in;
        private final BlockingQueue<byte[]> out;
        private final String remote;
        private volatile End other;
        private volatile boolean closed;

        private End(BlockingQueue<byte[]> in, BlockingQueue<byte[]> out, String remote) {
            this.in = in;
            this.out = out;
            this.remote = remote;
        }

        @Override
        public byte[] receive() throws IOException {
            try {
                byte[] frame = in.take();
                if (frame.length == 0) {
                    in.offer(END); // for whoever asks again
                    return null;
                }
                return frame;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            }
        }

        @Override
        public void send(byte[] frame) throws IOException {
            if (closed) {
                throw new IOException("the connection is closed");
            }
            try {
                out.put(frame);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            }
            if (closed) {
                throw new IOException("the connection was closed");
            }
        }

        @Override
        public boolean isAbandoned() {
            return closed;
        }

        @Override
        public String remote() {
            return remote;
        }

        @Override
        public long sendingSinceNanos() {
            return 0;
        }

        @Override
        public void close() {
            end();
            if (other != null) {
                other.end();
            }
        }

        /** Wakes whoever receives or sends here. What was under way is lost, as with a socket. */
        private void end() {
            closed = true;
            in.clear();
            in.offer(END);
        }
    }
}
