package io.ostraka.node.set;

import static io.ostraka.core.error.ErrorCode.NOT_WRITABLE_PRIMARY;

import io.ostraka.replication.Fate;
import io.ostraka.replication.Leadership;
import io.ostraka.replication.ReplicaGroup;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The group of a member that waits to be initiated, or added to a set. */
final class NoGroup implements ReplicaGroup {
    @Override
    public Optional<Leadership> leadership() {
        return Optional.empty();
    }

    @Override
    public CompletableFuture<Fate> propose(Leadership leadership, byte[] proposal) {
        return CompletableFuture.completedFuture(new Fate.Refused(NOT_WRITABLE_PRIMARY.because("not primary")));
    }

    @Override
    public void watch(Runnable changed) {
        // Nothing changes until another group takes its place.
    }

    @Override
    public int waiting() {
        return 0;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
