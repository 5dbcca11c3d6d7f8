package io.ostraka.node.lock;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.check.Check;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.replication.Leadership;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The locks one write holds. Filled by one thread in the order of the package page; closed once, by any.
 */
public final class LockSet implements AutoCloseable {
    private final LockTables tables;
    private final List<Resource> held = new ArrayList<>();
    // Concurrent readers: those who drain a range.
    private final Map<Resource.Document, List<byte[]>> shardKeys = new HashMap<>();
    private final List<Shared> shared = new ArrayList<>();
    private final List<Runnable> whenClosed = new ArrayList<>();
    private boolean hasKeys;
    private boolean closed;

    /** How long a transaction waits for a collection. */
    private static final long LATE_NANOS = 5_000_000;

    private record Shared(SharedLock lock, boolean exclusively) {}

    LockSet(LockTables tables) {
        this.tables = tables;
    }

    public Leadership leadership() {
        return tables.leadership();
    }

    /**
     * A client's session, before everything else a write locks: in a set of its own, since it is held over all proposals of
     * a command. Whoever takes several takes them in the order of their bytes.
     */
    public LockSet session(RawDocument lsid, Operation operation) {
        Check.that(shared.isEmpty(), "sessions are locked first");
        Resource resource = new Resource.Session(lsid);
        tables.exclusive().acquire(resource, this, tables.ended(), operation);
        held.add(resource);
        return this;
    }

    /** A session nobody uses, or false at once: for background work. */
    public boolean trySession(RawDocument lsid) {
        Resource resource = new Resource.Session(lsid);
        boolean taken = tables.exclusive().tryAcquire(resource, this);
        if (taken) {
            held.add(resource);
        }
        return taken;
    }

    /** Runs something when this is closed, before others may have the locks. It must not fail, nor wait. */
    public synchronized void whenClosed(Runnable action) {
        whenClosed.add(action);
    }

