package io.ostraka.storage;

import static io.ostraka.core.error.ErrorCode.OUT_OF_DISK_SPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    @TempDir
    Path folder;

    private static final UUID CLUSTER = new UUID(1, 2);
    private static final UUID MEMBER = new UUID(3, 4);

    private DataFolder open(String program) {
        return DataFolder.open(folder.resolve("data"), program, () -> Stamp.fresh(program, CLUSTER, MEMBER));
    }

    @Test
    void aFolderKeepsItsStamp() {
        open("0.1.0").close();
        try (DataFolder again =
                DataFolder.open(folder.resolve("data"), "0.2.0", () -> Stamp.fresh("x", MEMBER, CLUSTER))) {
            assertThat(again.stamp()).isEqualTo(new Stamp(Stamp.FORMAT, "0.2.0", CLUSTER, MEMBER, Stamp.NO_ICU));
        }
    }

    @Test
    void aFolderInUseIsRefused() {
        try (DataFolder first = open("0.1.0")) {
            assertThat(first.path()).isEqualTo(folder.resolve("data"));
            assertThatThrownBy(() -> open("0.1.0"))
                    .isInstanceOf(FolderRefused.class)
                    .hasMessageContaining("is in use by another instance");
        }
        open("0.1.0").close();
    }

    @Test
    void aNewerFormatIsRefusedWithASentence() throws IOException {
        open("0.1.0").close();
        Path stamp = folder.resolve("data").resolve("ostraka.stamp");
        Files.writeString(stamp, Files.readString(stamp).replace("format=1", "format=2"));
        assertThatThrownBy(() -> open("0.1.0"))
                .isInstanceOf(FolderRefused.class)
                .hasMessageContaining("has data format 2")
                .hasMessageContaining("Start it with the version that wrote it.");
    }

    @Test
    void aFolderOfSomethingElseIsRefused() throws IOException {
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(folder.resolve("data").resolve("thesis.txt"), "do not touch");
        assertThatThrownBy(() -> open("0.1.0"))
                .isInstanceOf(FolderRefused.class)
                .hasMessageContaining("Choose an empty folder");
        assertThat(folder.resolve("data").resolve("ostraka.stamp")).doesNotExist();
    }

    @Test
    void writesAreRefusedBelowTheReserveAndGoOnAbove() {
        AtomicLong free = new AtomicLong(100);
        AtomicLong nanos = new AtomicLong(0);
        Clock clock = new Clock() {
            @Override
            public long wallMillis() {
                return 0;
            }

            @Override
            public long nanos() {
                return nanos.get();
            }
        };
        DiskReserve reserve = new DiskReserve(free::get, 100, clock);
        reserve.check();
        free.set(99);
        reserve.check(); // asked too short a time ago
        nanos.addAndGet(1_000_000_000);
        assertThatThrownBy(reserve::check)
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(OUT_OF_DISK_SPACE));
        free.set(101);
        nanos.addAndGet(1_000_000_000);
        reserve.check();
    }
}
