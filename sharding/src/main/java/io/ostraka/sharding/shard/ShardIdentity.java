package io.ostraka.sharding.shard;

import io.ostraka.core.placement.ShardId;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;

/**
 * Which shard of which cluster a member belongs to.
 *
 * @param shard its name there
 * @param clusterId the cluster
 * @param configConnectionString {@code set/host:port,host:port}
 */
public record ShardIdentity(ShardId shard, ObjectId clusterId, String configConnectionString) {
    /** The document's {@code _id} in {@code admin.system.version}. */
    public static final BsonString ID = new BsonString("shardIdentity");

    public BsonDocument toBson() {
        return new BsonDocument("_id", ID)
                .append("shardName", new BsonString(shard.name()))
                .append("clusterId", new BsonObjectId(clusterId))
                .append("configsvrConnectionString", new BsonString(configConnectionString));
    }

    public static ShardIdentity of(BsonDocument stored) {
        return new ShardIdentity(
                new ShardId(stored.getString("shardName").getValue()),
                stored.getObjectId("clusterId").getValue(),
                stored.getString("configsvrConnectionString").getValue());
    }

    /** The config servers' addresses. */
    public List<String> configHosts() {
        return Arrays.asList(configConnectionString
                .substring(configConnectionString.indexOf('/') + 1)
                .split(","));
    }
}
