package io.ostraka.acceptance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.bson.Document;

/** A session that writes and reads from secondaries reads its own writes, and never an older value than before. */
public final class CausalSessions implements Workload {
    private static final int COUNT = 2;
    private static final int LEAST = 20;

    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong reads = new AtomicLong();

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("d")
                .getCollection("causal")
                .withWriteConcern(WriteConcern.MAJORITY)
                .withReadConcern(ReadConcern.MAJORITY)
                .withReadPreference(ReadPreference.secondaryPreferred());
    }

    @Override
    public void prepare(MongoClient client) {
        for (int i = 0; i < COUNT; i++) {
            collection(client).insertOne(new Document("_id", i).append("v", 0L));
        }
    }

    @Override
    public List<Worker> workers() {
        return IntStream.range(0, COUNT)
                .mapToObj(number -> (Worker) (client, goOn) -> work(client, goOn, number))
                .toList();
    }

    private void work(MongoClient client, BooleanSupplier goOn, int number) {
        long next = 1;
        while (goOn.getAsBoolean()) {
            try (ClientSession session = client.startSession()) {
                next = session(client, session, goOn, number, next);
            }
        }
    }

    /** Goes on until the session met an error: what an operation without an answer did is not in the session's past. */
    private long session(MongoClient client, ClientSession session, BooleanSupplier goOn, int number, long first) {
        long least = 0;
        for (long v = first; goOn.getAsBoolean(); v++) {
            try {
                Document id = new Document("_id", number);
                // Only upwards: a request that a client gave up must not undo a later one when it arrives at last.
                Document older = new Document(id).append("v", new Document("$lt", v));
                collection(client).updateOne(session, older, new Document("$set", new Document("v", v)));
                least = v;
                long found = collection(client).find(session, id).first().getLong("v");
                reads.incrementAndGet();
                if (found < least) {
                    wrong.add("session of " + number + " read " + found + " after " + least);
                }
                least = found;
            } catch (MongoException notNow) {
                UnderFaults.afterRefusal();
                return v + 1;
            }
        }
        return first;
    }

    @Override
    public void check(MongoClient client, String about) {
        assertThat(wrong).as(about).isEmpty();
        assertThat(reads.get()).as(about).isGreaterThan(LEAST);
    }

    @Override
    public String summary() {
        return reads + " reads of causal sessions from secondaries";
    }
}
