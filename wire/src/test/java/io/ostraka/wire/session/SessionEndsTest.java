package io.ostraka.wire.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.cursor.CursorRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class SessionEndsTest {
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
    private final List<RawDocument> ended = new ArrayList<>();
    private final Sessions sessions = new Sessions(3, clock, Duration.ofMinutes(2));
    private final SessionEnds ends = new SessionEnds(
            sessions,
            new CursorRegistry(CursorRegistry.Limits.DEFAULT, clock, new Ids(clock, new Random(1))),
            new Operations(),
            ended::add);

    private static RawDocument session(int number) {
        return RawDocument.of(new BsonDocument("id", new BsonBinary(new byte[] {(byte) number})));
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void whatIsUnusedForTheTimeoutEnds() {
        sessions.used(session(1));
        sessions.used(session(2));
        pass(Duration.ofMinutes(1));
        sessions.used(session(1));
        pass(Duration.ofMinutes(1));
        ends.expire();
        assertThat(ended).isEmpty();
        pass(Duration.ofSeconds(1));
        ends.expire();
        assertThat(ended).containsExactly(session(2));
        assertThat(sessions.all()).containsExactly(session(1));
    }

    @Test
    void theOnesUsedLongestAgoAreForgottenFirst() {
        for (int i = 0; i < 5; i++) {
            sessions.used(session(i));
        }
        sessions.used(session(2));
        sessions.used(session(7));
        assertThat(sessions.all()).containsExactlyInAnyOrder(session(4), session(2), session(7));
        assertThat(sessions.shown().getFirst().find("_id").document().get("uid"))
                .isNotNull();
    }
}
