package io.ostraka.wire.transport;

import java.io.IOException;

/** Bytes that are no frame of the protocol. The connection cannot go on: where the next frame begins is unknown. */
public final class FrameException extends IOException {
    private static final long serialVersionUID = 1L;

    public FrameException(String what) {
        super(what);
    }
}
