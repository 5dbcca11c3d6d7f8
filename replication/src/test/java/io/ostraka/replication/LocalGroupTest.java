package io.ostraka.replication;

import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;
import static io.ostraka.core.error.ErrorCode.SHUTDOWN_IN_PROGRESS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.error.CommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LocalGroupTest {
    private static final UUID INCARNATION = new UUID(1, 2);

    /** Keeps what it was given, in batches; waits at a gate when told to. */
    private static final class ListState implements ReplicatedState {
        final List<List<LogEntry>> batches = Collections.synchronizedList(new ArrayList<>());
        private LogPosition applied = LogPosition.start(INCARNATION);
        volatile CountDownLatch gate = new CountDownLatch(0);
        volatile boolean broken;

        @Override
        public void apply(List<LogEntry> entries) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (broken) {
                throw new IllegalStateException("the disk is gone");
            }
            for (LogEntry entry : entries) {
                assertThat(entry.position().index()).isEqualTo(applied.index() + 1);
                applied = entry.position();
            }
            batches.add(List.copyOf(entries));
        }

        @Override
        public LogPosition applied() {
            return applied;
        }

        @Override
        public void moveTo(LogPosition position) {
            throw new AssertionError("a group of one keeps its incarnation");
        }

        @Override
        public void save(Path folder) {
            throw new AssertionError("a group of one has no other member to save for");
        }

        @Override
        public void restore(Path folder) {
            throw new AssertionError("a group of one has no other member to restore from");
        }
    }

    private final ListState state = new ListState();

    private LocalGroup open() {
        return LocalGroup.open("test", state, new byte[0], ReplicationLimits.DEFAULT);
    }

    private static Fate fate(CompletableFuture<Fate> future) throws Exception {
        return future.get(10, TimeUnit.SECONDS);
    }

    @Test
    void theFirstEntryOfEachOpeningIsItsOwn() {
        open().close();
        try (LocalGroup again = open()) {
            assertThat(again.leadership())
                    .hasValueSatisfying(l -> assertThat(l.term()).isEqualTo(2));
        }
        assertThat(state.batches).hasSize(2);
        assertThat(state.applied()).isEqualTo(new LogPosition(INCARNATION, 2, 2));
    }

    @Test
    void whatWaitsTogetherIsDecidedTogether() throws Exception {
        try (LocalGroup group = open()) {
            Leadership leadership = group.leadership().orElseThrow();
            state.gate = new CountDownLatch(1);
            List<CompletableFuture<Fate>> fates = new ArrayList<>();
            for (int i = 0; i < 1 + 128 + 5; i++) {
                fates.add(group.propose(leadership, ("write " + i).getBytes(UTF_8)));
            }
            state.gate.countDown();
            long last = 0;
            for (CompletableFuture<Fate> future : fates) {
                assertThat(fate(future)).isInstanceOf(Fate.Applied.class);
                long index = ((Fate.Applied) fate(future)).position().index();
                assertThat(index).as("in the order proposed").isGreaterThan(last);
                last = index;
            }
        }
        assertThat(state.batches.size())
                .as("the no-op, then as few as the bound allows")
                .isLessThanOrEqualTo(5);
        assertThat(state.batches).allSatisfy(batch -> assertThat(batch.size()).isLessThanOrEqualTo(128));
    }

    @Test
    void closeGivesEveryWaitingProposalItsFate() throws Exception {
        LocalGroup group = open();
        Leadership leadership = group.leadership().orElseThrow();
        state.gate = new CountDownLatch(1);
        List<CompletableFuture<Fate>> fates = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            fates.add(group.propose(leadership, new byte[] {1}));
        }
        CountDownLatch over = new CountDownLatch(1);
        leadership.whenOver(over::countDown);
        Thread closing = Thread.ofPlatform().start(group::close);
        state.gate.countDown();
        closing.join();
        assertThat(over.getCount()).isZero();
        for (CompletableFuture<Fate> future : fates) {
            assertThat(future).isDone();
            assertThat(fate(future)).isInstanceOf(Fate.Applied.class);
        }
        assertThat(fate(group.propose(leadership, new byte[0])))
                .isInstanceOfSatisfying(
                        Fate.Refused.class,
                        refused -> assertThat(refused.reason().code()).isEqualTo(SHUTDOWN_IN_PROGRESS));
    }

    @Test
    void aProposalBeyondTheBoundIsRefused() throws Exception {
        ReplicationLimits small = new ReplicationLimits(10, 1, 10, 1);
        try (LocalGroup group = LocalGroup.open("test", state, new byte[0], small)) {
            assertThat(fate(group.propose(group.leadership().orElseThrow(), new byte[11])))
                    .isInstanceOfSatisfying(
                            Fate.Refused.class,
                            refused -> assertThat(refused.reason().code()).isEqualTo(BSON_OBJECT_TOO_LARGE));
        }
        assertThat(state.batches).hasSize(1);
    }

    @Test
    void aFailedDiskEndsTheLeadership() throws Exception {
        try (LocalGroup group = open()) {
            Leadership leadership = group.leadership().orElseThrow();
            state.broken = true;
            assertThatThrownBy(() -> fate(group.propose(leadership, new byte[0])))
                    .hasCauseInstanceOf(CommandException.class);
            CountDownLatch over = new CountDownLatch(1);
            leadership.whenOver(over::countDown);
            assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(group.leadership()).isEmpty();
        }
    }

    @Test
    void anEntryReadsBackAndAnotherVersionIsRefused() {
        LogEntry entry = new LogEntry(new LogPosition(INCARNATION, 3, 44), 3, new byte[] {1, 2, 3});
        byte[] bytes = entry.encode();
        assertThat(LogEntry.decode(bytes)).isEqualTo(entry);
        bytes[0] = 2;
        assertThatThrownBy(() -> LogEntry.decode(bytes)).hasMessageContaining("version 2");
    }
}
