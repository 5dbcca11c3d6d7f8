package io.ostraka.wire.server;

import io.ostraka.core.check.Check;
import java.time.Duration;

/**
 * Bounds of a server.
 *
 * @param maxConnections clients' connections at once; more are closed as they arrive
 * @param perClusterConnection requests at once on one connection of our own processes
 * @param sends within which a client must take an answer; slower ones are disconnected
 * @param abandoned after which a request that still runs is ended if its client has gone
 * @param closes within which everything must have ended when the server stops
 */
public record ServerLimits(
        int maxConnections, int perClusterConnection, Duration sends, Duration abandoned, Duration closes) {
    public static final ServerLimits DEFAULT =
            new ServerLimits(65_536, 20_000, Duration.ofMinutes(2), Duration.ofSeconds(1), Duration.ofSeconds(8));

    public ServerLimits {
        Check.that(maxConnections > 0, "a server takes at least one connection");
        Check.that(perClusterConnection > 0, "a connection takes at least one request");
    }

    public ServerLimits withMaxConnections(int connections) {
        return new ServerLimits(connections, perClusterConnection, sends, abandoned, closes);
    }
}
