package io.ostraka.bench.load;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** {@code ping} from a plain socket; an echo gives the floor. */
final class PingWork implements Work {
    private final String host;
    private final int port;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    PingWork(Works.Site site) {
        String address = site.target().address();
        int colon = address.lastIndexOf(':');
        host = address.substring(0, colon);
        port = Integer.parseInt(address.substring(colon + 1));
    }

    private static byte[] message() {
        byte[] ping = "ping".getBytes(StandardCharsets.UTF_8);
        ByteBuffer all = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
        all.position(16);
        all.putInt(0).put((byte) 0);
        int start = all.position();
        all.putInt(0).put((byte) 0x10).put(ping).put((byte) 0).putInt(1);
        all.put((byte) 0x02)
                .put("$db".getBytes(StandardCharsets.UTF_8))
                .put((byte) 0)
                .putInt(6);
        all.put("admin".getBytes(StandardCharsets.UTF_8)).put((byte) 0).put((byte) 0);
        all.putInt(start, all.position() - start);
        int length = all.position();
        all.putInt(0, length).putInt(4, 1).putInt(8, 0).putInt(12, 2013);
        byte[] bytes = new byte[length];
        all.get(0, bytes);
        return bytes;
    }

    @Override
    public Worker worker() {
        try {
            Socket socket = new Socket(host, port);
            socket.setTcpNoDelay(true);
            sockets.add(socket);
            DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
            byte[] message = message();
            return _ -> {
                socket.getOutputStream().write(message);
                byte[] rest = new byte[Integer.reverseBytes(in.readInt()) - 4];
                if (in.readNBytes(rest, 0, rest.length) < rest.length) {
                    throw new EOFException("the server closed the connection");
                }
            };
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                System.err.println("closing failed: " + e.getMessage());
            }
        }
    }
}
