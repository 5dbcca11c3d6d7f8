package io.ostraka.router.remote;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Operation;
import java.util.Map;
import org.bson.BsonDocument;

/** The config servers, as a router asks them. */
public final class ConfigServers {
    private final ReplicaSet set;

    /** @param connectionString as {@code --configdb} names it */
    public ConfigServers(ClusterClient client, String connectionString) {
        this.set = new ReplicaSet(client, connectionString);
    }

    public ReplicaSet set() {
        return set;
    }

    /** Asks something that may be asked twice. */
    public BsonDocument ask(BsonDocument command, Operation operation) {
        return run("admin", RawDocument.of(command), true, operation).toBson();
    }

    /** Orders something: sent again only where the servers said they did nothing. */
    public BsonDocument order(BsonDocument command, Operation operation) {
        return run("admin", RawDocument.of(command), false, operation).toBson();
    }

    public RawDocument run(String database, RawDocument command, boolean repeatable, Operation operation) {
        return set.run(database, command, Map.of(), repeatable, operation);
    }
}
