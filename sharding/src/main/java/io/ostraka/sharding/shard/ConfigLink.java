package io.ostraka.sharding.shard;

import static io.ostraka.core.error.ErrorCode.SHARDING_STATE_NOT_INITIALIZED;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.ShardId;
import io.ostraka.sharding.remote.Peers;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonDocument;

/** A shard's way to the config servers. */
public final class ConfigLink {
    /** Within which the config servers say what an operation waits for. */
    private static final long ANSWERS_MILLIS = 30_000;

    private final Peers config;

    /** @param identity of this shard, once it has joined a cluster */
    public ConfigLink(ClusterClient client, Supplier<Optional<ShardIdentity>> identity) {
        config = new Peers(client, ignored -> hosts(identity));
    }

    private static List<String> hosts(Supplier<Optional<ShardIdentity>> identity) {
        return identity.get()
                .map(ShardIdentity::configHosts)
                .orElseThrow(() -> SHARDING_STATE_NOT_INITIALIZED.because(
                        "This server has not joined a cluster yet; add it with sh.addShard(\"set/host:port\")"));
    }

    /**
     * Asks something on which operations wait, a bounded time: others may wait for the same answer.
     *
     * @throws io.ostraka.core.error.CommandException what the config servers replied; 56846 ConfigServerUnreachable if no
     *     answer comes in time; what {@link #call} throws
     */
    public BsonDocument ask(BsonDocument question, Operation operation) {
        operation.checkAlive();
        try {
            return call(question, operation.deadline().atMost(ANSWERS_MILLIS));
        } catch (CommandException failed) {
            operation.checkAlive();
            if (failed.code() == ErrorCode.MAX_TIME_MS_EXPIRED) {
                throw ErrorCode.CONFIG_SERVER_UNREACHABLE.because(
                        "the config servers did not answer within %d seconds", ANSWERS_MILLIS / 1000);
            }
            throw failed;
        }
    }

    /**
     * Runs a command on the config servers' primary.
     *
     * @throws io.ostraka.core.error.CommandException what it replied; 203 before this member has joined a cluster; 6, 89 if it cannot be reached in time
     */
    public BsonDocument call(BsonDocument command, Deadline deadline) {
        return config.call(ShardId.CONFIG, command, deadline);
    }
}
