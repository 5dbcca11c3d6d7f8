package io.ostraka.router.gather;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.time.Clock;
import io.ostraka.router.remote.Shards;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Opens cursors on several shards, or on none: if one cannot be opened, the others are closed again. */
public final class OpenOnShards {
    /** @param partial whether some shards could not be reached and were left out */
    public record Opened(List<ShardCursor> cursors, boolean partial) {}

    private final ScatterGather gather;
    private final Shards shards;
    private final Threads threads;
    private final Clock clock;

    public OpenOnShards(ScatterGather gather, Shards shards, Threads threads, Clock clock) {
        this.gather = gather;
        this.shards = shards;
        this.threads = threads;
        this.clock = clock;
    }

    /**
     * Opens them.
     *
     * @param command the command for each shard, with versions
     * @param allowPartial whether shards that cannot be reached are left out
     */
    public Opened open(
            String database,
            Set<ShardId> targets,
            Function<ShardId, RawDocument> command,
            boolean allowPartial,
            Operation operation) {
        List<ShardRequest> requests = targets.stream()
                .map(shard -> ShardRequest.read(shard, command.apply(shard)))
                .toList();
        List<ShardCursor> opened = new ArrayList<>();
        CommandException failure = null;
        boolean partial = false;
        for (ShardAnswer answer : gather.ask(database, requests, operation)) {
            switch (answer) {
                case ShardAnswer.Done done ->
                    opened.add(new ShardCursor(
                            done.shard(),
                            done.only().orElseGet(() -> shards.get(done.shard(), operation)),
                            done.reply()));
                case ShardAnswer.Failed failed -> {
                    if (allowPartial && failed.error().code().kind() == ErrorCode.Kind.FAILOVER) {
                        partial = true;
                    } else if (failure == null || StaleRetry.isStale(failed.error())) {
                        failure = failed.error();
                    }
                }
            }
        }
        if (failure != null) {
            MergedCursor.close(opened, threads, clock);
            throw failure;
        }
        return new Opened(opened, partial);
    }
}
