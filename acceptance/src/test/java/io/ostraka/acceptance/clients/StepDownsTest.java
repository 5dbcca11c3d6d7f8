package io.ostraka.acceptance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.acceptance.support.Clients;
import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Node driver sees no error of a planned step-down, by the script {@code step-downs.js}, and nothing is written twice. */
class StepDownsTest {
    @BeforeEach
    void present() {
        Clients.assumePresent();
    }

    private static void run(String connectionString, String... members) throws IOException {
        String script;
        try (InputStream in = StepDownsTest.class.getResourceAsStream("step-downs.js")) {
            script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String[] arguments = new String[members.length + 1];
        arguments[0] = connectionString;
        System.arraycopy(members, 0, arguments, 1, members.length);
        Clients.Ran ran = Clients.node(script, arguments);
        assertThat(ran.output().strip()).endsWith("OK").doesNotContain("Error");
        assertThat(ran.exitCode()).isZero();
    }

    private static EmbeddedCluster cluster() {
        return EmbeddedCluster.start(ClusterSettings.DEFAULT.withShards(2).withMembers(3));
    }

    @Test
    void directly() throws IOException {
        try (EmbeddedCluster cluster = cluster()) {
            String member = cluster.shardConnectionString(0, 0);
            run(member.replaceAll("directConnection=true", "replicaSet=shard0"), member);
        }
    }

    @Test
    void throughARouter() throws IOException {
        try (EmbeddedCluster cluster = cluster()) {
            run(cluster.connectionString(), cluster.shardConnectionString(0, 0), cluster.shardConnectionString(1, 0));
        }
    }
}
