package io.ostraka.server.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What this program is. */
public final class Version {
    /** The program's own version. */
    public static final String PROGRAM = "0.1.0";

    private Version() {}

    /** The commit it was built from, or "unknown". */
    public static String git() {
        try (InputStream in = Version.class.getResourceAsStream("/io/ostraka/server/build.properties")) {
            if (in == null) {
                return "unknown";
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("git", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
