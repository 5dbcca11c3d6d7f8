package io.ostraka.node.view;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often plans have used each index since the member was opened. As many as there are indexes. Safe for many threads. */
public final class IndexUses {
    private final Map<Integer, LongAdder> byIdent = new ConcurrentHashMap<>();

    /** A plan uses an index. */
    void used(int ident) {
        LongAdder uses = byIdent.get(ident); // asks for no lock
        (uses == null ? byIdent.computeIfAbsent(ident, _ -> new LongAdder()) : uses).increment();
    }

    /** How often an index was used. */
    public long of(int ident) {
        LongAdder uses = byIdent.get(ident);
        return uses == null ? 0 : uses.sum();
    }
}
