package io.ostraka.acceptance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.ostraka.acceptance.histories.Attempt.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.bson.Document;

/** Money moves between accounts in transactions: the sum stays, and no account is overdrawn, whoever looks when. */
public final class Bank implements Workload {
    private static final int ACCOUNTS = 12;
    private static final long EACH = 100;
    private static final int CLERKS = 2;
    private static final int LEAST = 20;

    private final long seed;
    private final AtomicLong transfers = new AtomicLong();
    private final AtomicLong aborted = new AtomicLong();
    private final AtomicLong audits = new AtomicLong();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

    public Bank(long seed) {
        this.seed = seed;
    }

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("d").getCollection("accounts");
    }

    @Override
    public void prepare(MongoClient client) {
        for (int i = 0; i < ACCOUNTS; i++) {
            collection(client).insertOne(new Document("_id", i).append("has", EACH));
        }
    }

    @Override
    public List<Worker> workers() {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < CLERKS; i++) {
            Random random = new Random(seed + i);
            workers.add((client, goOn) -> transfer(client, goOn, random));
        }
        workers.add(this::audit);
        return workers;
    }

    private void transfer(MongoClient client, BooleanSupplier goOn, Random random) {
        try (ClientSession session = Attempt.session(client)) {
            while (goOn.getAsBoolean()) {
                int from = random.nextInt(ACCOUNTS);
                int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                long amount = 1 + random.nextLong(EACH);
                Outcome outcome = Attempt.run(session, in -> {
                    long has = has(client, in, from);
                    if (has >= amount) {
                        set(client, in, from, has - amount);
                        set(client, in, to, has(client, in, to) + amount);
                    }
                });
                if (outcome == Outcome.COMMITTED) {
                    transfers.incrementAndGet();
                } else {
                    aborted.incrementAndGet();
                    UnderFaults.afterRefusal();
                }
            }
        }
    }

    private static long has(MongoClient client, ClientSession session, int account) {
        return collection(client)
                .find(session, new Document("_id", account))
                .first()
                .getLong("has");
    }

    /** Writes what was computed here, not a difference: only isolation keeps two clerks apart. */
    private static void set(MongoClient client, ClientSession session, int account, long has) {
        collection(client)
                .updateOne(session, new Document("_id", account), new Document("$set", new Document("has", has)));
    }

    private void audit(MongoClient client, BooleanSupplier goOn) {
        try (ClientSession session = Attempt.session(client)) {
            while (goOn.getAsBoolean()) {
                List<Document> all = new ArrayList<>();
                if (Attempt.run(session, in -> collection(client).find(in).into(all)) == Outcome.COMMITTED) {
                    audits.incrementAndGet();
                    look(all);
                } else {
                    UnderFaults.afterRefusal();
                }
            }
        }
    }

    private void look(List<Document> all) {
        long sum = all.stream().mapToLong(each -> each.getLong("has")).sum();
        if (sum != ACCOUNTS * EACH || all.stream().anyMatch(each -> each.getLong("has") < 0)) {
            wrong.add(all.toString());
        }
    }

    @Override
    public void check(MongoClient client, String about) {
        look(collection(client).find().into(new ArrayList<>()));
        assertThat(wrong).as(about).isEmpty();
        assertThat(transfers.get()).as(about).isGreaterThan(LEAST);
        assertThat(audits.get()).as(about).isGreaterThan(LEAST);
    }

    @Override
    public String summary() {
        return transfers + " transfers, " + aborted + " that failed, " + audits + " audits";
    }
}
