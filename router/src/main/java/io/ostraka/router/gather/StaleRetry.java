package io.ostraka.router.gather;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.Namespace;
import io.ostraka.router.routing.Routing;
import io.ostraka.router.routing.RoutingCache;
import io.ostraka.wire.command.Operation;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Runs an operation on what is known of placement, and wholly anew when a shard knows better. */
public final class StaleRetry {
    /** Attempts before the client is told. Each begins with a refresh, so only what lasts for seconds comes this far. */
    public static final int ATTEMPTS = 60;

    private static final long PAUSE_NANOS = 5_000_000;
    private static final long LONGEST_PAUSE_NANOS = 100_000_000;

    private final RoutingCache cache;

    public StaleRetry(RoutingCache cache) {
        this.cache = cache;
    }

    public static boolean isStale(CommandException error) {
        return error.code() == ErrorCode.STALE_CONFIG
                || error.code() == ErrorCode.STALE_DB_VERSION
                || error.code() == ErrorCode.STALE_EPOCH;
    }

    /**
     * Runs it.
     *
     * @param attempt must have returned nothing to the client when it throws a stale error
     */
    public <T> T run(Namespace namespace, Operation operation, Function<Routing, T> attempt) {
        Routing routing = cache.get(namespace, operation);
        for (int tried = 1; ; tried++) {
            try {
                return attempt.apply(routing);
            } catch (CommandException stale) {
                if (!isStale(stale) || tried == ATTEMPTS) {
                    throw stale;
                }
                pause(tried, operation);
                routing = cache.newerThan(routing, operation);
            }
        }
    }

    /** A shard may learn of a move a moment before the config servers' answer shows it. */
    static void pause(int tried, Operation operation) {
        if (tried > 2
                && operation.waitFor(new CompletableFuture<>(), Math.min(LONGEST_PAUSE_NANOS, tried * PAUSE_NANOS))) {
            throw new IllegalStateException("nobody completes a pause");
        }
    }

    /** The next routing for a batch that goes on after a stale answer. */
    public Routing newer(Routing routing, int tried, Operation operation) {
        pause(tried, operation);
        return cache.newerThan(routing, operation);
    }
}
