package io.ostraka.node.lock;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;
import static io.ostraka.core.error.ErrorCode.LOCK_TIMEOUT;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.replication.Leadership;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** All locks of one leadership. They end with it. Safe for many threads. */
public final class LockTables {
    /** How long a write without a deadline waits for one lock. Whoever holds it waits for bounded things only. */
    static final long LONGEST_WAIT_NANOS = 300_000_000_000L;

    /** Locks of collections kept, beside those in use. */
    private static final int NAMES = 10_000;

    private final Leadership leadership;
    private final ExclusiveLocks exclusive = new ExclusiveLocks();
    private final Map<String, SharedLock> namespaces = new ConcurrentHashMap<>();
    private final Map<String, SharedLock> ownerships = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final List<CompletableFuture<Void>> drainers = new CopyOnWriteArrayList<>();

    public LockTables(Leadership leadership) {
        this.leadership = leadership;
        leadership.whenOver(() -> {
            boolean unused = over.complete(null);
            drainers.forEach(drainer -> drainer.completeExceptionally(over()));
        });
    }

    public Leadership leadership() {
        return leadership;
    }

    static CommandException over() {
        return INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.because("the leadership this write began under is over");
    }

    static CommandException tooLong() {
        return LOCK_TIMEOUT.because(
                "another operation has held what this one needs for %d seconds; try again, or end it by killOp",
                LONGEST_WAIT_NANOS / 1_000_000_000L);
    }

    /** An empty set. */
    public LockSet begin() {
        return new LockSet(this);
    }

    ExclusiveLocks exclusive() {
        return exclusive;
    }

    CompletableFuture<Void> ended() {
        return over;
    }

    /** By name, not by ident: whoever creates a collection needs it before there is an ident. */
    SharedLock namespace(String namespace) {
        return named(namespaces, namespace);
    }

    SharedLock ownership(String namespace) {
        return named(ownerships, namespace);
    }

    int namesKept() {
        return namespaces.size();
    }

    /** Names come and go with collections; the locks of those that nobody uses go when there are too many. */
    private static SharedLock named(Map<String, SharedLock> locks, String name) {
        SharedLock known = locks.get(name);
        if (known != null) {
            return known;
        }
        if (locks.size() >= NAMES) {
            locks.values().removeIf(SharedLock::retire);
        }
        return locks.computeIfAbsent(name, _ -> new SharedLock());
    }

    /**
     * Waits until no document of a collection with a shard key in a range is locked. Whoever locks one after this was
     * called must see what the caller made visible before.
     *
     * @param collection its ident
     */
    public void drain(int collection, KeyRange range, Operation operation) {
        while (true) {
            CompletableFuture<Void> released = new CompletableFuture<>();
            drainers.add(released);
            try {
                boolean held = exclusive.anyHeld((resource, set) -> resource instanceof Resource.Document document
                        && document.collection() == collection
                        && set.locksKeyIn(document, range));
                if (!held) {
                    return;
                }
                if (over.isDone()) {
                    throw over();
                }
                operation.await(released);
            } finally {
                drainers.remove(released);
            }
        }
    }

    void released() {
        drainers.forEach(drainer -> drainer.complete(null));
    }
}
