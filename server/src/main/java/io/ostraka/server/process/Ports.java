package io.ostraka.server.process;

import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.transport.Acceptor;
import io.ostraka.wire.transport.FrameBounds;
import io.ostraka.wire.transport.Sockets;
import io.ostraka.wire.transport.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The addresses a process listens on. Bound first, so that the port is known before anything is told about it. */
final class Ports {
    private static final Logger LOG = LoggerFactory.getLogger("NETWORK");

    private final ProcessSettings settings;
    private final Transport transport;
    private final List<Acceptor> acceptors = new ArrayList<>();
    private final int port;

    /** @throws StartRefused if an address cannot be listened on */
    Ports(ProcessSettings settings) {
        this.settings = settings;
        Sockets sockets = new Sockets(FrameBounds.DEFAULT, settings.clock());
        transport = settings.network().isPresent() ? settings.network().get() : sockets;
        port = bind(sockets);
    }

    private int bind(Sockets sockets) {
        int bound = settings.port();
        for (String host : settings.bindIps()) {
            try {
                Acceptor acceptor = sockets.listen(host.equals("*") ? "0.0.0.0" : host, bound);
                acceptors.add(acceptor);
                bound = acceptor.port();
            } catch (IOException e) {
                close();
                throw StartRefused.port(host, bound, e);
            }
        }
        if (settings.network().isPresent()) {
            try {
                acceptors.add(settings.network().get().listen(settings.address(bound)));
            } catch (IOException e) {
                close();
                throw StartRefused.port(settings.address(bound), bound, e);
            }
        }
        return bound;
    }

    int port() {
        return port;
    }

    /** {@code host:port}, as others reach this process. */
    String address() {
        return settings.address(port);
    }

    /** How this process reaches others. */
    Transport transport() {
        return transport;
    }

    /** What the process tells of itself. */
    ProcessInfo info(String name) {
        return new ProcessInfo(
                address(),
                name,
                Version.PROGRAM,
                Version.git(),
                ProcessHandle.current().pid(),
                settings.clock().nanos(),
                settings.arguments(),
                settings.shown());
    }

    /** Hands all listeners to a server, which owns them from then on. */
    void serve(Consumer<Acceptor> server) {
        acceptors.forEach(server);
        acceptors.clear();
        LOG.atInfo()
                .addKeyValue("id", 23016)
                .addKeyValue("ctx", "listener")
                .addKeyValue("port", port)
                .log("Waiting for connections");
    }

    /** Closes listeners nobody has taken. */
    void close() {
        acceptors.forEach(Acceptor::close);
    }
}
