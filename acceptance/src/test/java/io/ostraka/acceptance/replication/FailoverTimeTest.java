package io.ostraka.acceptance.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.ostraka.acceptance.support.Awaiting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long writes stand still when the primary is killed, and when it is told to step down; prints the medians. */
@Tag("long")
class FailoverTimeTest {
    private static final int TIMES = 20;
    private static final String OPTIONS = "&connectTimeoutMS=500&socketTimeoutMS=5000&heartbeatFrequencyMS=500";

    @TempDir
    Path folder;

    @Test
    void writesStandStillForLessThanTwoSeconds() {
        try (MemberProcesses members = new MemberProcesses(folder, 3)) {
            members.initiate();
            try (MongoClient client = MongoClients.create(members.connectionString(OPTIONS))) {
                List<Long> killed = new ArrayList<>();
                List<Long> steppedDown = new ArrayList<>();
                for (int i = 0; i < TIMES; i++) {
                    int primary = primary(members);
                    write(client);
                    long start = System.nanoTime();
                    members.kill(primary);
                    killed.add(untilWritten(client, start));
                    members.restart(primary);
                    Awaiting.await(() -> writesToAll(client));
                    start = System.nanoTime();
                    stepDown(members, primary(members));
                    steppedDown.add(untilWritten(client, start));
                }
                System.out.printf(
                        "killed: median %d ms, most %d ms; stepped down: median %d ms, most %d ms%n",
                        median(killed), Collections.max(killed), median(steppedDown), Collections.max(steppedDown));
                assertThat(killed).hasSize(TIMES);
                assertThat(steppedDown).hasSize(TIMES);
            }
        }
    }

    private static void write(MongoClient client) {
        client.getDatabase("d").getCollection("things").insertOne(new Document());
    }

    private static boolean writesToAll(MongoClient client) {
        try {
            Document reply = client.getDatabase("d")
                    .runCommand(new Document("insert", "things")
                            .append("documents", List.of(new Document()))
                            .append("writeConcern", new Document("w", 3).append("wtimeout", 1000)));
            return !reply.containsKey("writeConcernError");
        } catch (MongoException notYet) {
            return false;
        }
    }

    private static long untilWritten(MongoClient client, long start) {
        while (true) {
            try {
                write(client);
                return (System.nanoTime() - start) / 1_000_000;
            } catch (MongoException notYet) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private static int primary(MemberProcesses members) {
        int[] found = {-1};
        Awaiting.await(() -> {
            for (int i = 0; i < members.count(); i++) {
                if (leads(members, i)) {
                    found[0] = i;
                    return true;
                }
            }
            return false;
        });
        return found[0];
    }

    private static boolean leads(MemberProcesses members, int number) {
        try (MongoClient client = MongoClients.create(members.direct(number) + "&serverSelectionTimeoutMS=1000")) {
            return client.getDatabase("admin")
                    .runCommand(new Document("hello", 1))
                    .getBoolean("isWritablePrimary");
        } catch (MongoException notNow) {
            return false;
        }
    }

    private static void stepDown(MemberProcesses members, int number) {
        try (MongoClient client = MongoClients.create(members.direct(number))) {
            client.getDatabase("admin")
                    .runCommand(new Document("replSetStepDown", 1).append("secondaryCatchUpPeriodSecs", 1));
        }
    }

    private static long median(List<Long> values) {
        List<Long> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
