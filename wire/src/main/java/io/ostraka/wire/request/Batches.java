package io.ostraka.wire.request;

import static io.ostraka.core.error.ErrorCode.INVALID_LENGTH;

import java.util.List;

/** The bounds of a write command's batch. */
final class Batches {
    private Batches() {}

    static void check(String command, String field, List<?> batch) {
        if (batch.isEmpty() || batch.size() > RequestLimits.WRITE_BATCH) {
            throw INVALID_LENGTH.because(
                    "Write batch sizes must be between 1 and %d. Got %d operations in %s.%s.",
                    RequestLimits.WRITE_BATCH, batch.size(), command, field);
        }
    }
}
