package io.ostraka.wire.server;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;

/** What {@code serverStatus} shows of connections and traffic. Safe for many threads. */
public final class NetworkCounters {
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final AtomicLong created = new AtomicLong();
    private final AtomicLong current = new AtomicLong();
    private final AtomicLong active = new AtomicLong();
    private final int maxConnections;

    NetworkCounters(int maxConnections) {
        this.maxConnections = maxConnections;
    }

    void received(int bytes) {
        bytesIn.add(bytes);
        requests.increment();
    }

    void sent(int bytes) {
        bytesOut.add(bytes);
    }

    void reject() {
        rejected.increment();
    }

    /** A connection arrived. @return its number */
    long open() {
        current.incrementAndGet();
        return created.incrementAndGet();
    }

    void closed() {
        current.decrementAndGet();
    }

    void begin() {
        active.incrementAndGet();
    }

    void end() {
        active.decrementAndGet();
    }

    /** Connections open now. */
    public long current() {
        return current.get();
    }

    /** The section {@code connections}. */
    public BsonDocument connections() {
        return new BsonDocument("current", new BsonInt32((int) current.get()))
                .append("available", new BsonInt32((int) Math.max(0, maxConnections - current.get())))
                .append("totalCreated", new BsonInt32((int) created.get()))
                .append("rejected", new BsonInt32(rejected.intValue()))
                .append("active", new BsonInt32((int) active.get()))
                .append("threaded", new BsonInt32((int) current.get()));
    }

    /** The section {@code network}. */
    public BsonDocument network() {
        return new BsonDocument("bytesIn", new BsonInt64(bytesIn.sum()))
                .append("bytesOut", new BsonInt64(bytesOut.sum()))
                .append("physicalBytesIn", new BsonInt64(bytesIn.sum()))
                .append("physicalBytesOut", new BsonInt64(bytesOut.sum()))
                .append("numRequests", new BsonInt64(requests.sum()));
    }
}
