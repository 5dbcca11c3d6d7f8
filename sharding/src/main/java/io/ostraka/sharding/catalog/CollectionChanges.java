package io.ostraka.sharding.catalog;

import static io.ostraka.core.error.ErrorCode.ALREADY_INITIALIZED;
import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_EXISTS;
import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_FOUND;

import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;

/** Changes of whole collections and databases in the catalog. Each is one commit, and harmless when asked for twice. */
public final class CollectionChanges {
    private final ClusterCatalog catalog;

    public CollectionChanges(ClusterCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Begins to track a collection. Asking again with what is there changes nothing.
     *
     * @param row the collection
     * @param chunks its first chunks, meeting end to end
     * @throws io.ostraka.core.error.CommandException 23 AlreadyInitialized if it is tracked otherwise
     */
    public void track(CollectionRow row, List<ChunkRow> chunks, BsonDocument details) {
        Namespace namespace = row.namespace();
        catalog.locked(namespace, () -> {
            Optional<Placement> existing = catalog.load(namespace);
            if (existing.isPresent()) {
                if (existing.get().row().uuid().equals(row.uuid())
                        && existing.get().row().key().equals(row.key())) {
                    return null;
                }
                throw ALREADY_INITIALIZED.because(
                        "Collection '%s' is sharded with key %s",
                        namespace, existing.get().row().key());
            }
            Placement placement = Placement.of(row, chunks);
            List<CatalogStore.Change> changes = new ArrayList<>();
            changes.add(new CatalogStore.Change.Put(ClusterCatalog.COLLECTIONS, row.document()));
            for (ChunkRow chunk : chunks) {
                changes.add(new CatalogStore.Change.Put(ClusterCatalog.CHUNKS, chunk.toBson()));
            }
            changes.add(catalog.changelog().change("shardCollection.end", namespace.toString(), details));
            catalog.store().commit(changes);
            catalog.remember(placement);
            return null;
        });
    }

    /**
     * Forgets a collection; nothing if it is not tracked or is another by now.
     *
     * @return the shards that owned anything
     */
    public void drop(Namespace namespace, UUID uuid) {
        catalog.locked(namespace, () -> {
            Optional<Placement> existing = catalog.load(namespace);
            if (existing.isEmpty() || !existing.get().row().uuid().equals(uuid)) {
                return null;
            }
            List<CatalogStore.Change> changes = new ArrayList<>();
            changes.add(
                    new CatalogStore.Change.Delete(ClusterCatalog.COLLECTIONS, new BsonString(namespace.toString())));
            for (ChunkRow chunk : existing.get().rows()) {
                changes.add(new CatalogStore.Change.Delete(ClusterCatalog.CHUNKS, new BsonObjectId(chunk.id())));
            }
            for (BsonDocument tag :
                    catalog.store().find("tags", new BsonDocument("ns", new BsonString(namespace.toString())))) {
                changes.add(new CatalogStore.Change.Delete("tags", tag.get("_id")));
            }
            changes.add(catalog.changelog().change("dropCollection", namespace.toString(), new BsonDocument()));
            catalog.store().commit(changes);
            catalog.forget(namespace);
            return null;
        });
    }

    /** Begins to track a collection in a database with this primary, which is made again if it was dropped meanwhile. */
    public void track(ShardId primary, CollectionRow row, List<ChunkRow> chunks, BsonDocument details) {
        DatabaseRow ignored = catalog.createDatabase(row.namespace().database(), Optional.of(primary));
        track(row, chunks, details);
    }

    /** The tracked collections of a database. */
    public List<CollectionRow> tracked(String database) {
        return catalog.collections(Optional.of(database));
    }

    /**
     * Gives a tracked collection another name, in a new generation; nothing if that was done already.
     *
     * @throws io.ostraka.core.error.CommandException 26 if it is gone; 48 if another one of the new name is tracked
     */
    public void rename(Namespace from, Namespace to, UUID uuid) {
        boolean inOrder = from.compareTo(to) < 0;
        catalog.locked(
                inOrder ? from : to, () -> catalog.locked(inOrder ? to : from, () -> renameLocked(from, to, uuid)));
    }

    private Void renameLocked(Namespace from, Namespace to, UUID uuid) {
        Optional<UUID> target = catalog.collection(to).map(CollectionRow::uuid);
        if (target.isPresent()) {
            if (target.get().equals(uuid)) {
                return null;
            }
            throw NAMESPACE_EXISTS.because("target namespace exists: %s", to);
        }
        Optional<Placement> existing = catalog.load(from);
        if (existing.isEmpty() || !existing.get().row().uuid().equals(uuid)) {
            throw NAMESPACE_NOT_FOUND.because("Source collection %s does not exist", from);
        }
        // The stored row, not the one in memory: clients write switches into it.
        CollectionRow row = catalog.collection(from)
                .orElseThrow()
                .renamed(
                        to,
                        new Generation(catalog.ids().objectId(), catalog.store().tick()),
                        catalog.clock().wallMillis());
        catalog.store()
                .commit(List.of(
                        new CatalogStore.Change.Delete(ClusterCatalog.COLLECTIONS, new BsonString(from.toString())),
                        new CatalogStore.Change.Put(ClusterCatalog.COLLECTIONS, row.document()),
                        catalog.changelog()
                                .change(
                                        "renameCollection",
                                        from.toString(),
                                        new BsonDocument("to", new BsonString(to.toString())))));
        catalog.forget(from);
        catalog.forget(to);
        return null;
    }

    /**
     * Gives a database another primary and forgets collections that were tracked only to be moved there, at once.
     *
     * @param moved collections whose one chunk is on the new primary
     */
    public DatabaseRow movePrimary(String name, ShardId to, List<Namespace> moved) {
        return catalog.lockedDatabase(name, () -> {
            DatabaseRow old = catalog.database(name).orElseThrow();
            DatabaseRow row = old.primary().equals(to)
                    ? old
                    : new DatabaseRow(name, to, old.uuid(), old.timestamp(), old.lastMod() + 1);
            List<CatalogStore.Change> changes = new ArrayList<>();
            changes.add(new CatalogStore.Change.Put(ClusterCatalog.DATABASES, row.toBson()));
            for (Namespace namespace : moved) {
                catalog.load(namespace).filter(placement -> isOn(placement, to)).ifPresent(placement -> {
                    changes.add(new CatalogStore.Change.Delete(
                            ClusterCatalog.COLLECTIONS, new BsonString(namespace.toString())));
                    placement
                            .rows()
                            .forEach(chunk -> changes.add(new CatalogStore.Change.Delete(
                                    ClusterCatalog.CHUNKS, new BsonObjectId(chunk.id()))));
                });
            }
            changes.add(catalog.changelog()
                    .change(
                            "movePrimary",
                            name,
                            new BsonDocument(
                                            "from", new BsonString(old.primary().name()))
                                    .append("to", new BsonString(to.name()))));
            catalog.store().commit(changes);
            moved.forEach(catalog::forget);
            return row;
        });
    }

    private static boolean isOn(Placement placement, ShardId shard) {
        return placement.rows().stream().allMatch(chunk -> chunk.shard().equals(shard));
    }

    /**
     * Gives a collection a longer key: bounds of chunks and zones get MinKey for the new fields, versions begin anew.
     *
     * @param zones the rows of {@code config.tags} for it
     * @throws io.ostraka.core.error.CommandException 117 if the collection is another by now
     */
    public void refine(Namespace namespace, UUID uuid, ShardKey key, Generation generation, List<BsonDocument> zones) {
        catalog.locked(namespace, () -> {
            Placement old = catalog.require(namespace);
            if (!old.row().uuid().equals(uuid)) {
                throw CONFLICTING_OPERATION_IN_PROGRESS.because("Collection '%s' was made anew meanwhile", namespace);
            }
            // The stored row, not the one in memory: clients write switches into it.
            CollectionRow row = catalog.collection(namespace)
                    .orElseThrow()
                    .refined(key, generation, catalog.clock().wallMillis());
            List<CatalogStore.Change> changes = new ArrayList<>();
            changes.add(new CatalogStore.Change.Put(ClusterCatalog.COLLECTIONS, row.document()));
            long version = 1L << 32;
            for (ChunkRow chunk : old.rows()) {
                BsonDocument stored = chunk.at(version++).toBson();
                stored.put("min", key.completeBound(chunk.min()));
                stored.put("max", key.completeBound(chunk.max()));
                changes.add(new CatalogStore.Change.Put(ClusterCatalog.CHUNKS, stored));
            }
            for (BsonDocument zone : zones) {
                BsonDocument stored = zone.clone();
                stored.put("min", key.completeBound(zone.getDocument("min")));
                stored.put("max", key.completeBound(zone.getDocument("max")));
                changes.add(new CatalogStore.Change.Put("tags", stored));
            }
            changes.add(catalog.changelog()
                    .change(
                            "refineCollectionShardKey.end",
                            namespace.toString(),
                            new BsonDocument("newKey", key.pattern())));
            catalog.store().commit(changes);
            catalog.forget(namespace);
            return null;
        });
    }

    /** Lets the balancer move chunks of a collection, or not. */
    public void setAllowBalance(Namespace namespace, boolean allowed) {
        catalog.locked(namespace, () -> {
            BsonDocument row =
                    catalog.collection(namespace).orElseThrow().document().clone();
            row.put("noBalance", BsonBoolean.valueOf(!allowed));
            catalog.store().commit(List.of(new CatalogStore.Change.Put(ClusterCatalog.COLLECTIONS, row)));
            return null;
        });
    }

    /**
     * Gives a collection that is wholly on one shard another form: one chunk there, versions begin anew, zones go.
     *
     * @return false, and nothing is changed, if some chunk is elsewhere
     * @throws io.ostraka.core.error.CommandException 117 if the collection is another by now
     */
    public boolean makeWhole(
            Namespace namespace, UUID uuid, CollectionRow.Form form, Generation generation, ShardId shard) {
        return catalog.locked(namespace, () -> {
            Placement old = catalog.require(namespace);
            if (!old.row().uuid().equals(uuid)) {
                throw CONFLICTING_OPERATION_IN_PROGRESS.because("Collection '%s' was made anew meanwhile", namespace);
            }
            if (!isOn(old, shard)) {
                return false;
            }
            CollectionRow row = catalog.collection(namespace)
                    .orElseThrow()
                    .inForm(form, generation, catalog.clock().wallMillis());
            List<CatalogStore.Change> changes = new ArrayList<>();
            changes.add(new CatalogStore.Change.Put(ClusterCatalog.COLLECTIONS, row.document()));
            old.rows()
                    .forEach(chunk -> changes.add(
                            new CatalogStore.Change.Delete(ClusterCatalog.CHUNKS, new BsonObjectId(chunk.id()))));
            ChunkRow whole = ChunkRow.first(
                    catalog.ids().objectId(),
                    uuid,
                    form.key(),
                    form.key().lowestBound(),
                    form.key().highestBound(),
                    shard,
                    1L << 32,
                    catalog.store().tick());
            changes.add(new CatalogStore.Change.Put(ClusterCatalog.CHUNKS, whole.toBson()));
            for (BsonDocument tag :
                    catalog.store().find("tags", new BsonDocument("ns", new BsonString(namespace.toString())))) {
                changes.add(new CatalogStore.Change.Delete("tags", tag.get("_id")));
            }
            changes.add(catalog.changelog()
                    .change(
                            form.unsplittable() ? "unshardCollection" : "shardCollection.end",
                            namespace.toString(),
                            new BsonDocument("shardKey", form.key().pattern())
                                    .append("shard", new BsonString(shard.name()))));
            catalog.store().commit(changes);
            catalog.forget(namespace);
            return true;
        });
    }

    /** Forgets a database that holds nothing any more. */
    public void dropDatabase(String name) {
        if (catalog.database(name).isPresent()) {
            catalog.store()
                    .commit(List.of(
                            new CatalogStore.Change.Delete(ClusterCatalog.DATABASES, new BsonString(name)),
                            catalog.changelog().change("dropDatabase", name, new BsonDocument())));
        }
    }
}
