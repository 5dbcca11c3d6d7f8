package io.ostraka.wire.client;

import io.ostraka.core.check.Check;
import java.time.Duration;

/**
 * Bounds of the connections to other processes.
 *
 * @param connectionsPerPeer connections to one process; requests share them
 * @param connects within which a connection must stand
 * @param answers within which an answer must come when the operation itself has no deadline
 */
public record ClientLimits(int connectionsPerPeer, Duration connects, Duration answers) {
    public static final ClientLimits DEFAULT = new ClientLimits(2, Duration.ofSeconds(5), Duration.ofHours(1));

    public ClientLimits {
        Check.that(connectionsPerPeer > 0, "two processes need a connection to talk");
    }
}
