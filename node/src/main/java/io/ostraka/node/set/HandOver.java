package io.ostraka.node.set;

import static io.ostraka.core.error.ErrorCode.EXCEEDED_TIME_LIMIT;
import static io.ostraka.core.error.ErrorCode.NOT_SECONDARY;
import static io.ostraka.core.error.ErrorCode.NOT_WRITABLE_PRIMARY;

import io.ostraka.core.error.CommandException;
import io.ostraka.replication.raft.RaftGroup;
import io.ostraka.wire.command.Operation;
import java.util.Comparator;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** How a primary gives way to another member. */
public final class HandOver {
    private final ReplicaSet set;

    HandOver(ReplicaSet set) {
        this.set = set;
    }

    /**
     * Hands over to the member that is caught up most.
     *
     * @param catchUpMillis how long to wait for one that has everything
     * @param awayMillis how long this member does not ask for votes afterwards
     * @param force whether to go on without one
     * @throws CommandException 262 ExceededTimeLimit if nobody can take over; nothing has changed then
     */
    public void stepDown(long catchUpMillis, long awayMillis, boolean force, Operation operation) {
        if (set.group().leadership().isEmpty()) {
            throw NOT_WRITABLE_PRIMARY.because("not primary so can't step down");
        }
        Optional<RaftGroup> raft = set.raft();
        Optional<UUID> heir = raft.isEmpty() ? Optional.empty() : heir(catchUpMillis, operation);
        if (raft.isEmpty() || heir.isEmpty() && !force) {
            throw EXCEEDED_TIME_LIMIT.because(
                    "No electable secondaries caught up as of %s. Please use the replSetStepDown command with the"
                            + " argument {force: true} to force node to step down.",
                    java.time.Instant.ofEpochMilli(set.parts().clock().wallMillis()));
        }
        try {
            Void unused = operation.await(raft.get().transfer(heir, ReplicaSet.ASKS_MILLIS));
        } catch (CompletionException failed) {
            if (set.group().leadership().isPresent()) {
                throw EXCEEDED_TIME_LIMIT.because(
                        "nobody took over: %s", failed.getCause().getMessage());
            }
        }
        raft.get().freeze(awayMillis);
    }

    /**
     * Has this member not ask for votes for a while.
     *
     * @param millis 0 lets it at once
     * @throws CommandException 95 NotSecondary on a primary
     */
    public void freeze(long millis, Operation operation) {
        operation.checkAlive();
        if (set.group().leadership().isPresent()) {
            throw NOT_SECONDARY.because("cannot freeze node when primary or running for election. state: Primary");
        }
        set.raft().orElseThrow(ReplicaSet::notInitialized).freeze(millis);
    }

    private Optional<UUID> heir(long catchUpMillis, Operation operation) {
        long wanted = set.parts().views().time();
        long end = set.parts().clock().nanos() + catchUpMillis * 1_000_000;
        KnownSet known = set.known().orElseThrow(ReplicaSet::notInitialized);
        while (true) {
            Optional<Candidate> best = known.config().members().stream()
                    .filter(SetConfig.Member::isElectable)
                    .filter(member -> !set.parts().self().equals(known.ids().get(member.id())))
                    .flatMap(member -> set
                            .about(member, operation)
                            .filter(about -> !about.getBoolean("frozen").getValue())
                            .map(about -> new Candidate(
                                    known.ids().get(member.id()),
                                    member.priority(),
                                    about.getTimestamp("ts").getValue()))
                            .stream())
                    .max(Comparator.comparing(Candidate::time, Long::compareUnsigned)
                            .thenComparing(Candidate::priority));
            boolean caughtUp =
                    best.isPresent() && Long.compareUnsigned(best.get().time(), wanted) >= 0;
            if (caughtUp) {
                return best.map(Candidate::id);
            }
            if (set.parts().clock().nanos() - end >= 0) {
                return Optional.empty();
            }
            operation.waitFor(new CompletableFuture<>(), ReplicaSet.LOOK_AGAIN_NANOS);
        }
    }

    private record Candidate(UUID id, double priority, long time) {}
}
