package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED;

import io.ostraka.core.bson.RawDocument;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Documents a stage holds in memory, within a bound. One thread. */
final class HeldDocuments {
    private static final int OVERHEAD_BYTES = 48;

    private final String stage;
    private final long bytesMax;
    private final List<RawDocument> documents = new ArrayList<>();
    private long bytes;

    HeldDocuments(String stage, long bytesMax) {
        this.stage = stage;
        this.bytesMax = bytesMax;
    }

    /** @throws io.ostraka.core.error.CommandException 292 past the bound */
    void add(RawDocument document) {
        bytes += document.size() + OVERHEAD_BYTES;
        if (bytes > bytesMax) {
            throw QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED.because(
                    "Exceeded memory limit for %s of %d bytes, and there is no spilling to disk. Match fewer documents,"
                            + " or project fewer fields, before it.",
                    stage, bytesMax);
        }
        documents.add(document);
    }

    List<RawDocument> all() {
        return Collections.unmodifiableList(documents);
    }
}
