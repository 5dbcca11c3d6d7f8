package io.ostraka.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.key.RecordId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One flipped byte is found at the start or at the first read, and never served; the message names the file. */
class DamagedFilesTest {
    private static final RecordStore STORE = new RecordStore(7);

    @TempDir
    Path folder;

    private StorageResources resources;

    @BeforeEach
    void fill() {
        resources = StorageResources.open(StorageLimits.DEFAULT);
        try (Engine engine = open()) {
            try (Batch batch = engine.batch()) {
                for (int i = 1; i <= 1000; i++) {
                    STORE.put(
                            batch,
                            RecordId.of(i),
                            ("text " + i).repeat(20).getBytes(java.nio.charset.StandardCharsets.UTF_8));
                }
                engine.write(batch);
            }
            engine.flush();
        }
    }

    @AfterEach
    void close() {
        resources.close();
    }

    private Engine open() {
        return Engine.open(folder.resolve("db"), resources, Engine.Journal.SYNCED);
    }

    private Path file(String like) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("db"))) {
            return files.filter(file -> file.getFileName().toString().matches(like))
                    .max(java.util.Comparator.comparingLong(
                            file -> file.toFile().length()))
                    .orElseThrow();
        }
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 0x10;
        Files.write(file, bytes);
    }

    @Test
    void inATableItIsFoundByTheFirstRead() throws IOException {
        Path table = file("\\d+\\.sst");
        flip(table, 100);
        try (Engine engine = open();
                ReadView view = engine.read();
                Rows rows = STORE.rows(view)) {
            assertThatThrownBy(() -> {
                        boolean on = rows.first();
                        while (on) {
                            on = rows.next();
                        }
                    })
                    .isInstanceOf(StorageFailure.class)
                    .hasMessageContaining("checksum")
                    .hasMessageContaining(table.getFileName().toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CURRENT", "MANIFEST-\\d+"})
    void inWhatNamesTheTablesItIsFoundAtTheStart(String name) throws IOException {
        flip(file(name), 3);
        assertThatThrownBy(() -> open().close())
                .isInstanceOf(StorageFailure.class)
                .hasMessageContaining(folder.toString());
        assertThat(file("\\d+\\.sst")).exists();
    }
}
