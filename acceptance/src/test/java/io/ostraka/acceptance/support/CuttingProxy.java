package io.ostraka.acceptance.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands before a port and passes bytes on, until it is cut: then it takes connections and lets nothing through. */
public final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile int target;
    private volatile boolean cut;

    public CuttingProxy() {
        try {
            listening = new ServerSocket();
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** Where it leads. */
    public void lead(int port) {
        target = port;
    }

    /** Breaks what is open, and lets nothing through until {@link #mend}. */
    public void cut() {
        cut = true;
        open.forEach(CuttingProxy::close);
    }

    public void mend() {
        cut = false;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> connect(client));
            }
        } catch (IOException closed) {
            open.forEach(CuttingProxy::close);
        }
    }

    private void connect(Socket client) {
        if (cut) {
            close(client);
            return;
        }
        Socket server = new Socket();
        try {
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 5_000);
            open.add(client);
            open.add(server);
            Thread.ofVirtual().start(() -> pass(client, server));
            pass(server, client);
        } catch (IOException unreachable) {
            close(client);
            close(server);
        } finally {
            open.remove(client);
            open.remove(server);
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] buffer = new byte[1 << 16];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0 && !cut; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
        } catch (IOException broken) {
            // Both ends are told below.
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
