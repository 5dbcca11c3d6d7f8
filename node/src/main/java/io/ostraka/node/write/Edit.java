package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import java.util.Optional;

/** What is done to a document that was selected. Safe for many threads. */
@FunctionalInterface
public interface Edit {
    /** Takes documents away. */
    Edit DELETE = before -> Optional.empty();

    /**
     * The document after, with the same {@code _id}; equal bytes where nothing changes, nothing where it goes.
     *
     * @throws io.ostraka.core.error.CommandException where it cannot be done to this document
     */
    Optional<RawDocument> apply(RawDocument before);
}
