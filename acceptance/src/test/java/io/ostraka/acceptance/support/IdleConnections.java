package io.ostraka.acceptance.support;

import io.ostraka.core.bson.RawDocument;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/** A program of its own that opens connections, says hello on each, and keeps them until its input ends. */
public final class IdleConnections {
    private IdleConnections() {}

    /** Arguments: port and how many. Prints "open" when all stand. */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        List<Socket> open = new ArrayList<>();
        byte[] ping = ping();
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream().write(ping);
            InputStream in = socket.getInputStream();
            byte[] length = in.readNBytes(4);
            in.skipNBytes(ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt() - 4L);
            open.add(socket);
        }
        System.out.println("open");
        int unused = System.in.readAllBytes().length;
        for (Socket socket : open) {
            socket.close();
        }
    }

    /** OP_MSG with {@code {hello: 1, $db: "admin"}}. */
    private static byte[] ping() {
        byte[] body =
                RawDocument.of(BsonDocument.parse("{hello: 1, $db: 'admin'}")).toByteArray();
        return ByteBuffer.allocate(21 + body.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(21 + body.length)
                .putInt(1)
                .putInt(0)
                .putInt(2013)
                .putInt(0)
                .put((byte) 0)
                .put(body)
                .array();
    }
}
