package io.ostraka.wire.server;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.message.Message;
import io.ostraka.wire.message.Reply;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonNumber;

/**
 * Answers of {@code hello} that follow without being asked for: drivers watch a server by one request that allows it
 * ({@link Message#EXHAUST_ALLOWED}), and some take a stream that ends for a server that has failed.
 */
final class StreamedHello {
    static final Set<String> NAMES = Set.of("hello", "isMaster", "ismaster");
    private static final String VERSION = "topologyVersion";

    private StreamedHello() {}

    /**
     * The request that the client would send next.
     *
     * @param asked what it has sent
     * @param reply what it gets for it
     * @return empty if this answer is the last: nothing was allowed, nothing is waited for, or it is an error
     */
    static Optional<Message> next(Message asked, Reply reply) {
        String name = asked.body().firstName();
        boolean allowed = asked.has(Message.EXHAUST_ALLOWED)
                && !asked.has(Message.MORE_TO_COME)
                && name != null
                && NAMES.contains(name)
                && asked.body().find(VERSION) != null
                && asked.body().find("maxAwaitTimeMS") != null;
        if (!allowed) {
            return Optional.empty();
        }
        RawDocument whole = reply.whole();
        RawCursor version = whole.find(VERSION);
        boolean goesOn = version != null && whole.get("ok") instanceof BsonNumber ok && ok.doubleValue() == 1;
        if (!goesOn) {
            return Optional.empty();
        }
        RawBuilder body = new RawBuilder(asked.body().size());
        for (RawCursor field = asked.body().cursor(); field.next(); ) {
            body.element(field.name().equals(VERSION) ? version : field);
        }
        return Optional.of(new Message(asked.requestId(), 0, asked.flags(), body.build(), asked.sequences()));
    }
}
