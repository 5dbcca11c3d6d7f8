package io.ostraka.acceptance.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Sorts;
import io.ostraka.acceptance.histories.Bank;
import io.ostraka.acceptance.histories.CausalSessions;
import io.ostraka.acceptance.histories.Increments;
import io.ostraka.acceptance.histories.Inserts;
import io.ostraka.acceptance.histories.ListAppend;
import io.ostraka.acceptance.histories.Registers;
import io.ostraka.acceptance.histories.UnderFaults;
import io.ostraka.acceptance.histories.Workload;
import io.ostraka.acceptance.support.Awaiting;
import io.ostraka.acceptance.support.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes, clients that never stop, and faults at random moments: the primary is killed, a member is stopped and goes
 * on, one is cut off from the others and from clients, all are killed. A failure names its seed and shows the members' logs.
 */
class FailoverTest {
    private static final String OPTIONS =
            "serverSelectionTimeoutMS=20000&connectTimeoutMS=2000&socketTimeoutMS=8000&heartbeatFrequencyMS=500";

    @TempDir
    Path folder;

    @Test
    void nothingAcknowledgedIsLostInAMinuteOfFaults() {
        directly(60);
    }

    @Test
    void norThroughARouter() throws IOException {
        throughARouter(45);
    }

    @Test
    @Tag("long")
    void norInTenMinutes() {
        directly(600);
    }

    @Test
    @Tag("long")
    void norInTenMinutesThroughARouter() throws IOException {
        throughARouter(600);
    }

    private void directly(int seconds) {
        try (MemberProcesses members = new MemberProcesses(folder, 3)) {
            members.initiate();
            run(members, members.connectionString("&" + OPTIONS), seconds);
        }
    }

    private void throughARouter(int seconds) throws IOException {
        Path data = Files.createDirectories(folder.resolve("config"));
        try (MemberProcesses members = new MemberProcesses(folder, 3, "--shardsvr");
                ChildProcess config =
                        start("mongod", "--configsvr", "--replSet", "c", "--dbpath", data.toString(), "--port", "0")) {
            members.initiate();
            String configServer = "127.0.0.1:" + MemberProcesses.port(config);
            try (MongoClient client = MongoClients.create("mongodb://" + configServer + "/?directConnection=true")) {
                command(client, new Document("replSetInitiate", new Document()));
            }
            try (ChildProcess router = start("mongos", "--configdb", "c/" + configServer, "--port", "0")) {
                String uri = "mongodb://127.0.0.1:" + MemberProcesses.port(router) + "/?" + OPTIONS;
                try (MongoClient client = MongoClients.create(uri)) {
                    command(client, new Document("addShard", MemberProcesses.SET + "/" + members.hosts()));
                }
                run(members, uri, seconds);
            }
        }
    }

    private static ChildProcess start(String... arguments) {
        return ChildProcess.start(line -> line.contains("Waiting for connections"), arguments);
    }

    private static void command(MongoClient client, Document command) {
        assertThat(client.getDatabase("admin").runCommand(command)).containsEntry("ok", 1.0);
    }

    private static void run(MemberProcesses members, String uri, int seconds) {
        long seed = System.nanoTime();
        Faults faults = new Faults(members, new Random(seed));
        String about = "seed " + seed;
        List<Workload> work = List.of(
                new Inserts(),
                new Increments(),
                new Registers(),
                new CausalSessions(),
                new Bank(seed),
                new ListAppend(seed));
        try {
            UnderFaults.run(() -> MongoClients.create(uri), work, () -> faults.run(seconds), about);
        } catch (AssertionError e) {
            throw new AssertionError(about + ", " + faults.done() + "\n" + members.logs(), e);
        }
        awaitEqual(members, uri);
    }

    private static void awaitEqual(MemberProcesses members, String uri) {
        List<Document> expected;
        try (MongoClient client = MongoClients.create(uri)) {
            expected = all(client, ReadPreference.primary());
        }
        for (int i = 0; i < members.count(); i++) {
            int number = i;
            Awaiting.await(() -> {
                try (MongoClient direct = MongoClients.create(members.direct(number))) {
                    return all(direct, ReadPreference.nearest()).equals(expected);
                }
            });
        }
    }

    private static List<Document> all(MongoClient client, ReadPreference preference) {
        return Inserts.collection(client)
                .withReadPreference(preference)
                .find()
                .sort(Sorts.ascending("_id"))
                .into(new ArrayList<>());
    }
}
