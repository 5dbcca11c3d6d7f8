package io.ostraka.wire.command;

import io.ostraka.core.bson.RawDocument;

/** Remembers the sessions requests come in. */
@FunctionalInterface
public interface KnownSessions {
    /** A request came in this session. */
    void used(RawDocument lsid);
}
