package io.ostraka.storage;

import static io.ostraka.core.error.ErrorCode.INTERRUPTED_AT_SHUTDOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.key.RecordId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTest {
    @TempDir
    Path folder;

    private StorageResources resources;
    private Engine engine;

    @BeforeEach
    void open() {
        resources = StorageResources.open(StorageLimits.DEFAULT);
        engine = Engine.open(folder.resolve("db"), resources, Engine.Journal.SYNCED);
    }

    @AfterEach
    void close() {
        engine.close();
        resources.close();
    }

    private void put(RecordStore store, long recordId, String text) {
        try (Batch batch = engine.batch()) {
            store.put(batch, RecordId.of(recordId), text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            engine.write(batch);
        }
    }

    private static List<Long> ids(RecordStore store, ReadView view) {
        List<Long> ids = new ArrayList<>();
        try (Rows rows = store.rows(view)) {
            for (boolean on = rows.first(); on; on = rows.next()) {
                ids.add(RecordStore.recordId(rows.key()).number());
            }
        }
        return ids;
    }

    @Test
    void whatWasWrittenIsThereAfterACloseWithoutFlush() {
        put(new RecordStore(7), 1, "one");
        put(new RecordStore(7), 2, "two");
        engine.close();
        engine = Engine.open(folder.resolve("db"), resources, Engine.Journal.SYNCED);
        try (ReadView view = engine.read()) {
            assertThat(ids(new RecordStore(7), view)).containsExactly(1L, 2L);
            assertThat(new RecordStore(7).get(view, RecordId.of(2))).asString().isEqualTo("two");
        }
    }

    @Test
    void aViewDoesNotSeeWhatCameLater() {
        put(new RecordStore(7), 1, "one");
        try (ReadView view = engine.read()) {
            put(new RecordStore(7), 2, "two");
            assertThat(ids(new RecordStore(7), view)).containsExactly(1L);
        }
        assertThat(engine.openViews()).isZero();
    }

    @Test
    void storesOfDifferentIdentsAreApartAndWalkBothWays() {
        put(new RecordStore(7), 5, "five");
        put(new RecordStore(8), 1, "other");
        put(new RecordStore(6), 9, "before");
        put(new RecordStore(7), 300, "three hundred");
        try (ReadView view = engine.read();
                Rows rows = new RecordStore(7).rows(view)) {
            assertThat(ids(new RecordStore(7), view)).containsExactly(5L, 300L);
            assertThat(rows.last()).isTrue();
            assertThat(RecordStore.recordId(rows.key()).number()).isEqualTo(300);
            assertThat(rows.previous()).isTrue();
            assertThat(rows.previous()).as("the record of ident 6 is not ours").isFalse();
            assertThat(new RecordStore(7).last(view)).contains(RecordId.of(300));
            assertThat(new RecordStore(9).last(view)).isEmpty();
        }
    }

    @Test
    void aRangeDeleteTakesOneIdentOnly() {
        put(new RecordStore(7), 5, "five");
        put(new RecordStore(8), 1, "other");
        try (Batch batch = engine.batch()) {
            new RecordStore(7).deleteAll(batch);
            engine.write(batch);
        }
        try (ReadView view = engine.read()) {
            assertThat(ids(new RecordStore(7), view)).isEmpty();
            assertThat(ids(new RecordStore(8), view)).containsExactly(1L);
        }
    }

    @Test
    void indexEntriesSortByKeyThenRecord() {
        IndexStore store = new IndexStore(3);
        try (Batch batch = engine.batch()) {
            store.put(batch, new byte[] {20}, RecordId.of(1), new byte[] {9});
            store.put(batch, new byte[] {10}, RecordId.of(2), new byte[0]);
            store.put(batch, new byte[] {10}, RecordId.of(1), new byte[0]);
            engine.write(batch);
        }
        List<String> seen = new ArrayList<>();
        try (ReadView view = engine.read();
                Rows rows = store.rows(view)) {
            for (boolean on = rows.first(); on; on = rows.next()) {
                seen.add(IndexStore.keyString(rows.key())[0] + "/" + IndexStore.recordId(rows.key()));
            }
        }
        assertThat(seen).containsExactly("10/1", "10/2", "20/1");
    }

    @Test
    void closingTheEngineEndsOpenReadersInsteadOfTheProcess() {
        put(new RecordStore(7), 1, "one");
        ReadView view = engine.read();
        Rows rows = new RecordStore(7).rows(view);
        assertThat(rows.first()).isTrue();
        engine.close();
        assertThatThrownBy(rows::next)
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(INTERRUPTED_AT_SHUTDOWN));
        assertThatThrownBy(() -> new RecordStore(7).get(view, RecordId.of(1))).isInstanceOf(CommandException.class);
        assertThatThrownBy(engine::read).isInstanceOf(CommandException.class);
        rows.close();
        view.close();
    }

    @Test
    void closeMeetsReadersAtWork() throws InterruptedException {
        for (long i = 1; i <= 2000; i++) {
            put(new RecordStore(7), i, "document " + i);
        }
        List<Thread> readers = new ArrayList<>();
        List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 4; i++) {
            readers.add(Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        try (ReadView view = engine.read()) {
                            ids(new RecordStore(7), view);
                        }
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            }));
        }
        while (engine.openViews() == 0) {
            Thread.onSpinWait();
        }
        engine.close();
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(failures)
                .hasSize(4)
                .allSatisfy(e -> assertThat(e)
                        .isInstanceOfSatisfying(
                                CommandException.class,
                                c -> assertThat(c.code()).isEqualTo(INTERRUPTED_AT_SHUTDOWN)));
    }

    @Test
    void aCheckpointIsAWholeDatabase() {
        put(new RecordStore(7), 1, "one");
        engine.checkpoint(folder.resolve("copy"));
        put(new RecordStore(7), 2, "two");
        try (Engine copy = Engine.open(folder.resolve("copy"), resources, Engine.Journal.ELSEWHERE);
                ReadView view = copy.read()) {
            assertThat(ids(new RecordStore(7), view)).containsExactly(1L);
        }
    }

    @Test
    void twentyOpensAndClosesLeaveNoThread() {
        engine.close();
        int before = Thread.activeCount();
        for (int i = 0; i < 20; i++) {
            engine = Engine.open(folder.resolve("db"), resources, Engine.Journal.SYNCED);
            put(new RecordStore(1), i + 1, "x");
            engine.close();
        }
        assertThat(Thread.activeCount()).isEqualTo(before);
    }
}
