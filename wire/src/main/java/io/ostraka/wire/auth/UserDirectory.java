package io.ostraka.wire.auth;

import io.ostraka.wire.command.Needs;

/** Knows who may do what. The dispatcher asks it before each command. */
public interface UserDirectory {
    /**
     * Whether a user may.
     *
     * @param namespace the database, or database and collection, or empty for the cluster
     */
    boolean mayRun(User user, Needs needs, String namespace);

    /** Everybody may do everything: as a server started without {@code --auth}. */
    UserDirectory OPEN = (user, needs, namespace) -> true;
}
