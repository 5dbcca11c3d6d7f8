package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Records of sessions as they are stored, so that a retryable write need not read its own. Belongs to one leadership, in
 * which nobody but its writers changes them. Taken out by who holds the session's lock, and put back when the fate of all he
 * proposed is known. Safe for many threads.
 */
final class SessionCache {
    /** Sessions kept; the ones used longest ago go first. */
    private static final int MAX = 10_000;

    /** Longer records are read again: those of findAndModify hold a document. */
    private static final int BYTES_MAX = 2_048;

    private final Map<RawDocument, HeldSession.Stored> bySession = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<RawDocument, HeldSession.Stored> eldest) {
            return size() > MAX;
        }
    };

    synchronized Optional<HeldSession.Stored> take(RawDocument lsid) {
        return Optional.ofNullable(bySession.remove(lsid));
    }

    synchronized void putBack(RawDocument lsid, HeldSession.Stored stored) {
        if (stored.raw().size() <= BYTES_MAX) {
            bySession.put(lsid, stored);
        }
    }
}
