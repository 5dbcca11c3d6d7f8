package io.ostraka.sharding.catalog;

import io.ostraka.core.placement.ShardId;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonTimestamp;

/**
 * A row of {@code config.databases}.
 *
 * @param name the database
 * @param primary where its untracked collections live
 * @param uuid which life of the database this is
 * @param timestamp when it began
 * @param lastMod counts changes of the primary, from 1
 */
public record DatabaseRow(String name, ShardId primary, UUID uuid, BsonTimestamp timestamp, int lastMod) {
    public BsonDocument toBson() {
        return new BsonDocument("_id", new BsonString(name))
                .append("primary", new BsonString(primary.name()))
                .append("version", version());
    }

    /** The {@code databaseVersion} of requests. */
    public BsonDocument version() {
        return new BsonDocument("uuid", new BsonBinary(uuid))
                .append("timestamp", timestamp)
                .append("lastMod", new BsonInt32(lastMod));
    }

    public static DatabaseRow of(BsonDocument row) {
        BsonDocument version = row.getDocument("version");
        return new DatabaseRow(
                row.getString("_id").getValue(),
                new ShardId(row.getString("primary").getValue()),
                version.getBinary("uuid").asUuid(),
                version.getTimestamp("timestamp"),
                version.getInt32("lastMod").getValue());
    }
}
