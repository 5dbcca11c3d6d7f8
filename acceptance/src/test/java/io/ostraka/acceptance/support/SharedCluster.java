package io.ostraka.acceptance.support;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A cluster of three shards and two routers that all tests of the run share, with chunks of 1 MB. A test takes a
 * database of its own. Parameters of type {@link SharedCluster} are resolved by this.
 */
public final class SharedCluster implements ParameterResolver {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(SharedCluster.class);

    private EmbeddedCluster cluster;
    private MongoClient client;

    /** For JUnit. */
    public SharedCluster() {}

    private SharedCluster(EmbeddedCluster cluster) {
        this.cluster = cluster;
        this.client = MongoClients.create(cluster.connectionString(0));
    }

    public EmbeddedCluster cluster() {
        return cluster;
    }

    /** A client of the first router. */
    public MongoClient client() {
        return client;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SharedCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(STORE)
                .getOrComputeIfAbsent(SharedCluster.class, ignored -> new Held(start()), Held.class)
                .shared;
    }

    private static SharedCluster start() {
        return new SharedCluster(EmbeddedCluster.start(ClusterSettings.DEFAULT
                .withRouters(2)
                .withChunkMegabytes(1)
                .withBalancerIdle(Duration.ofMillis(500))
                .withOrphanDelay(Duration.ofSeconds(2))));
    }

    /** Closed by JUnit when the run ends. */
    private record Held(SharedCluster shared) implements AutoCloseable {
        @Override
        public void close() {
            shared.client.close();
            shared.cluster.close();
        }
    }
}
