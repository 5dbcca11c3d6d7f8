package io.ostraka.wire.request;

import io.ostraka.core.bson.RawDocument;
import java.util.Optional;

/** A statement that selects what it touches: an update or a delete. */
public interface Selecting {
    /** As it was sent, for forwarding. */
    RawDocument raw();

    RawDocument filter();

    /** Which of the matching documents is meant, where one is. */
    default Optional<RawDocument> sort() {
        return Optional.empty();
    }

    Optional<RawDocument> collation();

    /** Whether all matching documents are meant, or one. */
    boolean multi();
}
