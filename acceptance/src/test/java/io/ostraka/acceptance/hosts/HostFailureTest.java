package io.ostraka.acceptance.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import io.ostraka.acceptance.histories.Bank;
import io.ostraka.acceptance.histories.Increments;
import io.ostraka.acceptance.histories.Inserts;
import io.ostraka.acceptance.histories.ListAppend;
import io.ostraka.acceptance.histories.UnderFaults;
import io.ostraka.acceptance.histories.WholeCollection;
import io.ostraka.acceptance.histories.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hosts fail one after the other while chunks are split, merged and moved without pause: writes are there once, counts are exact
 * at all times, and money in transactions of one shard stays the same. A failure names its seed.
 */
class HostFailureTest {
    private static final String OPTIONS = "serverSelectionTimeoutMS=20000&connectTimeoutMS=2000&socketTimeoutMS=20000";
    private static final List<String> SHARDED = List.of("d.all", "d.things");
    private static final int LEAST_MOVES = 5;

    @TempDir
    Path folder;

    @Test
    void everythingIsThereOnceWhileHostsFailAndChunksMove() {
        run(90);
    }

    @Test
    @Tag("long")
    void alsoForTenMinutes() {
        run(600);
    }

    private void run(int seconds) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Chunks chunks = new Chunks(SHARDED, seed);
        List<String> killed = new ArrayList<>();
        List<Workload> work =
                List.of(new Inserts(), new Increments(), new WholeCollection(), new Bank(seed), new ListAppend(seed));
        try (Hosts hosts = new Hosts(folder)) {
            String uri = hosts.uri(OPTIONS);
            // What an administrator asks for may take as long as writers make it wait.
            try (MongoClient client = MongoClients.create(hosts.uri("serverSelectionTimeoutMS=20000"))) {
                UnderFaults.run(
                        () -> MongoClients.create(uri),
                        work,
                        () -> {
                            SHARDED.forEach(each -> command(
                                    client,
                                    new Document("shardCollection", each).append("key", new Document("_id", 1))));
                            fail(hosts, chunks, random, seconds, killed);
                        },
                        "seed " + seed);
                System.out.println(chunks.summary() + ", killed " + killed);
                chunks.check(client);
                assertThat(chunks.moves()).as(chunks.summary()).isGreaterThan(LEAST_MOVES);
            } catch (AssertionError e) {
                throw new AssertionError(
                        "seed " + seed + ", killed " + killed + ", " + chunks.summary() + "\n" + hosts.logs(), e);
            }
        }
    }

    private static void command(MongoClient client, Document command) {
        assertThat(client.getDatabase("admin").runCommand(command)).containsEntry("ok", 1.0);
    }

    /** Kills a host after some seconds, and has it back after some more, until the time is over. */
    private static void fail(Hosts hosts, Chunks chunks, Random random, int seconds, List<String> killed) {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        CompletableFuture<Void> moving = start(() -> {
            try (MongoClient client = MongoClients.create(hosts.uri(OPTIONS))) {
                chunks.work(client, () -> System.nanoTime() - end < 0);
            }
        });
        CompletableFuture<Void> draining = start(() -> drain(hosts));
        while (System.nanoTime() - end < 0 || !draining.isDone()) {
            pass(4_000 + random.nextInt(4_000));
            int host = random.nextInt(hosts.count());
            killed.add("host" + host);
            hosts.kill(host);
            pass(random.nextInt(4_000));
            hosts.restart(host);
        }
        moving.join();
        draining.join();
    }

    private static CompletableFuture<Void> start(Runnable work) {
        return CompletableFuture.runAsync(work, task -> Thread.ofPlatform().start(task));
    }

    /** Everything leaves the shard that is not the home of what is not sharded, and may come back. */
    private static void drain(Hosts hosts) {
        try (MongoClient client = MongoClients.create(hosts.uri(OPTIONS))) {
            String home = client.getDatabase("config")
                    .getCollection("databases")
                    .find(Filters.eq("_id", "d"))
                    .first()
                    .getString("primary");
            hosts.drain(client, home.equals("shard0") ? "shard1" : "shard0");
        }
    }

    /** Failures keep their distance by the clock: it is what they are about. */
    private static void pass(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
