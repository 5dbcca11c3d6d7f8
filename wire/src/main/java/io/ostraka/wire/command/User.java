package io.ostraka.wire.command;

/**
 * Who runs a command.
 *
 * @param name the name, empty for nobody
 * @param database where the user is stored
 */
public record User(String name, String database) {
    /** A connection that has not authenticated. */
    public static final User NOBODY = new User("", "");

    /** A process of the same cluster. */
    public static final User CLUSTER = new User("__system", "local");
}
