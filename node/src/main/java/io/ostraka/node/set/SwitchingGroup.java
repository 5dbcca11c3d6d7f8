package io.ostraka.node.set;

import io.ostraka.replication.Fate;
import io.ostraka.replication.Leadership;
import io.ostraka.replication.ReplicaGroup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** The group this member is in at the moment: it may get another while it is open. Safe for many threads. */
public final class SwitchingGroup implements ReplicaGroup {
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private volatile ReplicaGroup current;

    public SwitchingGroup(ReplicaGroup first) {
        current = first;
    }

    ReplicaGroup current() {
        return current;
    }

    /** From now on this one; the one before is the caller's to close, first. */
    void become(ReplicaGroup next) {
        current = next;
        watchers.forEach(next::watch);
    }

    @Override
    public Optional<Leadership> leadership() {
        return current.leadership();
    }

    @Override
    public CompletableFuture<Fate> propose(Leadership leadership, byte[] proposal) {
        return current.propose(leadership, proposal);
    }

    @Override
    public void watch(Runnable changed) {
        watchers.add(changed);
        current.watch(changed);
    }

    @Override
    public int waiting() {
        return current.waiting();
    }

    @Override
    public void close() {
        current.close();
    }
}
