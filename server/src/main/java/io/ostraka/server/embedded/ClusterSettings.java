package io.ostraka.server.embedded;

import io.ostraka.core.check.Check;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What an embedded cluster is made of. Each {@code with} method gives a changed copy.
 *
 * @param shards how many shards
 * @param members members of each shard and of the config servers
 * @param routers how many routers
 * @param chunkMegabytes the chunk size, if it is to be set; otherwise what is set in the cluster
 * @param port of the first router, 0 for any; further routers, the config server and the shards have the ports after it
 * @param folder where the data lies; empty for a temporary folder that goes on close
 * @param bindIps addresses listened on
 * @param inMemory whether the cluster's processes reach each other without sockets
 * @param balancerIdle pause between rounds of the balancer that found nothing to do
 * @param orphanDelay how long documents stay that a move left behind
 * @param memoryBytes memory of the storage engines together, outside the heap
 * @param slowMillis operations that took longer are logged
 */
public record ClusterSettings(
        int shards,
        int members,
        int routers,
        Optional<Integer> chunkMegabytes,
        int port,
        Optional<Path> folder,
        List<String> bindIps,
        boolean inMemory,
        Duration balancerIdle,
        Duration orphanDelay,
        long memoryBytes,
        int slowMillis) {
    /** Members of a set, as many as may vote. */
    public static final int MAX_MEMBERS = 7;

    /** Shards in one JVM at the most. */
    public static final int MAX_SHARDS = 100;

    /** The smallest cluster that spreads: three shards, one router, any port, a temporary folder. */
    public static final ClusterSettings DEFAULT = new ClusterSettings(
            3,
            1,
            1,
            Optional.empty(),
            0,
            Optional.empty(),
            List.of("127.0.0.1"),
            true,
            Duration.ofSeconds(1),
            Duration.ofMinutes(15),
            256L << 20,
            100);

    public ClusterSettings {
        Check.that(shards >= 1 && shards <= MAX_SHARDS, "a cluster has 1 to " + MAX_SHARDS + " shards");
        Check.that(members >= 1 && members <= MAX_MEMBERS, "a set has 1 to " + MAX_MEMBERS + " members");
        Check.that(routers >= 1, "a cluster has a router");
        Check.that(port >= 0 && port <= 65_535, "a port is 0 to 65535");
        bindIps = List.copyOf(bindIps);
    }

    /** The fields one by one, for a copy that differs in some. */
    private static final class Copy {
        private int shards;
        private int members;
        private int routers;
        private Optional<Integer> chunkMegabytes;
        private int port;
        private Optional<Path> folder;
        private List<String> bindIps;
        private boolean inMemory;
        private Duration balancerIdle;
        private Duration orphanDelay;
    }

    private ClusterSettings with(Consumer<Copy> change) {
        Copy copy = new Copy();
        copy.shards = shards;
        copy.members = members;
        copy.routers = routers;
        copy.chunkMegabytes = chunkMegabytes;
        copy.port = port;
        copy.folder = folder;
        copy.bindIps = bindIps;
        copy.inMemory = inMemory;
        copy.balancerIdle = balancerIdle;
        copy.orphanDelay = orphanDelay;
        change.accept(copy);
        return new ClusterSettings(
                copy.shards,
                copy.members,
                copy.routers,
                copy.chunkMegabytes,
                copy.port,
                copy.folder,
                copy.bindIps,
                copy.inMemory,
                copy.balancerIdle,
                copy.orphanDelay,
                memoryBytes,
                slowMillis);
    }

    public ClusterSettings withShards(int number) {
        return with(copy -> copy.shards = number);
    }

    /** @param number members of each shard and of the config servers, 1 to 7 */
    public ClusterSettings withMembers(int number) {
        return with(copy -> copy.members = number);
    }

    public ClusterSettings withRouters(int number) {
        return with(copy -> copy.routers = number);
    }

    /** @param megabytes 1 to 1024 */
    public ClusterSettings withChunkMegabytes(int megabytes) {
        return with(copy -> copy.chunkMegabytes = Optional.of(megabytes));
    }

    public ClusterSettings withPort(int number) {
        return with(copy -> copy.port = number);
    }

    public ClusterSettings withFolder(Path path) {
        return with(copy -> copy.folder = Optional.of(path));
    }

    public ClusterSettings withBindIps(List<String> addresses) {
        return with(copy -> copy.bindIps = addresses);
    }

    public ClusterSettings withInMemory(boolean is) {
        return with(copy -> copy.inMemory = is);
    }

    public ClusterSettings withBalancerIdle(Duration pause) {
        return with(copy -> copy.balancerIdle = pause);
    }

    public ClusterSettings withOrphanDelay(Duration delay) {
        return with(copy -> copy.orphanDelay = delay);
    }
}
