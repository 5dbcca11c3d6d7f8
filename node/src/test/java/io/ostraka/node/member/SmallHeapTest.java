package io.ostraka.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups and sorts that do not fit into memory, in a process of little memory. */
@Timeout(180)
class SmallHeapTest {
    @TempDir
    Path folder;

    @Test
    void groupsAndSortsOfMoreThanTheHeapHolds() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "--enable-native-access=ALL-UNNAMED",
                        SmallHeapQueries.class.getName(),
                        folder.resolve("data").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("groups " + SmallHeapQueries.DOCUMENTS)
                .contains("sorted " + SmallHeapQueries.DOCUMENTS)
                .contains("spilled true");
        assertThat(folder.resolve("data").resolve("spill")).doesNotExist();
    }
}
