package io.ostraka.sharding.catalog;

import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardKey;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;

/**
 * A row of {@code config.collections}: a tracked collection. Switches that clients write there by hand
 * ({@code noBalance}, {@code maxChunkSizeBytes} ...) stay in the document as they are.
 *
 * @param document the row as stored
 * @param key its shard key, compiled
 */
public record CollectionRow(
        Namespace namespace, UUID uuid, ShardKey key, Generation generation, BsonDocument document) {
    /** A row for a collection that is being sharded. */
    public static CollectionRow create(
            Namespace namespace, UUID uuid, ShardKey key, boolean unique, Generation generation, long wallMillis) {
        BsonDocument row = new BsonDocument("_id", new BsonString(namespace.toString()))
                .append("lastmodEpoch", new BsonObjectId(generation.epoch()))
                .append("lastmod", new BsonDateTime(wallMillis))
                .append("timestamp", generation.timestamp())
                .append("uuid", new BsonBinary(uuid))
                .append("key", key.pattern())
                .append("unique", BsonBoolean.valueOf(unique))
                .append("noBalance", BsonBoolean.FALSE);
        return new CollectionRow(namespace, uuid, key, generation, row);
    }

    public static CollectionRow of(BsonDocument row) {
        return new CollectionRow(
                Namespace.parse(row.getString("_id").getValue()),
                row.getBinary("uuid").asUuid(),
                ShardKey.parse(row.getDocument("key")),
                new Generation(row.getObjectId("lastmodEpoch").getValue(), row.getTimestamp("timestamp")),
                row);
    }

    /** Whether it is tracked only so that it can be moved: one chunk, never split. */
    public boolean isUnsplittable() {
        return document.getBoolean("unsplittable", BsonBoolean.FALSE).getValue();
    }

    /** This as a collection that is never split. */
    public CollectionRow unsplittable() {
        BsonDocument row = document.clone();
        row.put("unsplittable", BsonBoolean.TRUE);
        return new CollectionRow(namespace, uuid, key, generation, row);
    }

    /** This as a collection whose strings compare by rules of their own where a command does not say. */
    public CollectionRow collated(BsonDocument collation) {
        BsonDocument row = document.clone();
        row.put("defaultCollation", collation);
        return new CollectionRow(namespace, uuid, key, generation, row);
    }

    public boolean unique() {
        return document.getBoolean("unique", BsonBoolean.FALSE).getValue();
    }

    /** Whether the balancer may move its chunks. */
    public boolean mayBalance() {
        return !document.getBoolean("noBalance", BsonBoolean.FALSE).getValue() && mayMove();
    }

    /** Whether chunks may be moved at all. */
    public boolean mayMove() {
        return document.getBoolean("allowMigrations", BsonBoolean.TRUE).getValue();
    }

    /**
     * How a collection is placed.
     *
     * @param unsplittable whether it is tracked only because it is not on its database's primary
     */
    public record Form(ShardKey key, boolean unique, boolean unsplittable) {}

    /** The collection in another form, in a new generation; balanced again if it was held still for the change. */
    public CollectionRow inForm(Form form, Generation newGeneration, long wallMillis) {
        BsonDocument row = refined(form.key, newGeneration, wallMillis).document;
        row.put("unique", BsonBoolean.valueOf(form.unique));
        row.put("noBalance", BsonBoolean.FALSE);
        if (form.unsplittable) {
            row.put("unsplittable", BsonBoolean.TRUE);
        } else {
            row.remove("unsplittable");
        }
        return new CollectionRow(namespace, uuid, form.key, newGeneration, row);
    }

    /** The collection with a longer key, in a new generation. */
    public CollectionRow refined(ShardKey longer, Generation newGeneration, long wallMillis) {
        BsonDocument row = document.clone();
        row.put("key", longer.pattern());
        row.put("lastmodEpoch", new BsonObjectId(newGeneration.epoch()));
        row.put("lastmod", new BsonDateTime(wallMillis));
        row.put("timestamp", newGeneration.timestamp());
        return new CollectionRow(namespace, uuid, longer, newGeneration, row);
    }

    /** The collection under another name, in a new generation. */
    public CollectionRow renamed(Namespace to, Generation newGeneration, long wallMillis) {
        BsonDocument row = document.clone();
        row.put("_id", new BsonString(to.toString()));
        row.put("lastmodEpoch", new BsonObjectId(newGeneration.epoch()));
        row.put("lastmod", new BsonDateTime(wallMillis));
        row.put("timestamp", newGeneration.timestamp());
        return new CollectionRow(to, uuid, key, newGeneration, row);
    }
}
