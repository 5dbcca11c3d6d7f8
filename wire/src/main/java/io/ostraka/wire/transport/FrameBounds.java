package io.ostraka.wire.transport;

import java.time.Duration;

/**
 * Bounds of frames.
 *
 * @param maxBytes of a frame with its header
 * @param arrives within which a frame that has begun must be there
 */
public record FrameBounds(int maxBytes, Duration arrives) {
    /** Bytes of every frame's header. */
    public static final int HEADER = 16;

    /** What clients are told: 48 000 000 bytes. A whole frame may take five minutes over a slow line. */
    public static final FrameBounds DEFAULT = new FrameBounds(48_000_000, Duration.ofMinutes(5));

    int check(int length) throws FrameException {
        if (length < HEADER || length > maxBytes) {
            throw new FrameException("message length " + length + " is not between " + HEADER + " and " + maxBytes);
        }
        return length;
    }
}
