package io.ostraka.bench;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.ostraka.core.Allowed;
import io.ostraka.core.time.Clock;
import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import java.io.PrintStream;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;

/** Inserts and finds by {@code _id}, through the router and on the shard directly. Arguments: seconds a row. */
public final class Load {
    private static final String PADDING = "x".repeat(1000);

    private Load() {}

    @Allowed("a program that prints its table")
    public static void main(String[] arguments) throws InterruptedException {
        int seconds = arguments.length == 0 ? 5 : Integer.parseInt(arguments[0]);
        PrintStream out = System.out;
        long started = Clock.SYSTEM.nanos();
        try (EmbeddedCluster cluster = EmbeddedCluster.start(ClusterSettings.DEFAULT.withShards(1));
                MongoClient routed = MongoClients.create(cluster.connectionString());
                MongoClient direct = MongoClients.create(cluster.shardConnectionString(0))) {
            out.printf("first cluster of this JVM started in %d ms%n", (Clock.SYSTEM.nanos() - started) / 1_000_000);
            out.println("| what | callers | a second | median ms | 99 % ms |\n|---|---|---|---|---|");
            rows(out, "direct", direct.getDatabase("bench_direct").getCollection("c"), seconds);
            rows(out, "routed", routed.getDatabase("bench_routed").getCollection("c"), seconds);
        }
    }

    private static void rows(PrintStream out, String how, MongoCollection<Document> collection, int seconds)
            throws InterruptedException {
        AtomicLong ids = new AtomicLong();
        Rate.Work insert =
                _ -> collection.insertOne(new Document("_id", ids.incrementAndGet()).append("text", PADDING));
        String unused = Rate.of("warm-up, not counted", 16, seconds, insert);
        for (int callers : new int[] {1, 16, 64}) {
            out.println(Rate.of(how + " insert of 1 KB", callers, seconds, insert));
        }
        long highest = ids.get();
        SplittableRandom[] random = new SplittableRandom[64];
        for (int i = 0; i < random.length; i++) {
            random[i] = new SplittableRandom(i);
        }
        Rate.Work find = thread -> {
            Document found = collection
                    .find(new Document("_id", 1 + random[thread].nextLong(highest)))
                    .first();
            if (found == null) {
                throw new IllegalStateException("a document that was inserted is not found");
            }
        };
        for (int callers : new int[] {1, 16, 64}) {
            out.println(Rate.of(how + " find by _id", callers, seconds, find));
        }
    }
}
