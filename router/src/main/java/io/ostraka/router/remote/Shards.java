package io.ostraka.router.remote;

import static io.ostraka.core.error.ErrorCode.SHARD_NOT_FOUND;

import io.ostraka.core.placement.ShardId;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** The shards of the cluster by name: who they are is asked of the config servers when an unknown one is named. */
public final class Shards {
    /** How long an operation waits while another one asks the config servers. */
    private static final long LONGEST_WAIT_NANOS = 60_000_000_000L;

    private final ClusterClient client;
    private final ConfigServers config;
    private final ReentrantLock refreshing = new ReentrantLock();
    private volatile Map<ShardId, ReplicaSet> known = Map.of();

    public Shards(ClusterClient client, ConfigServers config) {
        this.client = client;
        this.config = config;
    }

    /** @throws io.ostraka.core.error.CommandException 70 ShardNotFound */
    public ReplicaSet get(ShardId shard, Operation operation) {
        if (shard.equals(ShardId.CONFIG)) {
            return config.set();
        }
        ReplicaSet found = known.get(shard);
        if (found == null) {
            found = refresh(operation).get(shard);
        }
        if (found == null) {
            throw SHARD_NOT_FOUND.because("Shard %s not found", shard);
        }
        return found;
    }

    /** All shards, as the config servers know them now. */
    public List<ShardId> all(Operation operation) {
        return List.copyOf(refresh(operation).keySet());
    }

    /** All shards, as known here; never empty while the cluster has any. */
    public List<ShardId> known(Operation operation) {
        Map<ShardId, ReplicaSet> now = known;
        return List.copyOf((now.isEmpty() ? refresh(operation) : now).keySet());
    }

    private Map<ShardId, ReplicaSet> refresh(Operation operation) {
        operation.awaitLock(refreshing, LONGEST_WAIT_NANOS);
        try {
            Map<ShardId, ReplicaSet> now = new TreeMap<>();
            BsonDocument reply = config.ask(new BsonDocument("_configsvrGetShards", new BsonInt32(1)), operation);
            for (BsonValue row : reply.getArray("shards")) {
                ShardId id = new ShardId(row.asDocument().getString("_id").getValue());
                String host = row.asDocument().getString("host").getValue();
                ReplicaSet old = known.get(id);
                boolean same = old != null && old.connectionString().equals(host);
                now.put(id, same ? old : new ReplicaSet(client, host));
            }
            known = java.util.Collections.unmodifiableMap(now);
            return known;
        } finally {
            refreshing.unlock();
        }
    }

    /** Forgets one that cannot be reached: its members may have moved. It is asked for when it is named again. */
    public void forget(ShardId shard) {
        refreshing.lock();
        try {
            Map<ShardId, ReplicaSet> rest = new TreeMap<>(known);
            rest.remove(shard);
            known = java.util.Collections.unmodifiableMap(rest);
        } finally {
            refreshing.unlock();
        }
    }

    /** Forgets all of them. */
    public void flush() {
        known = Map.of();
    }
}
