package io.ostraka.sharding.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PullTest {
    private final Pull pull = new Pull();

    /** A request that woke itself went round without end and took a carrier thread for it. */
    @Test
    void aRequestIsNotWokenByWhatItSaysItself() {
        CompletableFuture<Void> told = pull.nextChange();
        pull.heard(1);
        pull.caughtUp(true);
        assertThat(told).isNotDone();
        assertThat(pull.isCaughtUp()).isTrue();
    }

    @Test
    void aBlockOfWritersIsTold() {
        CompletableFuture<Void> told = pull.nextChange();
        pull.blockAt(7);
        assertThat(told).isDone();
        assertThat(pull.blockedAt()).isEqualTo(7);
    }
}
