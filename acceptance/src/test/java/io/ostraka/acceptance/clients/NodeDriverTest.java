package io.ostraka.acceptance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.acceptance.support.Clients;
import io.ostraka.acceptance.support.SharedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Node driver, by the script {@code node-driver.js}: with and without compression. */
@ExtendWith(SharedCluster.class)
class NodeDriverTest {
    @Test
    void doesWhatApplicationsDo(SharedCluster shared) throws IOException {
        Clients.assumePresent();
        String script;
        try (InputStream in = NodeDriverTest.class.getResourceAsStream("node-driver.js")) {
            script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        Clients.Ran ran = Clients.node(script, shared.cluster().connectionString(0));
        assertThat(ran.output().strip()).endsWith("OK").doesNotContain("Error");
        assertThat(ran.exitCode()).isZero();
    }
}
