package io.ostraka.router.write;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.ShardId;
import java.util.Set;

/** Where one statement goes, and in which words. */
public sealed interface Route {
    /** To the shard that owns what it touches, together with its neighbours if they go there too. */
    record One(ShardId shard, RawDocument statement) implements Route {}

    /** To the shard where a document was picked for it. If that is gone by then, another must be picked. */
    record Picked(ShardId shard, RawDocument statement) implements Route {}

    /** To all these shards: it touches whatever matches. */
    record Many(Set<ShardId> shards, RawDocument statement) implements Route {}

    /** Nowhere: nothing matches. */
    record Nothing() implements Route {}

    /** Nobody knows yet: a shard was stale while a document was picked. The statement waits for the next routing. */
    record Again(CommandException stale) implements Route {}

    /** Nowhere: it is wrong. */
    record Refused(CommandException error) implements Route {}
}
