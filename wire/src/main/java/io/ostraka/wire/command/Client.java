package io.ostraka.wire.command;

import io.ostraka.core.bson.RawDocument;
import java.util.Optional;

/**
 * The other end of a connection, as commands see it.
 *
 * @param connectionId the number shown as {@code connectionId} and in the log as {@code conn<n>}
 * @param remote host and port
 * @param metadata the {@code client} document of its hello
 * @param user who it is; {@link User#NOBODY} until security exists
 * @param ofCluster whether it proved to be a process of the same cluster
 */
public record Client(long connectionId, String remote, Optional<RawDocument> metadata, User user, boolean ofCluster) {
    /** The process itself. */
    public static final Client INTERNAL = new Client(0, "internal", Optional.empty(), User.CLUSTER, true);
}
