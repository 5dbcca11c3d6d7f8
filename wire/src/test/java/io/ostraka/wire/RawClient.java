package io.ostraka.wire;

import io.ostraka.core.bson.Bytes;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.message.FrameDecoder;
import io.ostraka.wire.message.FrameEncoder;
import io.ostraka.wire.message.Incoming;
import io.ostraka.wire.message.Message;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Map;

/** A client that sends whatever bytes a test likes. */
final class RawClient implements AutoCloseable {
    final Socket socket;
    private final DataInputStream in;

    RawClient(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(10_000);
        in = new DataInputStream(socket.getInputStream());
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** The next frame, or null where the server has closed. */
    byte[] frame() throws IOException {
        byte[] head = in.readNBytes(4);
        if (head.length < 4) {
            return null;
        }
        byte[] frame = new byte[Bytes.getInt(head, 0)];
        System.arraycopy(head, 0, frame, 0, 4);
        in.readFully(frame, 4, frame.length - 4);
        return frame;
    }

    RawDocument answer() throws IOException {
        return ((Incoming.Msg) FrameDecoder.decode(frame())).message().body();
    }

    RawDocument run(String json) throws IOException {
        return run(json, 0, Map.of());
    }

    RawDocument run(String json, int flags, Map<String, List<RawDocument>> sequences) throws IOException {
        send(FrameEncoder.encode(new Message(7, 0, flags, EchoServer.bson(json), sequences)));
        return answer();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
