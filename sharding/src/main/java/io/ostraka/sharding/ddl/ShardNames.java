package io.ostraka.sharding.ddl;

import io.ostraka.core.placement.ShardId;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonString;

/** Lists of shards in stored documents. */
final class ShardNames {
    private ShardNames() {}

    static BsonArray toBson(List<ShardId> shards) {
        BsonArray names = new BsonArray();
        shards.forEach(shard -> names.add(new BsonString(shard.name())));
        return names;
    }

    static List<ShardId> of(BsonArray names) {
        List<ShardId> shards = new ArrayList<>();
        names.forEach(name -> shards.add(new ShardId(name.asString().getValue())));
        return shards;
    }
}
