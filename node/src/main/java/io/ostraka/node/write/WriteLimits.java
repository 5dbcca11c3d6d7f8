package io.ostraka.node.write;

/** Bounds of one proposal of a command that writes many documents. */
final class WriteLimits {
    /** Bytes of documents after which a proposal is full. */
    static final int PROPOSAL_BYTES = 1 << 20;
    /** Documents after which it is. */
    static final int PROPOSAL_DOCUMENTS = 1_000;
    /** Documents a background task writes at once. */
    static final int BACKGROUND_DOCUMENTS = 100;

    private WriteLimits() {}
}
