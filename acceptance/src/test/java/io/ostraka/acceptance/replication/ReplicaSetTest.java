package io.ostraka.acceptance.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.ostraka.acceptance.support.Awaiting;
import io.ostraka.node.set.SetChanges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaSetTest {
    @TempDir
    Path folder;

    private static MongoCollection<Document> things(MongoClient client) {
        return client.getDatabase("d").getCollection("things");
    }

    private static int code(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        Throwable thrown = org.assertj.core.api.Assertions.catchThrowable(call);
        assertThat(thrown).isInstanceOf(MongoCommandException.class);
        return ((MongoCommandException) thrown).getErrorCode();
    }

    private static Document status(MongoClient client) {
        return client.getDatabase("admin").runCommand(new Document("replSetGetStatus", 1));
    }

    private static List<String> states(Document status) {
        return status.getList("members", Document.class).stream()
                .map(member -> member.getString("stateStr"))
                .sorted()
                .toList();
    }

    @Test
    void anEmptyMemberWaitsUntilItIsInitiated() {
        try (Members members = new Members(folder, 1);
                MongoClient client = members.direct(0)) {
            assertThat(code(() -> status(client))).isEqualTo(94);
            assertThat(code(() -> client.getDatabase("admin").runCommand(new Document("replSetGetConfig", 1))))
                    .isEqualTo(94);
            Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
            assertThat(hello.getBoolean("isWritablePrimary")).isFalse();
            assertThat(hello.getBoolean("secondary")).isFalse();
            assertThat(hello.getBoolean("isreplicaset")).isTrue();
            client.getDatabase("admin").runCommand(new Document("replSetInitiate", new Document()));
            things(client).insertOne(new Document("_id", 1));
            assertThat(things(client).countDocuments()).isEqualTo(1);
            assertThat(states(status(client))).containsExactly("PRIMARY");
            assertThat(code(() ->
                            client.getDatabase("admin").runCommand(new Document("replSetInitiate", new Document()))))
                    .isEqualTo(23);
        }
    }

    @Test
    void threeMembersHoldTheSameAndSurviveTheirPrimary() {
        try (Members members = new Members(folder, 3)) {
            members.initiate(0, 1, 2);
            try (MongoClient client = members.client("")) {
                things(client)
                        .insertMany(IntStream.range(0, 500)
                                .mapToObj(i -> new Document("_id", i))
                                .toList());
                Awaiting.await(() -> states(status(client)).equals(List.of("PRIMARY", "SECONDARY", "SECONDARY")));
                int first = members.primary();
                members.stop(first);
                things(client).insertOne(new Document("_id", 500)); // the driver finds the next primary
                assertThat(things(client).countDocuments()).isEqualTo(501);
                Awaiting.await(() -> states(status(client)).contains("(not reachable/healthy)"));
                members.restart(first);
                Awaiting.await(() -> {
                    try (MongoClient back = members.direct(first)) {
                        return things(back)
                                        .withReadPreference(ReadPreference.secondary())
                                        .countDocuments()
                                == 501;
                    }
                });
                Awaiting.await(() -> states(status(client)).equals(List.of("PRIMARY", "SECONDARY", "SECONDARY")));
            }
        }
    }

    @Test
    void aSecondaryRefusesWritesAndUnmarkedReads() {
        try (Members members = new Members(folder, 3)) {
            members.initiate(0, 1, 2);
            try (MongoClient client = members.client("")) {
                things(client).insertOne(new Document("_id", 1));
            }
            int secondary = (members.primary() + 1) % 3;
            try (MongoClient client = members.direct(secondary)) {
                assertThat(code(() -> client.getDatabase("d")
                                .runCommand(new Document("insert", "things")
                                        .append("documents", List.of(new Document("_id", 2))))))
                        .isEqualTo(10107);
                Awaiting.await(() -> things(client)
                                .withReadPreference(ReadPreference.secondary())
                                .countDocuments()
                        == 1);
            }
        }
    }

    @Test
    void oneMemberGrowsToThreeAndShrinksAgainWhileItServes() {
        try (Members members = new Members(folder, 3)) {
            members.initiate(0);
            try (MongoClient client = members.client("")) {
                things(client).insertOne(new Document("_id", 0));
                for (int added = 1; added <= 2; added++) {
                    Document config = config(client);
                    config.getList("members", Document.class)
                            .add(new Document("_id", added).append("host", members.host(added)));
                    reconfig(client, config);
                    things(client).insertOne(new Document("_id", added));
                }
                Awaiting.await(() -> states(status(client)).equals(List.of("PRIMARY", "SECONDARY", "SECONDARY")));
                Awaiting.await(() -> {
                    try (MongoClient third = members.direct(2)) {
                        return things(third)
                                        .withReadPreference(ReadPreference.nearest())
                                        .countDocuments()
                                == 3;
                    }
                });
                for (int removed = 2; removed >= 1; removed--) {
                    int id = removed;
                    Document config = config(client);
                    config.getList("members", Document.class).removeIf(each -> each.getInteger("_id") == id);
                    reconfig(client, config);
                }
                things(client).insertOne(new Document("_id", 3));
                assertThat(states(status(client))).containsExactly("PRIMARY");
            }
        }
    }

    private static Document config(MongoClient client) {
        return client.getDatabase("admin")
                .runCommand(new Document("replSetGetConfig", 1))
                .get("config", Document.class);
    }

    private static void reconfig(MongoClient client, Document config) {
        config.put("version", config.getInteger("version") + 1);
        client.getDatabase("admin").runCommand(new Document("replSetReconfig", config));
    }

    @Test
    void localBelongsToOneMemberInAnyState() {
        try (Members members = new Members(folder, 2)) {
            try (MongoClient client = members.direct(0)) {
                client.getDatabase("local").getCollection("mine").insertOne(new Document("_id", 1));
                assertThat(code(() -> client.getDatabase("d")
                                .runCommand(new Document("insert", "things")
                                        .append("documents", List.of(new Document("_id", 1))))))
                        .isEqualTo(10107);
            }
            members.initiate(0, 1);
            try (MongoClient client = members.client("")) {
                things(client).insertOne(new Document("_id", 1));
            }
            int secondary = 1 - members.primary();
            for (int number = 0; number < 2; number++) {
                try (MongoClient client = members.direct(number)) {
                    MongoCollection<Document> mine = client.getDatabase("local").getCollection("mine");
                    assertThat(mine.countDocuments()).as("member %d", number).isEqualTo(number == 0 ? 1 : 0);
                    mine.insertOne(
                            new Document("_id", "also on " + (number == secondary ? "a secondary" : "the primary")));
                }
            }
            members.stop(0);
            members.restart(0);
            try (MongoClient client = members.direct(0)) {
                assertThat(client.getDatabase("local").getCollection("mine").countDocuments())
                        .isEqualTo(2);
                assertThat(client.listDatabaseNames().into(new java.util.ArrayList<>()))
                        .contains("local");
            }
        }
    }

    @Test
    void aWriteConcernOfAllWaitsForAll() {
        try (Members members = new Members(folder, 3)) {
            members.initiate(0, 1, 2);
            try (MongoClient client = members.client("")) {
                things(client).withWriteConcern(new WriteConcern(3)).insertOne(new Document("_id", 1));
                int away = (members.primary() + 1) % 3;
                members.stop(away);
                Throwable late = org.assertj.core.api.Assertions.catchThrowable(() -> things(client)
                        .withWriteConcern(new WriteConcern(3).withWTimeout(200, TimeUnit.MILLISECONDS))
                        .insertOne(new Document("_id", 2)));
                assertThat(late).isInstanceOf(MongoWriteConcernException.class);
                assertThat(((MongoWriteConcernException) late)
                                .getWriteConcernError()
                                .getCode())
                        .isEqualTo(64);
                assertThat(things(client).countDocuments())
                        .as("the write stands")
                        .isEqualTo(2);
                members.restart(away);
                things(client).withWriteConcern(new WriteConcern(3)).insertOne(new Document("_id", 3));
                assertThatThrownBy(() -> things(client)
                                .withWriteConcern(new WriteConcern(4))
                                .insertOne(new Document("_id", 4)))
                        .hasMessageContaining("Not enough data-bearing nodes");
            }
        }
    }

    /** The way out that the operations guide gives where a majority is lost for good. */
    @Test
    void oneSurvivingCopyBeginsAnew() throws IOException {
        try (Members members = new Members(folder, 4)) {
            members.initiate(0, 1, 2);
            try (MongoClient client = members.client("")) {
                things(client)
                        .withWriteConcern(new WriteConcern(3))
                        .insertMany(IntStream.range(0, 100)
                                .mapToObj(i -> new Document("_id", i))
                                .toList());
            }
            members.stop(1);
            members.stop(2);
            try (MongoClient client = members.direct(0)) {
                Awaiting.await(() -> !client.getDatabase("admin")
                        .runCommand(new Document("hello", 1))
                        .getBoolean("isWritablePrimary"));
                Document forced = config(members, 0);
                forced.getList("members", Document.class).removeIf(each -> each.getInteger("_id") != 0);
                assertThatThrownBy(() -> client.getDatabase("admin")
                                .runCommand(new Document(
                                                "replSetReconfig",
                                                forced.append("version", forced.getInteger("version") + 1))
                                        .append("force", true)))
                        .hasMessageContaining("docs/operations/README.md");
            }
            members.stop(0);
            members.forgetLog(0);
            members.restart(0);
            try (MongoClient client = members.direct(0)) {
                Awaiting.await(() -> states(status(client)).equals(List.of("PRIMARY")));
                assertThat(things(client).countDocuments()).isEqualTo(100);
                things(client).insertOne(new Document("_id", 100));
                Document config = config(client);
                config.getList("members", Document.class).add(new Document("_id", 3).append("host", members.host(3)));
                reconfig(client, config);
                Awaiting.await(() -> states(status(client)).equals(List.of("PRIMARY", "SECONDARY")));
            }
            try (MongoClient added = members.direct(3)) {
                Awaiting.await(() -> things(added)
                                .withReadPreference(ReadPreference.nearest())
                                .countDocuments()
                        == 101);
            }
        }
    }

    private static Document config(Members members, int number) {
        try (MongoClient client = members.direct(number)) {
            return config(client);
        }
    }

    @Test
    void aPlannedStepDownIsSeenByNobody() {
        try (Members members = new Members(folder, 3)) {
            members.initiate(0, 1, 2);
            try (MongoClient client = members.client("")) {
                for (int round = 0; round < 3; round++) {
                    int before = members.primary();
                    things(client).insertOne(new Document("_id", round));
                    try (MongoClient direct = members.direct(before)) {
                        direct.getDatabase("admin").runCommand(new Document("replSetStepDown", 5));
                    }
                    things(client).updateOne(new Document("_id", round), new Document("$set", new Document("x", 1)));
                    assertThat(members.primary()).isNotEqualTo(before);
                }
                assertThat(things(client).countDocuments(new Document("x", 1))).isEqualTo(3);
            }
        }
    }

    /** The primary goes while the only one with the newest log asks for no votes. */
    @Test
    void aFrozenMemberThatAloneCanLeadDoesSoAfterwards() {
        try (Members members = new Members(folder, 3)) {
            members.initiate(0, 1, 2);
            int primary = members.primary();
            int newest = (primary + 1) % 3;
            int behind = (primary + 2) % 3;
            members.stop(behind);
            try (MongoClient client = members.direct(primary);
                    MongoClient frozen = members.direct(newest)) {
                things(client).withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document("_id", 1));
                frozen.getDatabase("admin").runCommand(new Document("replSetFreeze", 3));
            }
            members.stop(primary);
            members.restart(behind);
            Awaiting.await(() -> members.process(newest).member().isLeader());
            try (MongoClient client = members.direct(newest)) {
                assertThat(things(client).countDocuments()).isEqualTo(1);
            }
        }
    }

    @Test
    void ofTwoWhoInitiateAtOnceOneSucceeds() throws Exception {
        try (Members members = new Members(folder, 3);
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            CyclicBarrier together = new CyclicBarrier(2);
            List<Future<Object>> tries = new ArrayList<>();
            for (int[] order : new int[][] {{0, 1, 2}, {1, 0, 2}}) {
                tries.add(threads.submit(() -> {
                    together.await();
                    return members.initiate(order);
                }));
            }
            int refused = 0;
            for (Future<Object> each : tries) {
                try {
                    Object unused = each.get();
                } catch (ExecutionException e) {
                    assertThat(((MongoCommandException) e.getCause()).getErrorCode())
                            .isIn(23, 110, 117);
                    refused++;
                }
            }
            assertThat(refused).isEqualTo(1);
            int primary = members.primary();
            try (MongoClient client = members.direct(primary)) {
                Awaiting.await(() -> states(status(client)).equals(List.of("PRIMARY", "SECONDARY", "SECONDARY")));
            }
        }
    }

    @Test
    void aChangeThatWasHinderedIsFinishedLater() {
        try (Members members = new Members(folder, 3)) {
            members.initiate(0, 1);
            try (MongoClient client = members.direct(members.primary())) {
                Awaiting.await(() -> states(status(client)).equals(List.of("PRIMARY", "SECONDARY")));
                SetChanges third = members.process(2).member().set().changes();
                UUID other = UUID.randomUUID();
                third.promise(other, true);
                Document config = config(client);
                config.getList("members", Document.class).add(new Document("_id", 2).append("host", members.host(2)));
                assertThat(code(() -> reconfig(client, config))).isEqualTo(117);
                third.promise(other, false);
                Awaiting.await(() -> states(status(client)).equals(List.of("PRIMARY", "SECONDARY", "SECONDARY")));
            }
        }
    }

    @Test
    void anEmptiedMemberIsNamedAndFilledWhenItIsAddedAgain() throws IOException {
        try (Members members = new Members(folder, 3)) {
            members.initiate(0, 1, 2);
            int primary = members.primary();
            int emptied = (primary + 1) % 3;
            members.stop(emptied);
            try (Stream<Path> files = Files.walk(folder.resolve("member" + emptied))) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
            members.restart(emptied);
            try (MongoClient client = members.direct(primary)) {
                things(client).insertOne(new Document("_id", 1));
                Document row = status(client).getList("members", Document.class).get(emptied);
                assertThat(row.getString("stateStr")).isEqualTo("STARTUP");
                assertThat(row.getString("lastHeartbeatMessage")).contains("add it again");
                // A set made here would be another one under the same name and address.
                assertThat(initiatedAlone(members, emptied)).isEqualTo(23);
                Document config = config(client);
                config.getList("members", Document.class).removeIf(each -> each.getInteger("_id") == emptied);
                reconfig(client, config);
                config.getList("members", Document.class)
                        .add(new Document("_id", emptied).append("host", members.host(emptied)));
                reconfig(client, config);
                Awaiting.await(() -> states(status(client)).equals(List.of("PRIMARY", "SECONDARY", "SECONDARY")));
                assertThat(status(client).getList("members", Document.class))
                        .allMatch(each -> each.getString("lastHeartbeatMessage").isEmpty());
            }
        }
    }

    @Test
    void badConfigurationsChangeNothing() {
        try (Members members = new Members(folder, 2);
                MongoClient client = members.direct(0)) {
            assertThatThrownBy(() ->
                            initiate(client, new Document("_id", "other").append("members", members(members.host(0)))))
                    .hasMessageContaining("command line reports rs0");
            assertThat(code(() -> initiate(
                            client,
                            new Document("_id", "rs0").append("members", members(members.host(0), "127.0.0.1:1")))))
                    .isEqualTo(74);
            assertThat(code(() ->
                            initiate(client, new Document("_id", "rs0").append("members", members(members.host(1))))))
                    .isEqualTo(93);
            assertThat(code(() -> status(client))).isEqualTo(94);
            initiate(client, new Document("_id", "rs0").append("members", members(members.host(0))));
            Document arbiter = config(client);
            arbiter.put("version", 2);
            arbiter.getList("members", Document.class)
                    .add(new Document("_id", 1).append("host", members.host(1)).append("arbiterOnly", true));
            assertThatThrownBy(() -> client.getDatabase("admin").runCommand(new Document("replSetReconfig", arbiter)))
                    .hasMessageContaining("arbiters are not supported");
            assertThat(config(client).getInteger("version")).isEqualTo(1);
        }
    }

    private static List<Document> members(String... hosts) {
        return IntStream.range(0, hosts.length)
                .mapToObj(i -> new Document("_id", i).append("host", hosts[i]))
                .toList();
    }

    /** The code it is refused with; fails if it is done. */
    private static int initiatedAlone(Members members, int number) {
        MongoCommandException[] refused = new MongoCommandException[1];
        try (MongoClient client = members.direct(number)) {
            assertThatThrownBy(() ->
                            client.getDatabase("admin").runCommand(new Document("replSetInitiate", new Document())))
                    .isInstanceOfSatisfying(MongoCommandException.class, e -> refused[0] = e);
        }
        return refused[0].getCode();
    }

    private static void initiate(MongoClient client, Document config) {
        client.getDatabase("admin").runCommand(new Document("replSetInitiate", config));
    }
}
