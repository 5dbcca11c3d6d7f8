package io.ostraka.node.lock;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;
import static io.ostraka.core.error.ErrorCode.MAX_TIME_MS_EXPIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.time.Clock;
import io.ostraka.node.member.Member;
import io.ostraka.node.member.TestMember;
import io.ostraka.wire.command.Deadline;
import io.ostraka.wire.command.Operation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockTest {
    private static final Namespace NAME = new Namespace("test", "c");

    @TempDir
    Path folder;

    private TestMember test;
    private LockTables tables;

    @BeforeEach
    void open() {
        test = new TestMember(folder.resolve("data"));
        tables = test.member().term().locks();
    }

    @AfterEach
    void close() {
        test.close();
    }

    private Operation within(long millis) {
        return test.member().internal("test", Deadline.in(Clock.SYSTEM, millis));
    }

    private static byte[] key(int value) {
        return new byte[] {(byte) value};
    }

    @Test
    void namesThatComeAndGoLeaveNoLocksBehind() {
        try (LockSet held = tables.begin().collection(NAME, true, within(1_000))) {
            for (int i = 0; i < 25_000; i++) {
                tables.begin()
                        .collection(new Namespace("test", "gone" + i), i % 2 == 0, within(1_000))
                        .close();
            }
            assertThat(tables.namesKept()).isLessThanOrEqualTo(10_001);
            assertThat(held.leadership()).isNotNull();
            assertThatThrownBy(() -> tables.begin().collection(NAME, false, within(20)))
                    .as("one in use stays what it is")
                    .isInstanceOfSatisfying(
                            CommandException.class, e -> assertThat(e.code()).isEqualTo(MAX_TIME_MS_EXPIRED));
        }
        tables.begin().collection(NAME, false, within(1_000)).close();
    }

    @Test
    void aDocumentHasOneHolderAndIsHandedOnInOrder() throws Exception {
        LockSet first = tables.begin();
        first.document(1, RecordId.of(1), Optional.empty(), within(1000));
        assertThatThrownBy(() -> tables.begin().document(1, RecordId.of(1), Optional.empty(), within(20)))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(MAX_TIME_MS_EXPIRED));
        assertThat(tables.begin().tryDocument(1, RecordId.of(1), Optional.empty()))
                .isFalse();
        assertThat(tables.begin().tryDocument(2, RecordId.of(1), Optional.empty()))
                .as("another collection")
                .isTrue();
        CountDownLatch got = new CountDownLatch(1);
        Thread waiter = Thread.startVirtualThread(() -> {
            try (LockSet second = tables.begin()) {
                second.document(1, RecordId.of(1), Optional.empty(), within(30_000));
                got.countDown();
            }
        });
        first.close();
        assertThat(got.await(30, TimeUnit.SECONDS)).isTrue();
        waiter.join();
        assertThat(tables.begin().tryDocument(1, RecordId.of(1), Optional.empty()))
                .isTrue();
    }

    @Test
    void counterUnderOneLockLosesNothing() throws Exception {
        int[] counter = new int[1];
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                for (int n = 0; n < 100; n++) {
                    try (LockSet set = tables.begin().collection(NAME, false, within(30_000))) {
                        set.document(1, RecordId.of(1), Optional.empty(), within(30_000));
                        counter[0]++;
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(counter[0]).isEqualTo(5000);
    }

    @Test
    void theExclusiveLockKeepsSharersOutAndIsNotStarved() throws Exception {
        AtomicInteger sharers = new AtomicInteger();
        LockSet shared = tables.begin().collection(NAME, false, within(1000));
        CountDownLatch exclusive = new CountDownLatch(1);
        Thread ddl = Thread.startVirtualThread(() -> {
            try (LockSet _ = tables.begin().collection(NAME, true, within(30_000))) {
                assertThat(sharers).hasValue(0);
                exclusive.countDown();
            }
        });
        // Once the DDL waits, later sharers queue behind it.
        while (true) {
            try (LockSet _ = tables.begin().collection(NAME, false, within(10))) {
                assertThat(exclusive.getCount()).isEqualTo(1);
            } catch (CommandException queued) {
                assertThat(queued.code()).isEqualTo(MAX_TIME_MS_EXPIRED);
                break;
            }
        }
        shared.close();
        assertThat(exclusive.await(30, TimeUnit.SECONDS)).isTrue();
        ddl.join();
        tables.begin().collection(NAME, false, within(1000)).close();
    }

    @Test
    void keysComeAfterDocuments() {
        LockSet set = tables.begin();
        set.keys(List.of(new IndexKey(5, key(2)), new IndexKey(5, key(1)), new IndexKey(5, key(2))), within(1000));
        assertThatThrownBy(() -> set.document(1, RecordId.of(1), Optional.empty(), within(1000)))
                .hasMessageContaining("nobody who holds a key waits for a document");
        set.close();
    }

    @Test
    void drainingWaitsForLocksInTheRangeOnly() throws Exception {
        LockSet inside = tables.begin();
        inside.document(1, RecordId.of(1), Optional.of(key(5)), within(1000));
        LockSet outside = tables.begin();
        outside.document(1, RecordId.of(2), Optional.of(key(50)), within(1000));
        KeyRange range = new KeyRange(key(0), key(10));
        assertThatThrownBy(() -> tables.drain(1, range, within(20))).isInstanceOf(CommandException.class);
        tables.drain(1, new KeyRange(key(60), key(70)), within(1000));
        CompletableFuture<Void> drained = CompletableFuture.runAsync(() -> tables.drain(1, range, within(30_000)));
        outside.concerns(1, RecordId.of(2), key(55));
        inside.close();
        drained.get(30, TimeUnit.SECONDS);
        LockSet many = tables.begin();
        many.manyDocuments(1, 1);
        assertThatThrownBy(() -> tables.drain(1, range, within(20))).isInstanceOf(CommandException.class);
        many.close();
        tables.drain(1, range, within(1000));
        outside.close();
    }

    @Test
    void whoWaitsIsToldWhenTheLeadershipEnds() throws Exception {
        LockSet held = tables.begin();
        held.document(1, RecordId.of(1), Optional.empty(), within(1000));
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(
                () -> tables.begin().document(1, RecordId.of(1), Optional.empty(), within(60_000)));
        Member member = test.member();
        member.close();
        assertThatThrownBy(() -> waiter.get(30, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code()).isEqualTo(INTERRUPTED_DUE_TO_REPL_STATE_CHANGE));
    }
}
