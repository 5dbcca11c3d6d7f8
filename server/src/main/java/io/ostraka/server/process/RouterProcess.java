package io.ostraka.server.process;

import io.ostraka.router.Router;
import io.ostraka.wire.auth.UserDirectory;
import io.ostraka.wire.client.ClientLimits;
import io.ostraka.wire.command.SlowOperations;
import io.ostraka.wire.server.ServerLimits;
import java.util.SplittableRandom;

/** A {@code mongos}. */
public final class RouterProcess implements AutoCloseable {
    private final Ports ports;
    private final Router router;

    private RouterProcess(ProcessSettings settings, String configdb) {
        ports = new Ports(settings);
        try {
            router = new Router(new Router.Parts(
                    ports.info("mongos"),
                    configdb,
                    ports.transport(),
                    settings.key(),
                    UserDirectory.OPEN,
                    settings.clock(),
                    settings.ids(),
                    new SplittableRandom(settings.ids().random()),
                    settings.log(),
                    settings.hooks(),
                    settings.parameters().sessionTimeout(),
                    settings.parameters().fixed(),
                    settings.parameters().testCommands(),
                    new SlowOperations(settings.slowMillis()),
                    ServerLimits.DEFAULT.withMaxConnections(settings.maxConnections()),
                    ClientLimits.DEFAULT));
        } catch (RuntimeException e) {
            ports.close();
            throw e;
        }
        ports.serve(router::serve);
    }

    /**
     * Starts a router; it answers when this returns.
     *
     * @param configdb the config servers, {@code set/host:port,host:port}
     * @throws StartRefused if a port cannot be listened on
     */
    public static RouterProcess start(ProcessSettings settings, String configdb) {
        return new RouterProcess(settings, configdb);
    }

    /** {@code host:port}, as others reach it. */
    public String address() {
        return ports.address();
    }

    public int port() {
        return ports.port();
    }

    /** The router itself, for what runs in the same JVM. */
    public Router router() {
        return router;
    }

    @Override
    public void close() {
        router.close();
    }
}
