package io.ostraka.wire.command;

/** Says who may run what: the part of {@code wire.auth.UserDirectory} that the dispatcher asks. */
@FunctionalInterface
public interface Permissions {
    /**
     * Whether a user may.
     *
     * @param namespace the database, or database and collection, or empty for the cluster
     */
    boolean mayRun(User user, Needs needs, String namespace);
}
