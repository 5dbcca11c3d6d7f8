package io.ostraka.wire.session;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.wire.command.KnownSessions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sessions this process has heard of, with the time of their last use. Bounded: the ones used longest ago are
 * forgotten first. Safe for many threads.
 */
public final class Sessions implements KnownSessions {
    /** How long clients may leave a session unused. */
    public static final Duration TIMEOUT = Duration.ofMinutes(30);

    /** Sessions remembered unless told otherwise. */
    public static final int DEFAULT_MAX = 100_000;

    private final Clock clock;
    private final Map<RawDocument, Long> lastUse;

    public Sessions(int max, Clock clock) {
        this.clock = clock;
        lastUse = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<RawDocument, Long> eldest) {
                return size() > max || clock.nanos() - eldest.getValue() > TIMEOUT.toNanos();
            }
        };
    }

    @Override
    public synchronized void used(RawDocument lsid) {
        lastUse.put(lsid, clock.nanos());
    }

    /** The session is over. False where it was not known. */
    public synchronized boolean end(RawDocument lsid) {
        return lastUse.remove(lsid) != null;
    }

    public synchronized List<RawDocument> all() {
        return List.copyOf(Set.copyOf(lastUse.keySet()));
    }

    public synchronized int size() {
        return lastUse.size();
    }
}
