package io.ostraka.wire.common;

import io.ostraka.wire.command.Operation;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;

/** Counts the changes of what {@code hello} tells, and wakes those who wait for the next. Safe for many threads. */
public final class Topology {
    private final ObjectId processId;
    private final AtomicLong counter = new AtomicLong();
    private final Set<CompletableFuture<Boolean>> waiting = ConcurrentHashMap.newKeySet();

    /** @param processId made anew at each start */
    public Topology(ObjectId processId) {
        this.processId = processId;
    }

    /** The role has changed: all who wait answer now. */
    public void changed() {
        counter.incrementAndGet();
        waiting.forEach(waiter -> waiter.complete(true));
    }

    BsonDocument version() {
        return new BsonDocument("processId", new BsonObjectId(processId))
                .append("counter", new BsonInt64(counter.get()));
    }

    boolean isOf(ObjectId process) {
        return processId.equals(process);
    }

    /** Waits until the counter is another, at most so long. */
    void awaitOther(long known, long millis, Operation operation) {
        CompletableFuture<Boolean> changed = new CompletableFuture<>();
        waiting.add(changed);
        try {
            if (counter.get() == known) { // asked after it was added: no change falls between
                operation.waitFor(changed, millis * 1_000_000);
            }
        } finally {
            waiting.remove(changed);
        }
    }
}
