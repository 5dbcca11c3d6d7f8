package io.ostraka.acceptance.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.ostraka.acceptance.support.ChildProcess;
import io.ostraka.acceptance.support.Clients;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log of a member: rotated on demand, looked at and turned up from a shell. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogTest {
    @TempDir
    Path folder;

    private ChildProcess member;
    private Path log;

    @BeforeEach
    void start() throws IOException {
        log = folder.resolve("logs").resolve("member.log");
        member = ChildProcess.launch(
                line -> false,
                "mongod",
                "--dbpath",
                Files.createDirectories(folder.resolve("data")).toString(),
                "--port",
                "0",
                "--logpath",
                log.toString());
        await(() -> lines(log).anyMatch(LogTest::waiting), "the port");
    }

    @AfterEach
    void stop() {
        member.kill();
    }

    private static boolean waiting(String line) {
        return line.contains("Waiting for connections");
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private void await(Condition condition, String what) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("%s: %s", what, member.output()).isLessThan(end);
        }
    }

    private static Stream<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8).stream() : Stream.of();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(log.getParent())) {
            return all.toList();
        }
    }

    private String url() throws IOException {
        int port = lines(log)
                .filter(LogTest::waiting)
                .map(Document::parse)
                .findFirst()
                .orElseThrow()
                .get("attr", Document.class)
                .getInteger("port");
        return "mongodb://127.0.0.1:" + port + "/?directConnection=true";
    }

    @Test
    void isRotatedByCommandAndBySignal() throws Exception {
        try (MongoClient client = MongoClients.create(url())) {
            assertThat(client.getDatabase("admin").runCommand(new Document("logRotate", 1)))
                    .containsEntry("ok", 1.0);
            assertThat(files()).hasSize(2);
            assertThat(lines(log).noneMatch(LogTest::waiting)).isTrue();
            Process kill = new ProcessBuilder("kill", "-USR1", Long.toString(member.pid())).start();
            assertThat(kill.waitFor()).isZero();
            await(() -> files().size() == 3, "the signal");
            assertThat(client.getDatabase("admin").runCommand(new Document("ping", 1)))
                    .as("the member goes on")
                    .containsEntry("ok", 1.0);
            // What is told from now on is in the new file, and each line is in one file only.
            assertThat(client.getDatabase("admin").runCommand(Document.parse("{setParameter: 1, logLevel: 1}")))
                    .isNotNull();
            await(() -> lines(log).anyMatch(line -> line.contains("parameter logLevel")), "the new file");
            long told = 0;
            for (Path each : files()) {
                told += lines(each)
                        .filter(line -> line.contains("parameter logLevel"))
                        .count();
            }
            assertThat(told).isOne();
        }
        assertThat(member.stop()).isZero();
    }

    @Test
    void isShownAndTurnedUpFromAShell() throws IOException {
        Clients.assumePresent();
        Clients.Ran ran = Clients.mongosh(url(), """
                show logs
                show log startupWarnings
                show log global
                db.getLogComponents().storage.journal.verbosity
                db.setLogLevel(2, "storage.journal").was.storage.journal.verbosity
                db.setLogLevel(1).ok
                db.getLogComponents().verbosity
                db.getLogComponents().storage.journal.verbosity
                try { db.setLogLevel(1, "nothing") } catch (e) { print(e.codeName) }
                try { db.setLogLevel(9) } catch (e) { print(e.codeName) }
                db.adminCommand({logRotate: 1}).ok
                db.things.insertOne({x: 1}).acknowledged
                db.things.find().toArray().length
                const row = db.adminCommand("top").totals["test.things"]
                print("insert " + row.insert.count + " queries " + row.queries.count + " total " + (Number(row.total.time) >= Number(row.insert.time)))
                print("#### end")
                """);
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.output())
                .contains(
                        "startupWarnings",
                        "Access control is not enabled",
                        "Waiting for connections",
                        "BadValue",
                        "insert 1 queries 1 total true",
                        "#### end")
                .doesNotContain("undefined")
                .doesNotContain("NaN")
                .doesNotContain("Error:")
                .doesNotContain("    at ");
        assertThat(ran.output().split("BadValue", -1)).hasSize(3);
    }
}
