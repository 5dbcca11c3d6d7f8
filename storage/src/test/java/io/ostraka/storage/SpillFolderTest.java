package io.ostraka.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillFolderTest {
    @TempDir
    Path data;

    private Path spill() {
        return data.resolve("spill");
    }

    @Test
    void rowsComeBackInOrderAndTheirFileGoes() {
        try (SpillFolder folder = SpillFolder.open(data, 1_000)) {
            SpillFolder.Writer writer = folder.begin();
            assertThat(writer.add(new byte[] {1, 2})).isTrue();
            assertThat(writer.add(new byte[0])).isTrue();
            try (SpillFolder.Reader reader = writer.end()) {
                assertThat(reader.next()).hasValue(new byte[] {1, 2});
                assertThat(reader.next()).hasValue(new byte[0]);
                assertThat(reader.next()).isEmpty();
                assertThat(spill()).isNotEmptyDirectory();
            }
            assertThat(folder.bytes()).isZero();
            assertThat(spill()).isEmptyDirectory();
        }
        assertThat(spill()).doesNotExist();
    }

    @Test
    void itNeverHoldsMoreThanItsBound() {
        try (SpillFolder folder = SpillFolder.open(data, 100)) {
            try (SpillFolder.Writer first = folder.begin();
                    SpillFolder.Writer second = folder.begin()) {
                assertThat(first.add(new byte[50])).isTrue();
                assertThat(second.add(new byte[50])).isFalse();
                assertThat(second.add(new byte[10])).isTrue();
            }
            assertThat(folder.bytes()).isZero();
        }
    }

    @Test
    void whatAnotherRunHasLeftGoes() throws IOException {
        Files.createDirectories(spill());
        Files.write(spill().resolve("run-1"), new byte[100]);
        try (SpillFolder folder = SpillFolder.open(data, 1_000)) {
            assertThat(spill()).doesNotExist();
            SpillFolder.Writer left = folder.begin();
            assertThat(left.add(new byte[10])).isTrue();
        }
        assertThat(spill()).doesNotExist();
    }
}
