package io.ostraka.acceptance.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Sorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes, clients that never stop, and faults at random moments: the primary is killed, a member is stopped and goes
 * on, one is cut off from the others and from clients, all are killed. A failure names its seed.
 */
class FailoverTest {
    private static final int REGISTERS = 3;
    private static final String OPTIONS =
            "&serverSelectionTimeoutMS=20000&connectTimeoutMS=2000&socketTimeoutMS=8000&heartbeatFrequencyMS=500";

    @TempDir
    Path folder;

    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final AtomicLong countedFor = new AtomicLong();
    private final AtomicLong countedPerhaps = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();
    private final Map<Integer, AtomicLong> wrote = new ConcurrentHashMap<>();
    private final Map<Integer, AtomicLong> tried = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private volatile boolean stopping;

    private static MongoCollection<Document> collection(MongoClient client, String name) {
        return client.getDatabase("d").getCollection(name);
    }

    @Test
    void nothingAcknowledgedIsLostInAMinuteOfFaults() throws InterruptedException {
        run(60);
    }

    @Test
    @Tag("long")
    void norInTen() throws InterruptedException {
        run(600);
    }

    private void run(int seconds) throws InterruptedException {
        long seed = System.nanoTime();
        try (MemberProcesses members = new MemberProcesses(folder, 3)) {
            initiate(members);
            List<Thread> clients = new ArrayList<>();
            try (MongoClient client = MongoClients.create(members.connectionString(OPTIONS))) {
                for (int i = 0; i < REGISTERS; i++) {
                    wrote.put(i, new AtomicLong());
                    tried.put(i, new AtomicLong());
                    collection(client, "registers").insertOne(new Document("_id", i).append("v", 0L));
                }
                collection(client, "counters").insertOne(new Document("_id", 0).append("n", 0L));
                for (int i = 0; i < 2; i++) {
                    int number = i;
                    clients.add(Thread.ofPlatform().start(() -> insert(members, number)));
                    clients.add(Thread.ofPlatform().start(() -> count(members)));
                }
                for (int i = 0; i < REGISTERS; i++) {
                    int number = i;
                    clients.add(Thread.ofPlatform().start(() -> write(members, number)));
                    clients.add(Thread.ofPlatform().start(() -> read(members, number)));
                }
                new Faults(members, new Random(seed)).run(seconds);
                stopping = true;
                for (Thread each : clients) {
                    each.join();
                }
                check(client, members, "seed " + seed);
            } finally {
                stopping = true;
            }
        }
    }

    private static void initiate(MemberProcesses members) {
        List<Document> all = IntStream.range(0, members.count())
                .mapToObj(i -> new Document("_id", i).append("host", members.host(i)))
                .toList();
        try (MongoClient client = MongoClients.create(members.direct(0))) {
            client.getDatabase("admin")
                    .runCommand(new Document(
                            "replSetInitiate", new Document("_id", MemberProcesses.SET).append("members", all)));
        }
    }

    private void insert(MemberProcesses members, int number) {
        try (MongoClient client = MongoClients.create(members.connectionString(OPTIONS))) {
            for (int i = 0; !stopping; i++) {
                String id = number + "-" + i;
                try {
                    collection(client, "things").insertOne(new Document("_id", id));
                    acknowledged.add(id);
                } catch (MongoException unknown) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
        }
    }

    private void count(MemberProcesses members) {
        try (MongoClient client = MongoClients.create(members.connectionString(OPTIONS))) {
            while (!stopping) {
                try {
                    collection(client, "counters")
                            .updateOne(new Document("_id", 0), new Document("$inc", new Document("n", 1L)));
                    countedFor.incrementAndGet();
                } catch (MongoException unknown) {
                    countedPerhaps.incrementAndGet();
                }
            }
        }
    }

    /** One writer for each register: then a read is right if it is at least what was acknowledged before it began. */
    private void write(MemberProcesses members, int number) {
        try (MongoClient client = MongoClients.create(members.connectionString(OPTIONS))) {
            for (long v = 1; !stopping; v++) {
                tried.get(number).set(v);
                try {
                    collection(client, "registers")
                            .updateOne(new Document("_id", number), new Document("$set", new Document("v", v)));
                    wrote.get(number).set(v);
                } catch (MongoException unknown) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
        }
    }

    private void read(MemberProcesses members, int number) {
        try (MongoClient client = MongoClients.create(members.connectionString(OPTIONS))) {
            long seen = 0;
            while (!stopping) {
                long least = Math.max(seen, wrote.get(number).get());
                try {
                    Document found = collection(client, "registers")
                            .withReadConcern(ReadConcern.LINEARIZABLE)
                            .find(new Document("_id", number))
                            .first();
                    long most = tried.get(number).get();
                    seen = found.getLong("v");
                    reads.incrementAndGet();
                    if (seen < least || seen > most) {
                        wrong.add("register " + number + " read as " + seen + ", not " + least + " to " + most);
                    }
                } catch (MongoException notNow) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
        }
    }

    private void check(MongoClient client, MemberProcesses members, String about) {
        assertThat(wrong).as(about).isEmpty();
        Set<String> there =
                collection(client, "things").find().map(each -> each.getString("_id")).into(new ArrayList<>()).stream()
                        .collect(Collectors.toSet());
        assertThat(there).as(about + members.logs()).containsAll(acknowledged);
        long counted = collection(client, "counters").find().first().getLong("n");
        assertThat(counted)
                .as("each increment once, %s", about)
                .isBetween(countedFor.get(), countedFor.get() + countedPerhaps.get());
        assertThat(acknowledged.size()).as(about).isGreaterThan(100);
        assertThat(reads.get()).as(about).isGreaterThan(100);
        List<Document> expected = all(client, ReadPreference.primary());
        for (int i = 0; i < members.count(); i++) {
            int number = i;
            Members.await(() -> {
                try (MongoClient direct = MongoClients.create(members.direct(number))) {
                    return all(direct, ReadPreference.nearest()).equals(expected);
                }
            });
        }
        System.out.printf(
                "%d inserts, %d increments (%d unknown), %d linearizable reads acknowledged; %s%n",
                acknowledged.size(), countedFor.get(), countedPerhaps.get(), reads.get(), about);
    }

    private static List<Document> all(MongoClient client, ReadPreference preference) {
        return collection(client, "things")
                .withReadPreference(preference)
                .find()
                .sort(Sorts.ascending("_id"))
                .into(new ArrayList<>());
    }
}
