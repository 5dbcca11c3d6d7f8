package io.ostraka.server.process;

import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.auth.ClusterKey;
import io.ostraka.wire.common.ProcessHooks;
import io.ostraka.wire.common.RecentLog;
import io.ostraka.wire.transport.InMemoryNetwork;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * What members and routers are started with.
 *
 * @param bindIps addresses to listen on; the first is how others reach this process, unless it means all addresses
 * @param port 0 for any free one
 * @param key what processes of the cluster prove to each other that they belong to it
 * @param network where processes of one JVM reach each other without sockets
 * @param maxConnections clients' connections at once
 * @param slowMillis operations that took longer are logged
 * @param log the recent lines of the log
 * @param hooks what the program around the process can do
 * @param arguments the command line, for {@code getCmdLineOpts}
 * @param shown the settings, for {@code getCmdLineOpts}
 * @param parameters the {@code setParameter}s it is started with
 */
public record ProcessSettings(
        List<String> bindIps,
        int port,
        ClusterKey key,
        Optional<InMemoryNetwork> network,
        int maxConnections,
        int slowMillis,
        RecentLog log,
        ProcessHooks hooks,
        List<String> arguments,
        BsonDocument shown,
        StartParameters parameters,
        Clock clock,
        Ids ids) {
    /** The key of a cluster that was given none: who reaches the port may act as a member, as without a key file in MongoDB. */
    public static final ClusterKey OPEN_KEY = ClusterKey.of("open cluster");

    public ProcessSettings {
        bindIps = List.copyOf(bindIps);
        arguments = List.copyOf(arguments);
    }

    /** How others reach this process when it listens on a port. */
    public String address(int listening) {
        String host = bindIps.getFirst();
        boolean all = host.equals("0.0.0.0") || host.equals("::") || host.equals("*");
        return (all ? HostName.local() : host) + ":" + listening;
    }
}
