package io.ostraka.wire.transport;

import java.io.IOException;
import java.time.Duration;

/** Opens connections to other processes. */
public interface Transport {
    /**
     * Connects.
     *
     * @param address host and port
     * @param within how long it may take
     * @throws IOException if nobody answers there in time
     */
    Link connect(String address, Duration within) throws IOException;
}
