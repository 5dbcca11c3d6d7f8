package io.ostraka.router.gather;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.ShardId;

/** What one shard answered. */
public sealed interface ShardAnswer {
    ShardId shard();

    /** It did: a reply with {@code ok: 1}. */
    record Done(ShardId shard, RawDocument reply) implements ShardAnswer {}

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
