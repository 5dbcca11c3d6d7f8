package io.ostraka.sharding.mover;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.node.member.Member;
import io.ostraka.sharding.shard.ConfigLink;
import io.ostraka.sharding.shard.PlacementRefresher;
import io.ostraka.sharding.shard.RangeDeleter;
import io.ostraka.wire.client.ClusterClient;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import org.bson.BsonDocument;

/** What both sides of a move work with. */
public record MoverParts(
        Member member,
        ClusterClient client,
        ConfigLink config,
        PlacementRefresher refresher,
        RangeDeleter deleter,
        Clock clock,
        MoveLimits limits) {

    /** An operation of the mover, with the time one command may take. */
    Operation operation(String name) {
        return member.internal(name, Deadline.in(clock, limits.callMillis()));
    }

    /** Runs a command on the other side. */
    RawDocument call(String host, BsonDocument command) {
        Operation operation =
                Operation.ofProcess(command.getFirstKey(), "admin", Deadline.in(clock, limits.callMillis()));
        return client.run(host, "admin", RawDocument.of(command), operation);
    }

    /** Asks the config servers. */
    BsonDocument config(BsonDocument command) {
        return config.call(command, Deadline.in(clock, limits.callMillis()));
    }
}
