package io.ostraka.node.view;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.apply.AppliedState;
import io.ostraka.node.apply.MetaRows;
import io.ostraka.node.apply.Totals;
import io.ostraka.node.catalog.Catalog;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.query.plan.PlanCache;
import io.ostraka.replication.LogPosition;
import io.ostraka.storage.Family;
import io.ostraka.storage.IndexStore;
import io.ostraka.storage.ReadView;
import io.ostraka.storage.RecordStore;
import io.ostraka.storage.Rows;
import java.util.Optional;

/** A member's state between two log entries. Safe for many threads; closed by who opened it. */
public final class View implements AutoCloseable {
    private final ReadView store;
    private final AppliedState state;
    private final IndexUses uses;
    private final PlanCache plans;
    private final boolean owner;

    View(ReadView store, AppliedState state, IndexUses uses, PlanCache plans) {
        this(store, state, uses, plans, true);
    }

    private View(ReadView store, AppliedState state, IndexUses uses, PlanCache plans, boolean owner) {
        this.uses = uses;
        this.plans = plans;
        this.store = store;
        this.state = state;
        this.owner = owner;
    }

    /** The same moment for somebody who closes what he is given, as long as this one is open. */
    public View borrowed() {
        return new View(store, state, uses, plans, false);
    }

    /** The same documents under another catalog; takes this one's place. */
    public View with(Catalog catalog) {
        return new View(store, new AppliedState(state.position(), state.time(), catalog), uses, plans, owner);
    }

    /** A document as it is stored, whatever is laid over the View. */
    public Optional<RawDocument> stored(CollectionEntry collection, RecordId id) {
        byte[] bytes = store.stored(Family.RECORDS, new RecordStore(collection.ident()).key(id));
        return bytes == null ? Optional.empty() : Optional.of(RawDocument.of(bytes));
    }

    /** Whether an entry of an index is stored, whatever is laid over the View. */
    public boolean isStored(IndexEntry index, KeyString key, RecordId id) {
        return store.stored(Family.INDEX, new IndexStore(index.ident()).key(key.bytes(), id)) != null;
    }

    public Catalog catalog() {
        return state.catalog();
    }

    public LogPosition position() {
        return state.position();
    }

    /** The cluster time of the last proposal in it. */
    public long time() {
        return state.time();
    }

    public Optional<CollectionEntry> find(Namespace namespace) {
        return state.catalog().find(namespace);
    }

    /** A document by its RecordId, owned or not. */
    public Optional<RawDocument> document(CollectionEntry collection, RecordId id) {
        byte[] bytes = new RecordStore(collection.ident()).get(store, id);
        return bytes == null ? Optional.empty() : Optional.of(RawDocument.of(bytes));
    }

    /** The counters of a collection. */
    public Totals totals(CollectionEntry collection) {
        return MetaRows.totals(store, collection.ident());
    }

    /** All records in RecordId order, owned or not; before the first. */
    public Rows records(CollectionEntry collection) {
        return new RecordStore(collection.ident()).rows(store);
    }

    /** All entries of an index in key order, of owned documents or not; before the first. */
    public Rows entries(IndexEntry index) {
        return new IndexStore(index.ident()).rows(store);
    }

    /** A plan uses an index. */
    void used(IndexEntry index) {
        uses.used(index.ident());
    }

    /** The plans that have won trials. */
    PlanCache plans() {
        return plans;
    }

    /** The cluster time below which rows of the oplog have been cut away; 0 while none has. */
    public long oplogFrom() {
        return MetaRows.oplogFrom(store);
    }

    /** The store's rows of this moment. */
    public ReadView store() {
        return store;
    }

    /** Whether this shard owns a document: always, where the collection's placement is not tracked. */
    public static boolean owns(CollectionEntry collection, RawDocument document) {
        return collection
                .ownership()
                .map(ownership -> ownership.owns(ownership.key().keyOf(document)))
                .orElse(true);
    }

    @Override
    public void close() {
        if (owner) {
            store.close();
        }
    }
}
