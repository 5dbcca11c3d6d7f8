package io.ostraka.acceptance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import io.ostraka.acceptance.histories.Attempt.Outcome;
import io.ostraka.acceptance.histories.ListHistory.Op;
import io.ostraka.acceptance.histories.ListHistory.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.bson.Document;

/**
 * Transactions that read lists and append to them. As a list tells who wrote it and in which order, the whole history can be
 * judged afterwards: {@link ListHistory}.
 */
public final class ListAppend implements Workload {
    private static final int CLIENTS = 3;

    /** Keys in use at a time: so few that transactions meet. */
    private static final int KEYS = 4;

    /** A key is left alone after about so many appends, so that lists stay short. */
    private static final int APPENDS_A_KEY = 30;

    private static final int MOST_OPS = 4;
    private static final int LEAST = 50;

    private final long seed;
    private final AtomicInteger values = new AtomicInteger();
    private final Queue<Txn> history = new ConcurrentLinkedQueue<>();

    public ListAppend(long seed) {
        this.seed = seed;
    }

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("d").getCollection("lists");
    }

    @Override
    public void prepare(MongoClient client) {
        client.getDatabase("d").createCollection("lists");
    }

    @Override
    public List<Worker> workers() {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            Random random = new Random(seed + i);
            workers.add((client, goOn) -> work(client, goOn, number, random));
        }
        return workers;
    }

    private void work(MongoClient client, BooleanSupplier goOn, int number, Random random) {
        try (ClientSession session = Attempt.session(client)) {
            while (goOn.getAsBoolean()) {
                int count = 1 + random.nextInt(MOST_OPS);
                List<Op> done = new ArrayList<>();
                Outcome outcome = Attempt.run(session, in -> {
                    for (int i = 0; i < count; i++) {
                        one(client, in, random, done);
                    }
                });
                history.add(new Txn(number, List.copyOf(done), outcome));
                if (outcome != Outcome.COMMITTED) {
                    UnderFaults.afterRefusal();
                }
            }
        }
    }

    private void one(MongoClient client, ClientSession session, Random random, List<Op> done) {
        int key = values.get() / (KEYS * APPENDS_A_KEY) * KEYS + random.nextInt(KEYS);
        if (random.nextBoolean()) {
            int value = values.incrementAndGet();
            // Told before it is asked: an append that failed on the way may have been done.
            done.add(new Op.Append(key, value));
            collection(client)
                    .updateOne(
                            session,
                            new Document("_id", key),
                            new Document("$push", new Document("v", value)),
                            new UpdateOptions().upsert(true));
        } else {
            done.add(new Op.Read(
                    key,
                    list(collection(client)
                            .find(session, new Document("_id", key))
                            .first())));
        }
    }

    private static List<Integer> list(Document found) {
        return found == null ? List.of() : found.getList("v", Integer.class);
    }

    @Override
    public void check(MongoClient client, String about) {
        List<Op> all = new ArrayList<>();
        for (Document each : collection(client).find()) {
            all.add(new Op.Read(each.getInteger("_id"), list(each)));
        }
        assertThat(new ListHistory(List.copyOf(history), all).anomalies())
                .as(about)
                .isEmpty();
        assertThat(committed()).as(about).isGreaterThan(LEAST);
    }

    private long committed() {
        return history.stream()
                .filter(each -> each.outcome() == Outcome.COMMITTED)
                .count();
    }

    @Override
    public String summary() {
        return committed() + " list transactions of " + history.size() + " committed";
    }
}
