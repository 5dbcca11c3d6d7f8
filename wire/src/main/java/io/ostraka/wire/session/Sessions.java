package io.ostraka.wire.session;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.wire.command.KnownSessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;

/**
 * The sessions this process has heard of, with the time of their last use. Bounded: the ones used longest ago are
 * forgotten first. Safe for many threads.
 */
public final class Sessions implements KnownSessions {
    /** How long clients may leave a session unused unless told otherwise. */
    public static final Duration TIMEOUT = Duration.ofMinutes(30);

    /** Sessions remembered unless told otherwise. */
    public static final int DEFAULT_MAX = 100_000;

    /** What stands for the user where there are none: the SHA-256 of no bytes. */
    private static final BsonBinary NOBODY =
            new BsonBinary(HexFormat.of().parseHex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));

    private record Use(long nanos, long wallMillis) {}

    private final Clock clock;
    private final Duration timeout;
    private final Map<RawDocument, Use> lastUse;

    public Sessions(int max, Clock clock) {
        this(max, clock, TIMEOUT);
    }

    /** @param timeout how long a session may be left unused */
    public Sessions(int max, Clock clock, Duration timeout) {
        this.clock = clock;
        this.timeout = timeout;
        lastUse = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<RawDocument, Use> eldest) {
                return size() > max;
            }
        };
    }

    public Duration timeout() {
        return timeout;
    }

    @Override
    public synchronized void used(RawDocument lsid) {
        lastUse.put(lsid, new Use(clock.nanos(), clock.wallMillis()));
    }

    /** The session is over. False where it was not known. */
    public synchronized boolean end(RawDocument lsid) {
        return lastUse.remove(lsid) != null;
    }

    /** Forgets the sessions that have been unused for too long, and answers which they were. */
    public synchronized List<RawDocument> expire() {
        List<RawDocument> expired = new ArrayList<>();
        Iterator<Map.Entry<RawDocument, Use>> eldestFirst = lastUse.entrySet().iterator();
        while (eldestFirst.hasNext()) {
            Map.Entry<RawDocument, Use> each = eldestFirst.next();
            if (clock.nanos() - each.getValue().nanos() <= timeout.toNanos()) {
                break;
            }
            expired.add(each.getKey());
            eldestFirst.remove();
        }
        return expired;
    }

    public synchronized List<RawDocument> all() {
        return List.copyOf(lastUse.keySet());
    }

    /** As {@code $listLocalSessions} shows them: {@code {_id: {id, uid}, lastUse}}. */
    public synchronized List<RawDocument> shown() {
        List<RawDocument> shown = new ArrayList<>();
        lastUse.forEach((lsid, use) -> shown.add(new RawBuilder()
                .put("_id", withUser(lsid))
                .put("lastUse", new BsonDateTime(use.wallMillis()))
                .build()));
        return shown;
    }

    private static RawDocument withUser(RawDocument lsid) {
        RawCursor user = lsid.find("uid");
        return user != null
                ? lsid
                : new RawBuilder().elements(lsid).put("uid", NOBODY).build();
    }

    public synchronized int size() {
        return lastUse.size();
    }
}
