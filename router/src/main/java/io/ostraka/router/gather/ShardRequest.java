package io.ostraka.router.gather;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import java.util.List;
import java.util.Map;

/**
 * One command for one shard.
 *
 * @param command with its versions
 * @param repeatable whether it may run twice
 * @param read whether a secondary may answer it, if the client's read preference says so
 */
public record ShardRequest(
        ShardId shard,
        RawDocument command,
        Map<String, List<RawDocument>> sequences,
        boolean repeatable,
        boolean read) {
    /** For the primary. */
    public ShardRequest(
            ShardId shard, RawDocument command, Map<String, List<RawDocument>> sequences, boolean repeatable) {
        this(shard, command, sequences, repeatable, false);
    }

    public static ShardRequest read(ShardId shard, RawDocument command) {
        return new ShardRequest(shard, command, Map.of(), true, true);
    }

    public static ShardRequest order(ShardId shard, RawDocument command) {
        return new ShardRequest(shard, command, Map.of(), false);
    }
}
