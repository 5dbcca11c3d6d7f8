package io.ostraka.server.process;

import io.ostraka.wire.common.Parameters;
import io.ostraka.wire.session.Sessions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonBoolean;
import org.bson.BsonInt32;

/**
 * The parameters of {@code --setParameter} that every process obeys from its start on.
 *
 * @param sessionTimeout how long a session may be left unused: {@code localLogicalSessionTimeoutMinutes}
 * @param testCommands whether there are commands for tests of drivers: {@code enableTestCommands}
 */
public record StartParameters(Duration sessionTimeout, boolean testCommands) {
    public static final StartParameters DEFAULT = new StartParameters(Sessions.TIMEOUT, false);

    private static final int MINUTES_MAX = 24 * 60;

    /**
     * Reads those there are among a command line's.
     *
     * @param given {@code name=value}
     * @throws StartRefused for a value that is none
     */
    public static StartParameters of(List<String> given) {
        Map<String, String> values = new HashMap<>();
        for (String each : given) {
            int at = each.indexOf('=');
            values.put(each.substring(0, at), each.substring(at + 1));
        }
        return new StartParameters(
                Duration.ofMinutes(minutes(values.getOrDefault(
                        "localLogicalSessionTimeoutMinutes", Long.toString(Sessions.TIMEOUT.toMinutes())))),
                flag(values.getOrDefault("enableTestCommands", "0")));
    }

    private static int minutes(String text) {
        try {
            int minutes = Integer.parseInt(text);
            if (minutes >= 1 && minutes <= MINUTES_MAX) {
                return minutes;
            }
        } catch (NumberFormatException none) {
            // told below
        }
        throw new StartRefused("--setParameter localLogicalSessionTimeoutMinutes takes a number from 1 to "
                + MINUTES_MAX + ", not '" + text + "'.");
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "1", "true" -> true;
            case "0", "false" -> false;
            default -> throw new StartRefused("--setParameter enableTestCommands takes 1 or 0, not '" + text + "'.");
        };
    }

    /** As {@code getParameter} shows them. */
    List<Parameters.Parameter> fixed() {
        return List.of(
                Parameters.Parameter.fixed("enableTestCommands", BsonBoolean.valueOf(testCommands)),
                Parameters.Parameter.fixed(
                        "localLogicalSessionTimeoutMinutes", new BsonInt32((int) sessionTimeout.toMinutes())));
    }
}
