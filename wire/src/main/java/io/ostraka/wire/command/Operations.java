package io.ostraka.wire.command;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED;

import io.ostraka.core.error.CommandException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The operations running now, for {@code currentOp} and {@code killOp}. Safe for many threads. */
public final class Operations {
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Long, Operation> running = new ConcurrentHashMap<>();

    long nextId() {
        return ids.incrementAndGet() & 0x7FFFFFFF;
    }

    void begin(Operation operation) {
        running.put(operation.id(), operation);
    }

    void end(Operation operation) {
        running.remove(operation.id());
    }

    /** All operations, in no order. */
    public Collection<Operation> all() {
        return List.copyOf(running.values());
    }

    public int count() {
        return running.size();
    }

    /** Marks an operation as killed (11601) and wakes it from {@link Operation#await}. False where there is none of that id. */
    public boolean kill(long id) {
        return kill(id, INTERRUPTED.because("operation was interrupted"));
    }

    public boolean kill(long id, CommandException reason) {
        Operation found = running.get(id);
        if (found == null) {
            return false;
        }
        found.kill(reason);
        return true;
    }
}
