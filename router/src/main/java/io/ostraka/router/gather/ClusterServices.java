package io.ostraka.router.gather;

import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import io.ostraka.router.remote.ConfigServers;
import io.ostraka.router.remote.Shards;
import io.ostraka.router.routing.RoutingCache;
import io.ostraka.wire.command.ClusterTimeSource;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.CursorRegistry;
import java.util.random.RandomGenerator;

/** What a router's commands work with. */
public record ClusterServices(
        ConfigServers config,
        Shards shards,
        RoutingCache cache,
        StaleRetry retry,
        ScatterGather gather,
        Threads threads,
        CursorRegistry cursors,
        ClusterTimeSource time,
        Clock clock,
        Ids ids,
        RandomGenerator random) {
    /** What a query that runs here may know. */
    public RunContext context(Operation operation) {
        return new RunContext(
                clock.wallMillis(), time.clusterTime(), operation::checkAlive, random, QueryLimits.DEFAULT);
    }
}
