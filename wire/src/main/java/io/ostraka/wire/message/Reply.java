package io.ostraka.wire.message;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;

/**
 * An answer as it is before it goes into a frame: what the command has said, and the fields every answer carries. They become
 * one document where the frame is written, so that a large answer is copied once.
 *
 * @param said by the command
 * @param added fields behind it, none of which it has
 */
public record Reply(RawDocument said, RawDocument added) {
    /** An answer nothing is added to. */
    public static Reply of(RawDocument whole) {
        return new Reply(whole, RawDocument.EMPTY);
    }

    /** Both in one, copied. */
    public RawDocument whole() {
        return new RawBuilder(size()).elements(said).elements(added).build();
    }

    /** Bytes of both as one document. */
    public int size() {
        return Math.addExact(said.size(), added.size() - RawDocument.EMPTY.size());
    }
}
