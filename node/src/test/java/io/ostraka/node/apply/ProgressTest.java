package io.ostraka.node.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who waits is woken by what comes after, once, and at once by what came in between. */
class ProgressTest {
    private final Progress progress = new Progress(10);

    @Test
    void aChangeOfTheCatalogEndsTheWaitsForItAndNoOther() {
        long before = progress.catalogChanges();
        CompletableFuture<Void> waiting = progress.catalogChangeAfter(before);
        progress.publish(11, false, 0);
        assertThat(waiting).as("a write is no change of the catalog").isNotDone();
        progress.publish(12, true, 0);
        assertThat(waiting).isCompleted();
        assertThat(progress.catalogChangeAfter(before))
                .as("it fell between the look and the wait")
                .isCompleted();
        // Who looks again waits again: a loop over this never runs without a change.
        assertThat(progress.catalogChangeAfter(progress.catalogChanges())).isNotDone();
    }

    @Test
    void timesAreReachedInOrderAndClosingEndsAllWaits() {
        CompletableFuture<Void> early = progress.reaches(12);
        CompletableFuture<Void> late = progress.reaches(20);
        assertThat(progress.reaches(10)).isCompleted();
        progress.publish(15, false, 0);
        assertThat(early).isCompleted();
        assertThat(late).isNotDone();
        CompletableFuture<Void> catalog = progress.catalogChangeAfter(progress.catalogChanges());
        progress.close();
        for (CompletableFuture<Void> ended : List.of(late, catalog, progress.reaches(30))) {
            assertThatThrownBy(ended::join).hasMessageContaining("shutdown");
        }
    }
}
