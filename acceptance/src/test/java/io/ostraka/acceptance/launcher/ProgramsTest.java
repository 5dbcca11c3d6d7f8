package io.ostraka.acceptance.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.ostraka.acceptance.support.ChildProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProgramsTest {
    @TempDir
    Path folder;

    private static boolean waiting(String line) {
        return line.contains("\"id\": 23016") || line.contains("\"id\":23016");
    }

    private static ChildProcess server(String... arguments) {
        return ChildProcess.start(ProgramsTest::waiting, arguments);
    }

    private Path made(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private static int port(ChildProcess process) {
        return Document.parse(process.readyLine()).get("attr", Document.class).getInteger("port");
    }

    private static String url(int port) {
        return "mongodb://127.0.0.1:" + port + "/?directConnection=true";
    }

    private static void initiate(int port) {
        try (MongoClient client = MongoClients.create(url(port))) {
            client.getDatabase("admin").runCommand(new Document("replSetInitiate", new Document()));
        }
    }

    @Test
    void separateProcessesMakeACluster() throws IOException {
        List<ChildProcess> all = new ArrayList<>();
        try {
            ChildProcess config = server(
                    "mongod",
                    "--configsvr",
                    "--replSet",
                    "conf",
                    "--dbpath",
                    made("config").toString(),
                    "--port",
                    "0");
            all.add(config);
            for (int i = 0; i < 2; i++) {
                all.add(server(
                        "mongod",
                        "--shardsvr",
                        "--replSet",
                        "s" + i,
                        "--dbpath",
                        made("s" + i).toString(),
                        "--port",
                        "0"));
            }
            for (ChildProcess member : all) {
                initiate(port(member));
            }
            ChildProcess router = server(
                    "mongos",
                    "--configdb",
                    "conf/127.0.0.1:" + port(config),
                    "--port",
                    "0",
                    "--setParameter",
                    "enableTestCommands=1");
            all.add(router);
            try (MongoClient client = MongoClients.create(url(port(router)))) {
                for (int i = 0; i < 2; i++) {
                    Document added = client.getDatabase("admin")
                            .runCommand(new Document("addShard", "s" + i + "/127.0.0.1:" + port(all.get(1 + i))));
                    assertThat(added.getString("shardAdded")).isEqualTo("s" + i);
                }
                client.getDatabase("admin")
                        .runCommand(new Document("shardCollection", "d.c").append("key", new Document("x", "hashed")));
                MongoCollection<Document> c = client.getDatabase("d").getCollection("c");
                for (int i = 0; i < 50; i++) {
                    c.insertOne(new Document("x", i));
                }
                assertThat(c.countDocuments()).isEqualTo(50);
                failsWhatItIsToldTo(client, port(config));
                assertThat(client.getDatabase("config").getCollection("shards").countDocuments())
                        .isEqualTo(2);
            }
            // Killed and started again on the same port, a shard has all it had, and the router finds it.
            ChildProcess shard = all.get(1);
            int shardPort = port(shard);
            shard.kill();
            all.set(
                    1,
                    server(
                            "mongod",
                            "--shardsvr",
                            "--replSet",
                            "s0",
                            "--dbpath",
                            folder.resolve("s0").toString(),
                            "--port",
                            Integer.toString(shardPort)));
            try (MongoClient client = MongoClients.create(url(port(router)))) {
                assertThat(client.getDatabase("d").getCollection("c").countDocuments())
                        .isEqualTo(50);
            }
            for (ChildProcess each : all.reversed()) {
                assertThat(each.stop()).as(each.output()).isZero();
            }
        } finally {
            all.forEach(ChildProcess::kill);
        }
    }

    @Test
    void theLogHasMongoDbsFields() throws IOException {
        try (ChildProcess alone =
                server("mongod", "--dbpath", made("alone").toString(), "--port", "0", "--nounixsocket", "--journal")) {
            List<Document> lines = alone.output()
                    .lines()
                    .filter(line -> line.startsWith("{"))
                    .map(Document::parse)
                    .toList();
            assertThat(lines).allSatisfy(line -> assertThat(line).containsKeys("t", "s", "c", "id", "ctx", "msg"));
            Document waiting = lines.stream()
                    .filter(line -> line.getInteger("id") == 23016)
                    .findFirst()
                    .orElseThrow();
            assertThat(waiting.getString("msg")).isEqualTo("Waiting for connections");
            assertThat(waiting.getString("c")).isEqualTo("NETWORK");
            assertThat(waiting.getString("ctx")).isEqualTo("listener");
            assertThat(lines).anyMatch(line -> line.getInteger("id") == 23403);
            assertThat(lines).anyMatch(line -> line.getString("msg").contains("--journal has no effect here"));
            assertThat(alone.stop()).isZero();
        }
    }

    @Test
    void filesAreReadInBothForms() throws IOException {
        Path yaml = folder.resolve("mongod.conf");
        Files.writeString(
                yaml,
                """
                storage:
                  dbPath: %s
                net:
                  port: 0
                  bindIp: 127.0.0.1
                replication:
                  replSetName: rs7
                systemLog:
                  destination: file
                  path: %s
                  logAppend: true
                processManagement:
                  pidFilePath: %s
                """.formatted(made("yaml"), folder.resolve("yaml.log"), folder.resolve("yaml.pid")),
                StandardCharsets.UTF_8);
        ChildProcess process = ChildProcess.launch(line -> false, "mongod", "-f", yaml.toString());
        try {
            int port = awaitPort(folder.resolve("yaml.log"));
            try (MongoClient client = MongoClients.create(url(port))) {
                initiate(port);
                Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
                assertThat(hello.getString("setName")).isEqualTo("rs7");
                assertThat(Files.readString(folder.resolve("yaml.pid")).strip())
                        .isEqualTo(Long.toString(process.pid()));
                Document options = client.getDatabase("admin").runCommand(new Document("getCmdLineOpts", 1));
                assertThat(options.get("parsed", Document.class)
                                .get("replication", Document.class)
                                .getString("replSetName"))
                        .isEqualTo("rs7");
            }
            assertThat(process.stop()).isZero();
            assertThat(folder.resolve("yaml.pid")).doesNotExist();
        } finally {
            process.kill();
        }
        Path lines = folder.resolve("old.conf");
        Files.writeString(
                lines, "dbpath = " + made("old") + "\nport = 0\nbind_ip = 127.0.0.1\n", StandardCharsets.UTF_8);
        try (ChildProcess old = server("mongod", "--config", lines.toString())) {
            assertThat(old.stop()).isZero();
        }
    }

    private static int awaitPort(Path log) throws IOException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() < end) {
            if (Files.exists(log)) {
                for (String line : Files.readAllLines(log, StandardCharsets.UTF_8)) {
                    if (waiting(line)) {
                        return Document.parse(line).get("attr", Document.class).getInteger("port");
                    }
                }
            }
        }
        throw new AssertionError("no port in " + log);
    }

    @Test
    void forkWaitsUntilConnectionsAreAccepted() throws IOException {
        Path pid = folder.resolve("fork.pid");
        Path log = folder.resolve("fork.log");
        try (ChildProcess parent = ChildProcess.launch(
                line -> false,
                "mongod",
                "--fork",
                "--logpath",
                log.toString(),
                "--pidfilepath",
                pid.toString(),
                "--dbpath",
                made("fork").toString(),
                "--port",
                "0")) {
            assertThat(parent.await()).as(parent.output()).isZero();
            assertThat(parent.output())
                    .contains("forked process: ", "child process started successfully, parent exiting");
        }
        ProcessHandle child =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
        try (MongoClient client = MongoClients.create(url(awaitPort(log)))) {
            assertThat(client.getDatabase("admin")
                            .runCommand(new Document("ping", 1))
                            .getDouble("ok"))
                    .isEqualTo(1);
        } finally {
            child.destroy();
            child.onExit().join();
        }
        try (ChildProcess parent = ChildProcess.launch(
                line -> false,
                "mongod",
                "--fork",
                "--logpath",
                log.toString(),
                "--dbpath",
                folder.resolve("none").toString(),
                "--port",
                "0")) {
            assertThat(parent.await()).isEqualTo(100);
            assertThat(parent.output()).contains("ERROR: child process failed", "does not exist");
        }
    }

    @Test
    void badOptionsAreSentences() throws IOException {
        expect(2, "Did you mean --dbpath?", "mongod", "--dbpth", "x");
        expect(2, "--auth is refused: there is no access control", "mongod", "--auth");
        expect(2, "--tlsMode is refused: connections are not encrypted", "mongos", "--tlsMode", "requireTLS");
        expect(2, "--keyFile is refused", "mongod", "--keyFile", "k");
        expect(2, "mongos needs --configdb", "mongos");
        expect(2, "--shardsvr needs --replSet", "mongod", "--shardsvr");
        expect(2, "--port must be from 0 to 65535", "mongod", "--port", "70000");
        expect(2, "--shards must be from 1 to 100", "cluster", "--shards", "0");
        expect(2, "Unknown option: '--shardz'", "cluster", "--shardz");
        expect(2, "'serve' is no command", "serve");
        expect(
                100,
                "does not exist",
                "mongod",
                "--dbpath",
                folder.resolve("nowhere").toString());
        Path bad = folder.resolve("bad.conf");
        Files.writeString(bad, "net:\n  prt: 1\n", StandardCharsets.UTF_8);
        expect(2, "Did you mean net.port?", "mongod", "-f", bad.toString());
        Files.writeString(bad, "security:\n  authorization: enabled\n", StandardCharsets.UTF_8);
        expect(2, "security.authorization.enabled", "mongod", "-f", bad.toString());
        expect(0, "v8.0", "mongod", "--version");
        expect(0, "--configdb", "mongos", "--help");
    }

    private static void expect(int code, String text, String... arguments) {
        try (ChildProcess process = ChildProcess.launch(line -> false, arguments)) {
            assertThat(process.await()).as(process.output()).isEqualTo(code);
            assertThat(process.output()).contains(text);
            assertThat(process.output()).doesNotContain("\tat io.ostraka");
        }
    }

    @Test
    void aPortOrFolderInUseIsSaid() throws IOException {
        try (ChildProcess first = server("mongod", "--dbpath", made("used").toString(), "--port", "0")) {
            expect(
                    48,
                    "cannot be listened on",
                    "mongod",
                    "--dbpath",
                    made("other").toString(),
                    "--port",
                    Integer.toString(port(first)));
            expect(100, "in use", "mongod", "--dbpath", folder.resolve("used").toString(), "--port", "0");
        }
    }

    @Test
    void aClusterIsFoundAgainElsewhere() throws IOException {
        Path data = folder.resolve("cluster");
        int port = ChildProcess.freePorts(10);
        try (ChildProcess cluster = cluster(data, port)) {
            try (MongoClient client = MongoClients.create("mongodb://127.0.0.1:" + port)) {
                client.getDatabase("admin")
                        .runCommand(new Document("shardCollection", "d.c").append("key", new Document("x", "hashed")));
                for (int i = 0; i < 30; i++) {
                    client.getDatabase("d").getCollection("c").insertOne(new Document("x", i));
                }
            }
            expect(100, "in use", "cluster", "--data", data.toString(), "--port", "0");
            assertThat(cluster.stop()).as(cluster.output()).isZero();
        }
        Path moved = Files.move(data, folder.resolve("moved"));
        int other = ChildProcess.freePorts(10);
        try (ChildProcess cluster = cluster(moved, other);
                MongoClient client = MongoClients.create("mongodb://127.0.0.1:" + other)) {
            assertThat(client.getDatabase("d").getCollection("c").countDocuments())
                    .isEqualTo(30);
            client.getDatabase("d").getCollection("c").insertOne(new Document("x", 31));
            assertThat(cluster.stop()).isZero();
        }
    }

    private static ChildProcess cluster(Path data, int port) {
        return ChildProcess.start(
                line -> line.contains("Connect with"),
                "cluster",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(port));
    }

    /** A router with test commands fails one of them; a member without them knows none. */
    private static void failsWhatItIsToldTo(MongoClient client, int without) {
        Document once = new Document("configureFailPoint", "failCommand")
                .append("mode", new Document("times", 1))
                .append("data", new Document("failCommands", List.of("ping")).append("errorCode", 8));
        client.getDatabase("admin").runCommand(once);
        Document ping = new Document("ping", 1);
        assertThatThrownBy(() -> client.getDatabase("d").runCommand(ping)).hasMessageContaining("failpoint");
        assertThat(client.getDatabase("d").runCommand(ping)).containsEntry("ok", 1.0);
        try (MongoClient plain = MongoClients.create(url(without))) {
            assertThatThrownBy(() -> plain.getDatabase("admin").runCommand(once))
                    .hasMessageContaining("no such command");
        }
    }
}
