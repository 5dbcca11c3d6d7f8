package io.ostraka.server.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators are told at each start, and again by {@code getLog: "startupWarnings"}. */
final class StartupWarnings {
    private static final Logger LOG = LoggerFactory.getLogger("CONTROL");

    /** Files the store and connections between processes may need beside clients' connections. */
    private static final int OWN_FILES = 2_000;

    private StartupWarnings() {}

    /** There is no access control, and more than this machine may reach the port. */
    static void bound(List<String> bindIps) {
        warn(
                22120,
                "Access control is not enabled for the database. Read and write access to data and configuration is unrestricted");
        boolean wide =
                bindIps.stream().anyMatch(ip -> !ip.startsWith("127.") && !ip.equals("::1") && !ip.equals("localhost"));
        if (wide) {
            warn(
                    22140,
                    "This server is bound to more than localhost (" + String.join(",", bindIps)
                            + "): everybody who reaches it can read and write everything. Bind to 127.0.0.1 to keep others out");
        }
    }

    /**
     * The operating system allows fewer open files than connections are allowed.
     *
     * @param maxConnections clients' connections at once
     */
    static void files(int maxConnections) {
        OptionalLong limit = openFilesLimit();
        if (limit.isPresent() && limit.getAsLong() < maxConnections + OWN_FILES) {
            warn(
                    22184,
                    "The limit of open files is " + limit.getAsLong() + ", too low for " + maxConnections
                            + " connections. Raise it (ulimit -n), or lower --maxConns");
        }
    }

    /** What the operating system allows this process, where it tells (Linux). */
    private static OptionalLong openFilesLimit() {
        Path limits = Path.of("/proc/self/limits");
        if (!Files.isReadable(limits)) {
            return OptionalLong.empty();
        }
        try (Stream<String> lines = Files.lines(limits, StandardCharsets.US_ASCII)) {
            return lines.filter(line -> line.startsWith("Max open files"))
                    .map(line ->
                            line.substring("Max open files".length()).strip().split("\\s+")[0])
                    .filter(soft -> !soft.equals("unlimited"))
                    .mapToLong(Long::parseLong)
                    .findFirst();
        } catch (IOException e) {
            LOG.debug("the limit of open files is not known: {}", e.getMessage());
            return OptionalLong.empty();
        }
    }

    private static void warn(int id, String message) {
        LOG.atWarn().addKeyValue("id", id).addKeyValue("startupWarning", true).log(message);
    }
}
