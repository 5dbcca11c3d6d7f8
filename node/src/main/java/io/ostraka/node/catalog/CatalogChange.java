package io.ostraka.node.catalog;

import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** One change of a Catalog. All but {@link Create} name a collection by its ident and change nothing if it is gone. */
public sealed interface CatalogChange {
    record Create(CollectionEntry entry) implements CatalogChange {}

    /** Takes the collection away, its indexes and all their bytes. */
    record Drop(int ident) implements CatalogChange {}

    record Rename(int ident, Namespace to) implements CatalogChange {}

    record SetOptions(int ident, BsonDocument options) implements CatalogChange {}

    record SetPreImages(int ident, boolean preImages) implements CatalogChange {}

    record SetOwnership(int ident, Optional<Ownership> ownership) implements CatalogChange {}

    /** Adds an index or replaces the one of the same ident. */
    record PutIndex(int ident, IndexEntry index) implements CatalogChange {}

    record DropIndex(int ident, int index) implements CatalogChange {}

    /** Documents with arrays at these fields' paths are in the index from now on. */
    record AddMultikey(int ident, int index, long fields) implements CatalogChange {}

    default BsonDocument toBson() {
        return switch (this) {
            case Create(var entry) -> named("create", entry.ident()).append("entry", entry.toBson());
            case Drop(var ident) -> named("drop", ident);
            case Rename(var ident, var to) -> named("rename", ident).append("to", new BsonString(to.toString()));
            case SetOptions(var ident, var options) -> named("options", ident).append("options", options);
            case SetPreImages(var ident, var on) -> named("preImages", ident).append("on", BsonBoolean.valueOf(on));
            case SetOwnership(var ident, var ownership) -> {
                BsonDocument stored = named("ownership", ident);
                ownership.ifPresent(owned -> stored.append("ownership", owned.toBson()));
                yield stored;
            }
            case PutIndex(var ident, var index) -> named("putIndex", ident).append("index", index.toBson());
            case DropIndex(var ident, var index) -> named("dropIndex", ident).append("index", new BsonInt32(index));
            case AddMultikey(var ident, var index, var fields) ->
                named("multikey", ident).append("index", new BsonInt32(index)).append("fields", new BsonInt64(fields));
        };
    }

    private static BsonDocument named(String change, int ident) {
        return new BsonDocument("change", new BsonString(change)).append("ident", new BsonInt32(ident));
    }

    /** Reads {@link #toBson}. */
    static CatalogChange of(BsonDocument stored) {
        int ident = stored.getInt32("ident").getValue();
        String change = stored.getString("change").getValue();
        return switch (change) {
            case "create" -> new Create(CollectionEntry.of(stored.getDocument("entry")));
            case "drop" -> new Drop(ident);
            case "rename" ->
                new Rename(ident, Namespace.parse(stored.getString("to").getValue()));
            case "options" -> new SetOptions(ident, stored.getDocument("options"));
            case "preImages" -> new SetPreImages(ident, stored.getBoolean("on").getValue());
            case "ownership" ->
                new SetOwnership(
                        ident,
                        Optional.ofNullable(stored.get("ownership")).map(owned -> Ownership.of(owned.asDocument())));
            case "putIndex" -> new PutIndex(ident, IndexEntry.of(stored.getDocument("index")));
            case "dropIndex" -> new DropIndex(ident, stored.getInt32("index").getValue());
            case "multikey" ->
                new AddMultikey(
                        ident,
                        stored.getInt32("index").getValue(),
                        stored.getInt64("fields").getValue());
            default -> throw new IllegalArgumentException("unknown catalog change '" + change + "'");
        };
    }
}
