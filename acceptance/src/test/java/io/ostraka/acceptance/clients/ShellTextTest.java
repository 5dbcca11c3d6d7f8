package io.ostraka.acceptance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.acceptance.support.Clients;
import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What mongosh's own helpers print about a small cluster that stands still: {@code shell.js} typed in gives {@code
 * shell.txt}, with addresses, ids, times and sizes masked. What a run printed is in {@code target/shell.txt}.
 */
class ShellTextTest {
    /** Patterns of what differs between runs, and what stands for it. */
    private static final List<Map.Entry<String, String>> MASKS = List.of(
            Map.entry("ObjectId\\('[0-9a-f]{24}'\\)", "ObjectId('#')"),
            Map.entry("UUID\\('[0-9a-f-]{36}'\\)", "UUID('#')"),
            Map.entry("Timestamp\\(\\{ t: \\d{6,}, i: \\d+ \\}\\)", "Timestamp(#)"),
            Map.entry("ISODate\\('[^']*'\\)", "ISODate('#')"),
            Map.entry("Long\\('\\d+'\\)", "Long('#')"),
            Map.entry("127\\.0\\.0\\.1:\\d+", "HOST:#"),
            Map.entry("(conn|memory:|config:|shard\\d:)\\d+", "$1#"),
            Map.entry("('Currently \\w+': '\\w+'|last 5 attempts': 0),?", "$1"),
            // Shards that are asked at the same time are listed as they answer.
            Map.entry("(?m)^    shard\\d: ", "    shard#: "),
            Map.entry("Shard shard\\d(?: at shard\\d)?", "Shard shard#"),
            Map.entry("connectionId: \\d+", "connectionId: #"),
            Map.entry("((?:\\w*[sS]ize|numOrphanDocs|_id_|k_1): )\\d+", "$1#"),
            Map.entry(" +\\d+(?:\\.\\d+)? (B|KiB|MiB)", " # $1"));

    private static String resource(String name) throws IOException {
        try (InputStream in = ShellTextTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String masked(String output) {
        String masked = output;
        for (var mask : MASKS) {
            masked = masked.replaceAll(mask.getKey(), mask.getValue());
        }
        List<String> lines = new ArrayList<>();
        for (String line : masked.lines().toList()) {
            int place = lines.size();
            while (place > 0 && isAboutBalancer(line) && isAboutBalancer(lines.get(place - 1))) {
                if (lines.get(place - 1).compareTo(line) < 0) {
                    break;
                }
                place--;
            }
            lines.add(place, line);
        }
        return String.join("\n", lines) + "\n";
    }

    /** The shell asks for these at the same time and prints them as they come. */
    private static boolean isAboutBalancer(String line) {
        return line.startsWith("  'Currently ") && !line.contains("{") || line.startsWith("  'Failed balancer");
    }

    @Test
    void saysWhatItAlwaysSays() throws IOException {
        Clients.assumePresent();
        try (EmbeddedCluster cluster = EmbeddedCluster.start(ClusterSettings.DEFAULT)) {
            Clients.Ran ran = Clients.mongosh(cluster.connectionString(), resource("shell.js"));
            String text = masked(ran.output());
            Files.writeString(Files.createDirectories(Path.of("target")).resolve("shell.txt"), text);
            assertThat(ran.exitCode()).isZero();
            assertThat(text)
                    .doesNotContain("undefined")
                    .doesNotContain("NaN")
                    .doesNotContain("Error")
                    .doesNotContain("    at ")
                    .isEqualTo(resource("shell.txt"));
        }
    }
}
