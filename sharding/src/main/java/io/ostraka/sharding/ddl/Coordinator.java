package io.ostraka.sharding.ddl;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * One change, as a state machine without clock, socket or thread. The driver delivers events one at a time, stores
 * {@link #toBson} when it has changed, and then runs the effects.
 */
public interface Coordinator {
    /** Which change this is: {@code {type, ns}}. Two changes of one id are the same change, asked for twice. */
    BsonDocument id();

    /** What the change holds while it runs: namespaces, or a database as a whole. */
    List<String> holds();

    /** The stored document, with {@code _id} and all that is needed to go on. */
    BsonDocument toBson();

    /** What the caller asked for; a request with the same id and another request is another change, and waits. */
    BsonDocument request();

    /** Takes an event. Late or repeated ones change nothing. */
    List<Effect> on(Event event);

    /** Whether nothing is left to do. */
    boolean isDone();

    /** What a finished change replies with. @throws io.ostraka.core.error.CommandException if it was stopped by an error */
    BsonDocument result();

    /** The id of a change of a type. */
    static BsonDocument id(String type, String namespace) {
        return new BsonDocument("type", new BsonString(type)).append("ns", new BsonString(namespace));
    }
}
