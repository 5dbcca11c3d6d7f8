package io.ostraka.acceptance.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.acceptance.support.ChildProcess;
import io.ostraka.acceptance.support.Clients;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The npm package that other projects start their test servers with, given our programs in its binary folder. */
class MongodbRunnerTest {
    @TempDir
    Path folder;

    @Test
    void startsASetAndAShardedCluster() throws IOException {
        Clients.assumePresent();
        Path programs = Files.createDirectories(folder.resolve("bin"));
        program(programs, "mongod");
        program(programs, "mongos");
        String script;
        try (InputStream in = MongodbRunnerTest.class.getResourceAsStream("mongodb-runner.js")) {
            script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        Path data = Files.createDirectories(folder.resolve("data"));
        Clients.Ran ran = Clients.node(script, programs.toString(), data.toString());
        assertThat(ran.output().strip()).endsWith("replset 3 3\nsharded 3 isdbgrid\nOK");
        assertThat(ran.exitCode()).isZero();
    }

    /** What the launcher does in a built tree, without a build. */
    private static void program(Path programs, String name) throws IOException {
        String command = ChildProcess.command(ChildProcess.classPath(), "io.ostraka.server.cli.Main", name).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\nexec " + command + " \"$@\"\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
