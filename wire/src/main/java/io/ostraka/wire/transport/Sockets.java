package io.ostraka.wire.transport;

import io.ostraka.core.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place where sockets are made. */
public final class Sockets implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(Sockets.class);
    private static final int BACKLOG = 1024;

    private final FrameBounds bounds;
    private final Clock clock;

    public Sockets(FrameBounds bounds, Clock clock) {
        this.bounds = bounds;
        this.clock = clock;
    }

    @Override
    public Link connect(String address, Duration within) throws IOException {
        int colon = address.lastIndexOf(':');
        if (colon <= 0) {
            throw new IOException("'" + address + "' is no address of the form host:port");
        }
        String host = address.substring(0, colon).replace("[", "").replace("]", "");
        int port;
        try {
            port = Integer.parseInt(address, colon + 1, address.length(), 10);
        } catch (NumberFormatException bad) {
            throw new IOException("'" + address + "' has no port number", bad);
        }
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), (int) Math.max(1, within.toMillis()));
            return new SocketLink(socket, bounds, clock);
        } catch (IOException | RuntimeException failed) {
            socket.close();
            throw failed;
        }
    }

    /**
     * Listens.
     *
     * @param host a name or address of this machine
     * @param port 0 for any free one
     */
    public Acceptor listen(String host, int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port), BACKLOG);
            return new Listening(socket);
        } catch (IOException | RuntimeException failed) {
            socket.close();
            throw failed;
        }
    }

    private final class Listening implements Acceptor {
        private final ServerSocket socket;

        private Listening(ServerSocket socket) {
            this.socket = socket;
        }

        @Override
        public Link accept() throws IOException {
            Socket accepted = socket.accept();
            try {
                return new SocketLink(accepted, bounds, clock);
            } catch (IOException failed) {
                accepted.close();
                throw failed;
            }
        }

        @Override
        public int port() {
            return socket.getLocalPort();
        }

        @Override
        public boolean isClosed() {
            return socket.isClosed();
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException failed) {
                LOG.debug("closing the listener failed", failed);
            }
        }
    }
}
