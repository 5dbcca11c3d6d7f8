package io.ostraka.wire.request;

/** Bounds of requests that clients are told in {@code hello}. */
public final class RequestLimits {
    /** Statements or documents in one write command. */
    public static final int WRITE_BATCH = 100_000;
    /** Bytes of one document. */
    public static final int DOCUMENT_BYTES = 16 << 20;
    /** Bytes of one message. */
    public static final int MESSAGE_BYTES = 48_000_000;

    private RequestLimits() {}
}
