package io.ostraka.wire.auth;

import io.ostraka.wire.command.Permissions;

/** Knows the users and who may do what. The dispatcher asks it before each command. */
public interface UserDirectory extends Permissions {
    /** Everybody may do everything: as a server started without {@code --auth}. */
    UserDirectory OPEN = (user, needs, namespace) -> true;
}
