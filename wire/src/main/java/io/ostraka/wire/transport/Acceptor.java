package io.ostraka.wire.transport;

import java.io.Closeable;
import java.io.IOException;

/** Where connections arrive. */
public interface Acceptor extends Closeable {
    /**
     * Waits for a connection.
     *
     * @throws IOException when closed, or when the next one failed to arrive
     */
    Link accept() throws IOException;

    /** The port listened on; the real one where 0 was asked for. */
    int port();

    boolean isClosed();

    @Override
    void close();
}
