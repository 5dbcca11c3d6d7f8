package io.ostraka.router.routing;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import org.bson.BsonDocument;

/**
 * Where a database's untracked collections live.
 *
 * @param version what requests carry as {@code databaseVersion}
 */
public record DatabasePlacement(ShardId primary, RawDocument version) {
    static DatabasePlacement of(BsonDocument brief) {
        return new DatabasePlacement(
                new ShardId(brief.getString("primary").getValue()), RawDocument.of(brief.getDocument("version")));
    }
}
