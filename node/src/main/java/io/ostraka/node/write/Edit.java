package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import java.util.Optional;

/** What is done to a document that was selected. Safe for many threads. */
@FunctionalInterface
public interface Edit {
    /** Takes documents away. */
    Edit DELETE = new Edit() {
        @Override
        public Optional<RawDocument> apply(RawDocument before) {
            return Optional.empty();
        }

        @Override
        public boolean frees() {
            return true;
        }
    };

    /**
     * The document after, with the same {@code _id}; equal bytes where nothing changes, nothing where it goes.
     *
     * @throws io.ostraka.core.error.CommandException where it cannot be done to this document
     */
    Optional<RawDocument> apply(RawDocument before);

    /** Whether it only takes away: that goes on when the disk is nearly full, or nobody could make room. */
    default boolean frees() {
        return false;
    }
}
