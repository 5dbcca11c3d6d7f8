package io.ostraka.server.cli;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators are told at each start, and again by {@code getLog: "startupWarnings"}. */
final class StartupWarnings {
    private static final Logger LOG = LoggerFactory.getLogger("CONTROL");

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

    private static void warn(int id, String message) {
        LOG.atWarn().addKeyValue("id", id).addKeyValue("startupWarning", true).log(message);
    }
}
