package io.ostraka.router.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.ShardAnswer;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.wire.command.Operation;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes commands that kill sessions on to the shards, where their transactions are. */
public final class SessionKills {
    private static final Logger LOG = LoggerFactory.getLogger(SessionKills.class);

    private SessionKills() {}

    /** Sends the command to all shards. One that cannot be reached lets its transactions go when they are too old. */
    public static void passOn(ClusterServices services, Operation operation) {
        RawDocument command = Forward.of(operation).build();
        List<ShardRequest> requests = services.shards().all(operation).stream()
                .map(shard -> ShardRequest.order(shard, command))
                .toList();
        for (ShardAnswer answer : services.gather().ask("admin", requests, operation)) {
            if (answer instanceof ShardAnswer.Failed(var shard, var error)) {
                LOG.warn("sessions are not killed on {}: {}", shard.name(), error.getMessage());
            }
        }
    }
}
