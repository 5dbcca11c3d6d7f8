package io.ostraka.router.gather;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.ShardId;
import io.ostraka.router.remote.ReplicaSet;
import java.util.Optional;

/** What one shard answered. */
public sealed interface ShardAnswer {
    ShardId shard();

    /**
     * It did: a reply with {@code ok: 1}.
     *
     * @param only the one member that has the cursor the reply may tell of, where it need not be the primary
     */
    record Done(ShardId shard, Optional<ReplicaSet> only, RawDocument reply) implements ShardAnswer {}

    /** It did not, or nobody knows. */
    record Failed(ShardId shard, CommandException error) implements ShardAnswer {}

    /** The reply, or the error thrown, with the shard's name in its text where it is not the router's to handle. */
    default RawDocument replyOrThrow() {
        return switch (this) {
            case Done done -> done.reply();
            case Failed failed -> throw failed.error();
        };
    }
}
