package io.ostraka.wire.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.wire.command.Client;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RetryableWritesTest {
    private final RetryableWrites writes = new RetryableWrites(2);

    private static Operation operation(int session, long number, long millis) {
        Operation.Options plain = Operation.Options.of("db");
        Operation.Options options = new Operation.Options(
                "db",
                Optional.of(new RawBuilder().put("id", session).build()),
                OptionalLong.of(number),
                List.of(),
                plain.readConcern(),
                plain.writeConcern(),
                plain.readPreference(),
                plain.shardVersion(),
                plain.databaseVersion(),
                plain.comment());
        return new Operation(
                1, Client.INTERNAL, "insert", RawDocument.EMPTY, options, Deadline.in(Clock.SYSTEM, millis), 0);
    }

    private void record(int session, long number) {
        try (RetryableWrites.Held held = writes.hold(operation(session, number, 0))) {
            held.record(3, new RawBuilder().put("n", session).build());
        }
    }

    private Optional<RawDocument> first(int session, long number) {
        try (RetryableWrites.Held held = writes.hold(operation(session, number, 0))) {
            return held.first(3);
        }
    }

    @Test
    void aStatementIsRememberedUntilItsSessionGoesOn() {
        record(1, 7);
        assertThat(first(1, 7)).isPresent();
        assertThat(first(1, 8)).isEmpty();
        assertThatThrownBy(() -> first(1, 7)).hasMessageContaining("txnNumber 8");
    }

    @Test
    void theSessionsUsedLongestAgoAreForgotten() {
        record(1, 1);
        record(2, 1);
        assertThat(first(1, 1)).isPresent();
        record(3, 1);
        assertThat(writes.size()).isEqualTo(2);
        assertThat(first(1, 1)).isPresent();
        assertThat(first(2, 1)).isEmpty();
    }

    @Test
    void aRetryWaitsForTheFirstAttemptWithinItsDeadline() throws Exception {
        try (RetryableWrites.Held held = writes.hold(operation(1, 1, 0))) {
            held.record(3, RawDocument.EMPTY);
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> writes.hold(operation(1, 1, 20)));
            assertThatThrownBy(other::get).hasMessageContaining("time limit");
        }
        assertThat(first(1, 1)).contains(RawDocument.EMPTY);
    }
}
