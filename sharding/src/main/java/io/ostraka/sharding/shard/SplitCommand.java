package io.ostraka.sharding.shard;

import static io.ostraka.core.error.ErrorCode.NAMESPACE_NOT_SHARDED;

import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.sharding.command.InternalCommand;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Needs;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/**
 * Where a chunk can be split, for {@code split} by {@code find} or {@code bounds}.
 *
 * <pre>{ _shardsvrSplitPoints: ns, min, max, median: true }  →  { points: [bound] }   (none: one key value only)</pre>
 */
public final class SplitCommand {
    private record Request(Namespace namespace, BsonDocument min, BsonDocument max) {}

    private SplitCommand() {}

    public static Command<?> of(Splitter splitter, Member member) {
        return InternalCommand.of(
                "_shardsvrSplitPoints",
                Needs.Kind.READ,
                fields -> {
                    fields.value("median");
                    return new Request(
                            Namespace.parse(fields.ownString()),
                            fields.requiredDocument("min").toBson(),
                            fields.requiredDocument("max").toBson());
                },
                (request, operation) -> {
                    ShardKey key = member.views()
                            .catalog()
                            .find(request.namespace)
                            .flatMap(CollectionEntry::ownership)
                            .map(Ownership::key)
                            .orElseThrow(
                                    () -> NAMESPACE_NOT_SHARDED.because("'%s' is not sharded here", request.namespace));
                    KeyRange range = new KeyRange(key.encodeBound(request.min), key.encodeBound(request.max));
                    BsonArray points = new BsonArray();
                    splitter.median(request.namespace, key, range, operation).ifPresent(points::add);
                    return new BsonDocument("points", points);
                });
    }
}
