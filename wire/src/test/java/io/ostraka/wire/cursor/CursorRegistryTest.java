package io.ostraka.wire.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CursorRegistryTest {
    private final AtomicLong now = new AtomicLong();
    private final Clock clock = new Clock() {
        @Override
        public long wallMillis() {
            return now.get() / 1_000_000;
        }

        @Override
        public long nanos() {
            return now.get();
        }
    };
    private final CursorRegistry registry = new CursorRegistry(
            new CursorRegistry.Limits(2, Duration.ofMinutes(10)), clock, new Ids(clock, new Random(1)));
    private final AtomicInteger closed = new AtomicInteger();
    private final CompletableFuture<RawDocument> gate = new CompletableFuture<>();

    private Operation operation() {
        return Operation.ofProcess("test", "db", Deadline.never(clock));
    }

    /** Has always one document more; from the second batch on it waits for the gate. */
    private OpenCursor endless() {
        return new OpenCursor() {
            private int batches;

            @Override
            public boolean fill(BatchReply batch, Operation operation) {
                if (batches++ > 0) {
                    operation.await(gate);
                }
                return !batch.add(new RawBuilder().put("n", batches).build());
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }

    private long open() {
        RawDocument reply = registry.open(endless(), "db.c", BatchReply.first("db.c", 1), false, false, operation());
        return reply.find("cursor").document().find("id").int64();
    }

    private static void assertCode(Runnable call, ErrorCode code) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        CommandException.class,
                        error -> assertThat(error.code()).isEqualTo(code));
    }

    @Test
    void idleCursorsAreClosedAndUsedOnesAreNot() {
        gate.complete(RawDocument.EMPTY);
        long idle = open();
        now.addAndGet(Duration.ofMinutes(9).toNanos());
        long used = open();
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        registry.closeIdle();
        assertThat(closed).hasValue(1);
        assertCode(() -> registry.next(idle, "db.c", 1, operation()), ErrorCode.CURSOR_NOT_FOUND);
        assertThat(registry.next(used, "db.c", 1, operation())).isNotNull();
    }

    @Test
    void thereIsABoundAndARefusedCursorIsClosed() {
        assertThat(open()).isNotEqualTo(open());
        assertCode(this::open, ErrorCode.RESOURCE_EXHAUSTED);
        assertThat(closed).hasValue(1);
        registry.close();
        assertThat(closed).hasValue(3);
    }

    @Test
    void aCursorInUseIsUsedByOneAndEndsWhenKilled() throws Exception {
        long id = open();
        Operation user = operation();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread thread = Thread.startVirtualThread(() -> {
            try {
                registry.next(id, "db.c", 1, user);
            } catch (CommandException killed) {
                ended.complete(killed);
            }
        });
        while (!registry.all().getFirst().pinned()) {
            Thread.onSpinWait();
        }
        assertCode(() -> registry.next(id, "db.c", 1, operation()), ErrorCode.CURSOR_IN_USE);
        assertThat(registry.kill(id)).isTrue();
        assertThat(((CommandException) ended.get()).code()).isEqualTo(ErrorCode.CURSOR_KILLED);
        thread.join();
        assertThat(closed).hasValue(1);
        assertThat(registry.kill(id)).isFalse();
    }
}
