package io.ostraka.sharding.ddl;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.ShardId;
import java.util.Map;
import org.bson.BsonDocument;

/** What happened to a coordinator. */
public sealed interface Event {
    /** It begins. */
    record Started() implements Event {}

    /** A leader goes on with it; the last one may have run the effects of the stored state or not. */
    record Resumed() implements Event {}

    /** All shards of a call did it. */
    record Replied(String step, Map<ShardId, BsonDocument> replies) implements Event {}

    /** The catalog has changed. */
    record Committed(String step) implements Event {}

    /** A call or a change of the catalog cannot be done, whoever asks how often. */
    record Refused(String step, CommandException error) implements Event {}
}
