package io.ostraka.router.remote;

import static io.ostraka.core.error.ErrorCode.CONFIG_SERVER_UNREACHABLE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Operation;
import java.util.Map;
import org.bson.BsonDocument;

/** The config servers, as a router asks them. */
public final class ConfigServers {
    private static final long ANSWERS_MILLIS = 30_000;

    private final ReplicaSet set;

    /** @param connectionString as {@code --configdb} names it */
    public ConfigServers(ClusterClient client, String connectionString) {
        this.set = new ReplicaSet(client, connectionString);
    }

    public ReplicaSet set() {
        return set;
    }

    /**
     * Asks something that may be asked twice, and waits a bounded time: others may wait for the same answer.
     *
     * @throws CommandException 56846 ConfigServerUnreachable if none comes in that time, or what the servers answer
     */
    public BsonDocument ask(BsonDocument command, Operation operation) {
        operation.checkAlive();
        Operation bounded = Operation.ofProcess(
                command.getFirstKey(), "admin", operation.deadline().atMost(ANSWERS_MILLIS));
        try {
            return run("admin", RawDocument.of(command), true, bounded).toBson();
        } catch (CommandException failed) {
            operation.checkAlive();
            if (failed.code() == ErrorCode.MAX_TIME_MS_EXPIRED) {
                throw CONFIG_SERVER_UNREACHABLE.because(
                        "the config servers %s did not answer within %d seconds",
                        set.connectionString(), ANSWERS_MILLIS / 1000);
            }
            throw failed;
        }
    }

    /** Orders something: sent again only where the servers said they did nothing. */
    public BsonDocument order(BsonDocument command, Operation operation) {
        return run("admin", RawDocument.of(command), false, operation).toBson();
    }

    public RawDocument run(String database, RawDocument command, boolean repeatable, Operation operation) {
        return set.run(database, command, Map.of(), repeatable, operation);
    }
}
