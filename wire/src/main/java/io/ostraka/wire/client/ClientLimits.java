package io.ostraka.wire.client;

import io.ostraka.core.check.Check;
import java.time.Duration;

/**
 * Bounds of the connections to other processes.
 *
 * @param connectionsPerPeer connections to one process; requests share them
 * @param connects within which a connection must stand
 * @param answers within which an answer must come when the operation itself has no deadline
 * @param silence after which a process that has said nothing, and has something to answer, is asked whether it is there
 * @param signOfLife within which it must say so, or its connections are broken
 */
public record ClientLimits(
        int connectionsPerPeer, Duration connects, Duration answers, Duration silence, Duration signOfLife) {
    public static final ClientLimits DEFAULT = new ClientLimits(
            2, Duration.ofSeconds(5), Duration.ofHours(1), Duration.ofSeconds(2), Duration.ofSeconds(3));

    public ClientLimits {
        Check.that(connectionsPerPeer > 0, "two processes need a connection to talk");
    }
}
