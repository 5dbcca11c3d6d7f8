package io.ostraka.node.write;

import io.ostraka.core.key.RecordId;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.lock.LockTables;
import io.ostraka.node.view.View;
import io.ostraka.node.view.Views;
import io.ostraka.replication.Leadership;
import io.ostraka.storage.RecordStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What a leader keeps in memory for one leadership: its locks, and the numbers it gives. Safe for many threads. */
public final class Term {
    private final LockTables locks;
    private final Views views;
    private final Map<Integer, AtomicLong> lastRecord = new ConcurrentHashMap<>();
    private final AtomicInteger lastIdent;
    private final SessionCache sessions = new SessionCache();
    private final AtomicLong lastMany = new AtomicLong();

    Term(Leadership leadership, Views views) {
        locks = new LockTables(leadership);
        this.views = views;
        try (View view = views.open()) {
            lastIdent = new AtomicInteger(view.catalog().highestIdent());
        }
    }

    public Leadership leadership() {
        return locks.leadership();
    }

    public LockTables locks() {
        return locks;
    }

    /** Records of sessions as they are stored. */
    SessionCache sessions() {
        return sessions;
    }

    /** A number no collection or index has ever had. */
    public int nextIdent() {
        return lastIdent.incrementAndGet();
    }

    /** A number for a write of many documents; see {@link io.ostraka.node.lock.LockSet#manyDocuments}. */
    long nextMany() {
        return lastMany.incrementAndGet();
    }

    /** The next RecordId of a collection, above all that are stored or were given in this term. */
    public RecordId nextRecord(CollectionEntry collection) {
        return RecordId.of(lastRecord
                .computeIfAbsent(collection.ident(), this::highestStored)
                .incrementAndGet());
    }

    private AtomicLong highestStored(int ident) {
        try (View view = views.open()) {
            return new AtomicLong(new RecordStore(ident)
                    .last(view.store())
                    .map(RecordId::number)
                    .orElse(0L));
        }
    }
}
