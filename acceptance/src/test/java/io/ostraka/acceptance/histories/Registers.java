package io.ostraka.acceptance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.bson.Document;

/**
 * Single documents, each with one writer of rising values and one reader: with one writer, reads are linearizable just if each
 * is at least what was acknowledged, and what was read, before it began, and at most what was tried before it ended.
 */
public final class Registers implements Workload {
    private static final int COUNT = 3;
    private static final int LEAST = 100;

    private final List<Register> registers = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong reads = new AtomicLong();

    private record Register(int id, AtomicLong wrote, AtomicLong tried) {}

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("d").getCollection("registers");
    }

    @Override
    public void prepare(MongoClient client) {
        for (int i = 0; i < COUNT; i++) {
            registers.add(new Register(i, new AtomicLong(), new AtomicLong()));
            collection(client).insertOne(new Document("_id", i).append("v", 0L));
        }
    }

    @Override
    public List<Worker> workers() {
        List<Worker> workers = new ArrayList<>();
        for (Register register : registers) {
            workers.add((client, goOn) -> write(client, goOn, register));
            workers.add((client, goOn) -> read(client, goOn, register));
        }
        return workers;
    }

    private static void write(MongoClient client, BooleanSupplier goOn, Register register) {
        for (long v = 1; goOn.getAsBoolean(); v++) {
            register.tried().set(v);
            try {
                // Only upwards: a request that a client gave up must not undo a later one when it arrives at last.
                collection(client)
                        .updateOne(
                                new Document("_id", register.id()).append("v", new Document("$lt", v)),
                                new Document("$set", new Document("v", v)));
                register.wrote().set(v);
            } catch (MongoException unknown) {
                UnderFaults.afterRefusal();
            }
        }
    }

    private void read(MongoClient client, BooleanSupplier goOn, Register register) {
        long seen = 0;
        while (goOn.getAsBoolean()) {
            long least = Math.max(seen, register.wrote().get());
            try {
                Document found = collection(client)
                        .withReadConcern(ReadConcern.LINEARIZABLE)
                        .find(new Document("_id", register.id()))
                        .first();
                long most = register.tried().get();
                seen = found.getLong("v");
                reads.incrementAndGet();
                if (seen < least || seen > most) {
                    wrong.add("register " + register.id() + " read as " + seen + ", not " + least + " to " + most);
                }
            } catch (MongoException notNow) {
                UnderFaults.afterRefusal();
            }
        }
    }

    @Override
    public void check(MongoClient client, String about) {
        assertThat(wrong).as(about).isEmpty();
        assertThat(reads.get()).as(about).isGreaterThan(LEAST);
    }

    @Override
    public String summary() {
        return reads + " linearizable reads";
    }
}
