package io.ostraka.node.catalog;

import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW;

import io.ostraka.core.check.Check;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.query.collation.Collation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * One collection.
 *
 * @param ident where its records are; indexes have idents of their own
 * @param namespace its name now
 * @param uuid its identity, kept over a rename
 * @param options as given to {@code create}, shown by {@code listCollections}; not to be changed
 * @param capped its bounds, for a capped collection
 * @param preImages whether oplog rows hold the document before
 * @param indexes the one on {@code _id} first
 * @param ownership what this shard owns of it; empty for a collection that is wholly here
 */
public record CollectionEntry(
        int ident,
        Namespace namespace,
        UUID uuid,
        BsonDocument options,
        Optional<Capped> capped,
        boolean preImages,
        List<IndexEntry> indexes,
        Optional<Ownership> ownership) {
    /**
     * The bounds of a capped collection; the oldest documents go first.
     *
     * @param bytes of all documents
     * @param documents 0 for no bound
     */
    public record Capped(long bytes, long documents) {}

    public CollectionEntry {
        Check.that(ident > 0, "an ident is positive");
        indexes = List.copyOf(indexes);
    }

    /** A new collection with its index on {@code _id}. */
    public static CollectionEntry fresh(
            int ident, int idIndex, Namespace namespace, UUID uuid, BsonDocument options, Optional<Capped> capped) {
        return new CollectionEntry(
                ident,
                namespace,
                uuid,
                options,
                capped,
                false,
                List.of(IndexEntry.ofId(idIndex, collation(options))),
                Optional.empty());
    }

    /** Whether its documents are measurements, each with a time. */
    public boolean isTimeSeries() {
        return options.containsKey("timeseries");
    }

    /** Whether its documents are in the order of their {@code _id}s, not in that in which they came. */
    public boolean isClustered() {
        return options.containsKey("clusteredIndex");
    }

    /** The field by whose times documents expire, if they do by the collection's own options. */
    public Optional<String> expiresBy() {
        if (!options.containsKey("expireAfterSeconds")) {
            return Optional.empty();
        }
        return Optional.of(
                isTimeSeries()
                        ? options.getDocument("timeseries")
                                .getString("timeField")
                                .getValue()
                        : "_id");
    }

    /** Whether it is a view: a name for what a pipeline makes of other collections. It has no documents. */
    public boolean isView() {
        return options.containsKey("viewOn");
    }

    /**
     * Refuses a view where a collection is needed.
     *
     * @throws io.ostraka.core.error.CommandException 166 CommandNotSupportedOnView
     */
    public void checkIsCollection() {
        if (isView()) {
            throw COMMAND_NOT_SUPPORTED_ON_VIEW.because("Namespace %s is a view, not a collection", namespace);
        }
    }

    private static Collation collation(BsonDocument options) {
        return options.containsKey("collation") ? Collation.parse(options.getDocument("collation")) : Collation.SIMPLE;
    }

    /** How strings compare in it where a command does not say. */
    public Collation collation() {
        return idIndex().definition().collation();
    }

    public Optional<IndexEntry> index(String name) {
        return indexes.stream().filter(index -> index.name().equals(name)).findFirst();
    }

    public IndexEntry idIndex() {
        return indexes.getFirst();
    }

    CollectionEntry with(Namespace next) {
        return new CollectionEntry(ident, next, uuid, options, capped, preImages, indexes, ownership);
    }

    CollectionEntry withOptions(BsonDocument next) {
        return new CollectionEntry(ident, namespace, uuid, next, capped, preImages, indexes, ownership);
    }

    CollectionEntry withPreImages(boolean next) {
        return new CollectionEntry(ident, namespace, uuid, options, capped, next, indexes, ownership);
    }

    public CollectionEntry withOwnership(Optional<Ownership> next) {
        return new CollectionEntry(ident, namespace, uuid, options, capped, preImages, indexes, next);
    }

    /** With an index put in the place of the one of its ident, or added. */
    public CollectionEntry withIndex(IndexEntry index) {
        List<IndexEntry> next = new ArrayList<>(indexes);
        next.replaceAll(each -> each.ident() == index.ident() ? index : each);
        if (!next.contains(index)) {
            next.add(index);
        }
        return new CollectionEntry(ident, namespace, uuid, options, capped, preImages, next, ownership);
    }

    CollectionEntry withoutIndex(int indexIdent) {
        List<IndexEntry> next = new ArrayList<>(indexes);
        next.removeIf(each -> each.ident() == indexIdent);
        return new CollectionEntry(ident, namespace, uuid, options, capped, preImages, next, ownership);
    }

    /** The greatest of its idents. */
    int highestIdent() {
        return Math.max(
                ident, indexes.stream().mapToInt(IndexEntry::ident).max().orElse(0));
    }

    public BsonDocument toBson() {
        BsonArray all = new BsonArray();
        indexes.forEach(index -> all.add(index.toBson()));
        BsonDocument stored = new BsonDocument("ident", new BsonInt64(ident))
                .append("ns", new BsonString(namespace.toString()))
                .append("uuid", uuidValue())
                .append("options", options)
                .append("preImages", BsonBoolean.valueOf(preImages))
                .append("indexes", all);
        capped.ifPresent(bounds -> stored.append(
                "capped",
                new BsonDocument("size", new BsonInt64(bounds.bytes)).append("max", new BsonInt64(bounds.documents))));
        ownership.ifPresent(owned -> stored.append("ownership", owned.toBson()));
        return stored;
    }

    /** The UUID as binary of subtype 4. */
    public BsonBinary uuidValue() {
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        return new BsonBinary((byte) 4, bytes);
    }

    public static CollectionEntry of(BsonDocument stored) {
        ByteBuffer uuid = ByteBuffer.wrap(stored.getBinary("uuid").getData());
        Optional<Capped> capped = Optional.ofNullable(stored.get("capped"))
                .map(bounds -> new Capped(
                        bounds.asDocument().getInt64("size").getValue(),
                        bounds.asDocument().getInt64("max").getValue()));
        List<IndexEntry> indexes = new ArrayList<>();
        stored.getArray("indexes").forEach(index -> indexes.add(IndexEntry.of(index.asDocument())));
        return new CollectionEntry(
                (int) stored.getInt64("ident").getValue(),
                Namespace.parse(stored.getString("ns").getValue()),
                new UUID(uuid.getLong(), uuid.getLong()),
                stored.getDocument("options"),
                capped,
                stored.getBoolean("preImages").getValue(),
                indexes,
                Optional.ofNullable(stored.get("ownership")).map(owned -> Ownership.of(owned.asDocument())));
    }
}