    /** A collection's lock, shared for writers, exclusive for DDL. Before everything else. */
    public LockSet collection(Namespace name, boolean exclusively, Operation operation) {
        checkFirst();
        try {
            take(() -> tables.namespace(name.toString()), exclusively, operation);
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void checkFirst() {
        Check.that(shared.isEmpty() && held.isEmpty(), "collections are locked first, and in one call");
    }

    /**
     * The locks of several collections, taken in the order of their names. On failure nothing is held.
     *
     * @param sharing those to write documents in
     * @param excluding those to keep everybody else out of; a name in both is excluded
     */
    public LockSet collections(Collection<Namespace> sharing, Collection<Namespace> excluding, Operation operation) {
        checkFirst();
        TreeSet<Namespace> all = new TreeSet<>(sharing);
        all.addAll(excluding);
        try {
            for (Namespace name : all) {
                boolean exclusively = excluding.contains(name);
                take(() -> tables.namespace(name.toString()), exclusively, operation);
            }
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * The right to change what this shard owns of collections, held by one at a time. Writers of documents are not kept
     * out: they look at ownership under their own locks. After the collections.
     */
    public LockSet ownership(Collection<Namespace> names, Operation operation) {
        try {
            for (Namespace name : new TreeSet<>(names)) {
                take(() -> tables.ownership(name.toString()), true, operation);
            }
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * A collection's lock for a transaction, which has locked others before: waits a little only, or two that wait for each
     * other would do so for long.
     *
     * @throws io.ostraka.core.error.CommandException 24 LockTimeout
     */
    public void collectionLate(Namespace name, boolean exclusively, Operation operation) {
        SharedLock lock = tables.namespace(name.toString());
        while (!lock.acquire(exclusively, tables.ended(), operation, LATE_NANOS)) {
            lock = tables.namespace(name.toString()); // it was not used, and went in this very moment
        }
        shared.add(new Shared(lock, exclusively));
    }

    /** Keys of unique indexes nobody has locked, or false at once; those taken before the first that is locked stay. */
    public boolean tryKeys(Collection<IndexKey> keys) {
        for (IndexKey key : keys) {
            Resource resource = new Resource.Key(key.index(), key.key());
            if (!tables.exclusive().tryAcquire(resource, this)) {
                return false;
            }
            held.add(resource);
        }
        return true;
    }

    private void take(Supplier<SharedLock> named, boolean exclusively, Operation operation) {
        SharedLock lock = named.get();
        while (!lock.acquire(exclusively, tables.ended(), operation)) {
            lock = named.get(); // it was not used, and went in this very moment
        }
        shared.add(new Shared(lock, exclusively));
    }

    /**
     * A document. The caller locks several in RecordId order.
     *
     * @param shardKey its key where the collection has one; known to those who drain a range from before the lock is held
     */
    public void document(int collection, RecordId id, Optional<byte[]> shardKey, Operation operation) {
        Check.that(!hasKeys, "nobody who holds a key waits for a document");
        Resource.Document resource = new Resource.Document(collection, id);
        shardKey.ifPresent(key -> concerns(resource, key));
        tables.exclusive().acquire(resource, this, tables.ended(), operation);
        held.add(resource);
    }

    /**
     * Stands for documents nobody knows yet: a write of many, from its beginning to its end. Whoever drains a range of the
     * collection waits for it. After the collections.
     *
     * @param number one nobody else uses in this term
     */
    public void manyDocuments(int collection, long number) {
        Resource.Document resource = new Resource.Document(collection, RecordId.of(Long.MAX_VALUE - number));
        Check.that(tables.exclusive().tryAcquire(resource, this), "nobody else uses the number");
        held.add(resource);
    }

    /** A document nobody waits for, or false at once: for background work. */
    public boolean tryDocument(int collection, RecordId id, Optional<byte[]> shardKey) {
        Check.that(!hasKeys, "nobody who holds a key waits for a document");
        Resource.Document resource = new Resource.Document(collection, id);
        shardKey.ifPresent(key -> concerns(resource, key));
        boolean taken = tables.exclusive().tryAcquire(resource, this);
        if (taken) {
            held.add(resource);
        }
        return taken;
    }

    /** A document held has, or will have, this shard key too. Said before ownership is looked at. */
    public void concerns(int collection, RecordId id, byte[] shardKey) {
        concerns(new Resource.Document(collection, id), shardKey);
    }

    private void concerns(Resource.Document resource, byte[] shardKey) {
        synchronized (shardKeys) {
            shardKeys.computeIfAbsent(resource, _ -> new ArrayList<>()).add(shardKey);
        }
    }

    boolean locksKeyIn(Resource.Document resource, KeyRange range) {
        synchronized (shardKeys) {
            List<byte[]> keys = shardKeys.get(resource);
            // A lock whose key is not known yet may turn out to be in the range.
            return keys == null || keys.stream().anyMatch(range::contains);
        }
    }

    /**
     * Keys of unique indexes, sorted here. All keys of a set are locked in one call.
     *
     * @param keys in any order, twice or not
     */
    public void keys(Collection<IndexKey> keys, Operation operation) {
        Check.that(!hasKeys, "the keys of a set are locked together");
        hasKeys = true;
        if (keys.size() == 1) {
            IndexKey only = keys.iterator().next();
            key(new Resource.Key(only.index(), only.key()), operation);
            return;
        }
        TreeSet<Resource.Key> sorted = new TreeSet<>();
        keys.forEach(key -> sorted.add(new Resource.Key(key.index(), key.key())));
        sorted.forEach(resource -> key(resource, operation));
    }

    private void key(Resource.Key resource, Operation operation) {
        tables.exclusive().acquire(resource, this, tables.ended(), operation);
        held.add(resource);
    }

    /** Lets go of all. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        whenClosed.forEach(Runnable::run);
        for (int i = held.size() - 1; i >= 0; i--) {
            tables.exclusive().release(held.get(i), this);
        }
        shared.forEach(each -> each.lock.release(each.exclusively));
        tables.released();
    }
}
