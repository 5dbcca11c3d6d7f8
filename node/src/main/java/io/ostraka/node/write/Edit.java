package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import java.util.Optional;
import java.util.function.UnaryOperator;

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

    /** Whether it puts a whole document in place of the one before. */
    default boolean replaces() {
        return false;
    }

    /** One that puts whole documents in place, or changes those there are. */
    static Edit of(UnaryOperator<RawDocument> change, boolean replaces) {
        return new Edit() {
            @Override
            public Optional<RawDocument> apply(RawDocument before) {
                return Optional.of(change.apply(before));
            }

            @Override
            public boolean replaces() {
                return replaces;
            }
        };
    }

    /** Whether it only takes away: that goes on when the disk is nearly full, or nobody could make room. */
    default boolean frees() {
        return false;
    }
}
