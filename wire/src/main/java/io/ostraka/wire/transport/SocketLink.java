package io.ostraka.wire.transport;

import io.ostraka.core.bson.Bytes;
import io.ostraka.core.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Frames over a blocking socket. An idle link holds a small buffer and nothing else. */
final class SocketLink implements Link {
    private static final Logger LOG = LoggerFactory.getLogger(SocketLink.class);
    /** Most requests fit, so that one system call reads one; small enough for ten thousand idle connections. */
    private static final int BUFFER = 1024;
    /** What is allocated on a length's word alone; more only as bytes arrive. */
    private static final int TRUSTED = 1 << 20;

    private final Socket socket;
    private final FrameBounds bounds;
    private final Clock clock;
    private final InputStream in;
    private final OutputStream out;
    private final String remote;
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    private volatile long sendingSince;
    /** Held by whoever reads from the socket. */
    private final ReentrantLock receiving = new ReentrantLock();

    SocketLink(Socket socket, FrameBounds bounds, Clock clock) throws IOException {
        this.socket = socket;
        this.bounds = bounds;
        this.clock = clock;
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        in = socket.getInputStream();
        out = socket.getOutputStream();
        remote = socket.getInetAddress().getHostAddress() + ":" + socket.getPort();
    }

    @Override
    public byte[] receive() throws IOException {
        receiving.lock();
        try {
            return next();
        } finally {
            receiving.unlock();
        }
    }

    @Override
    public boolean isAbandoned() {
        if (!receiving.tryLock()) {
            return false;
        }
        try {
            if (at < end) {
                return false;
            }
            at = 0;
            end = 0;
            socket.setSoTimeout(1);
            int read = in.read(buffer, 0, BUFFER);
            end = Math.max(0, read);
            return read < 0;
        } catch (SocketTimeoutException silent) {
            return false;
        } catch (IOException broken) {
            return true;
        } finally {
            receiving.unlock();
        }
    }

    private byte[] next() throws IOException {
        if (at == end) {
            at = 0;
            end = 0;
            socket.setSoTimeout(0); // between frames a client may be silent for ever
            end = Math.max(0, in.read(buffer, 0, BUFFER));
            if (end == 0) {
                return null;
            }
        }
        long deadline = clock.nanos() + bounds.arrives().toNanos();
        if (end - at < FrameBounds.HEADER) {
            System.arraycopy(buffer, at, buffer, 0, end - at);
            end -= at;
            at = 0;
            while (end < FrameBounds.HEADER) {
                end += readSome(buffer, end, BUFFER - end, deadline);
            }
        }
        int length = bounds.check(Bytes.getInt(buffer, at));
        byte[] frame = new byte[Math.min(length, TRUSTED)];
        int filled = Math.min(length, end - at);
        System.arraycopy(buffer, at, frame, 0, filled);
        at += filled;
        while (filled < length) {
            if (filled == frame.length) {
                frame = Arrays.copyOf(frame, (int) Math.min(length, 4L * frame.length));
            }
            filled += readSome(frame, filled, frame.length - filled, deadline);
        }
        return frame;
    }

    private int readSome(byte[] into, int offset, int most, long deadline) throws IOException {
        long millis = (deadline - clock.nanos()) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException("a message began and did not end in time");
        }
        socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, millis));
        int read = in.read(into, offset, most);
        if (read < 0) {
            throw new FrameException("the connection ended within a message");
        }
        return read;
    }

    @Override
    public void send(byte[] frame) throws IOException {
        sendingSince = clock.nanos() | 1; // 0 means that nothing is being sent
        try {
            out.write(frame);
        } finally {
            sendingSince = 0;
        }
    }

    @Override
    public String remote() {
        return remote;
    }

    @Override
    public long sendingSinceNanos() {
        return sendingSince;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            LOG.debug("closing the connection to {} failed", remote, failed);
        }
    }
}
