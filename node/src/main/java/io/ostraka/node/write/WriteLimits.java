package io.ostraka.node.write;

import static io.ostraka.core.error.ErrorCode.TRANSACTION_TOO_LARGE;

/** Bounds of one proposal of a command that writes many documents. */
final class WriteLimits {
    /** Bytes of documents after which a proposal is full. */
    static final int PROPOSAL_BYTES = 1 << 20;
    /** Documents after which it is. */
    static final int PROPOSAL_DOCUMENTS = 1_000;
    /** Documents a background task writes at once. */
    static final int BACKGROUND_DOCUMENTS = 100;

    /** Bytes a transaction may change, which are one proposal in the end. */
    static final long TRANSACTION_BYTES = 48L << 20;

    private WriteLimits() {}

    /** @throws io.ostraka.core.error.CommandException 257 TransactionTooLarge */
    static void checkTransaction(long bytes) {
        if (bytes > TRANSACTION_BYTES) {
            throw TRANSACTION_TOO_LARGE.because(
                    "the transaction changes more than %d MB; do it in several", TRANSACTION_BYTES >> 20);
        }
    }
}
