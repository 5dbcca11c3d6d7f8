package io.ostraka.acceptance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.bson.Document;

/** Every acknowledged increment counts once, though drivers send it again; one that failed counts once or not at all. */
public final class Increments implements Workload {
    private static final int WRITERS = 2;

    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("d").getCollection("counters");
    }

    @Override
    public void prepare(MongoClient client) {
        collection(client).insertOne(new Document("_id", 0).append("n", 0L));
    }

    @Override
    public List<Worker> workers() {
        return Collections.nCopies(WRITERS, this::count);
    }

    private void count(MongoClient client, BooleanSupplier goOn) {
        while (goOn.getAsBoolean()) {
            try {
                collection(client).updateOne(new Document("_id", 0), new Document("$inc", new Document("n", 1L)));
                acknowledged.incrementAndGet();
            } catch (MongoException failed) {
                unknown.incrementAndGet();
                UnderFaults.afterRefusal();
            }
        }
    }

    @Override
    public void check(MongoClient client, String about) {
        long counted = collection(client).find().first().getLong("n");
        assertThat(counted)
                .as("each once, %s", about)
                .isBetween(acknowledged.get(), acknowledged.get() + unknown.get());
    }

    @Override
    public String summary() {
        return acknowledged + " increments acknowledged, " + unknown + " unknown";
    }
}
