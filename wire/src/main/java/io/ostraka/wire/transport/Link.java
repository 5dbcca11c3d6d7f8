package io.ostraka.wire.transport;

import java.io.Closeable;
import java.io.IOException;

/**
 * A connection that carries whole frames, each with its header of 16 bytes. One thread may receive while another
 * sends; two must not send at once. {@link #close} from any thread ends both.
 */
public interface Link extends Closeable {
    /**
     * Waits for the next frame.
     *
     * @return the frame, or null when the other end has closed
     * @throws FrameException if its length is out of bounds; nothing has been allocated for it
     * @throws IOException if the connection fails, or a frame that has begun does not end in time
     */
    byte[] receive() throws IOException;

    /** Sends a frame and returns when it has been handed to the operating system or the other end. */
    void send(byte[] frame) throws IOException;

    /**
     * Whether the other end has closed. Looks while nobody receives, as long as a request runs; says no where somebody
     * does, or a frame has arrived. May take a millisecond.
     */
    boolean isAbandoned();

    /** The other end, as host and port. */
    String remote();

    /**
     * Since when a frame is being sent, on the monotonic clock; 0 when none is. Whoever watches for slow readers
     * closes links that take too long.
     */
    long sendingSinceNanos();

    @Override
    void close();
}
