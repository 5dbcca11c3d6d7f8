package io.ostraka.acceptance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Projections;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.bson.Document;

/**
 * What touches every document of a collection that stays the same in number: updates of all, each of which counts once in each
 * document; counts; and scans that see each document once.
 */
public final class WholeCollection implements Workload {
    private static final int DOCUMENTS = 10_000;
    private static final int LEAST_UPDATES = 20;
    private static final int LEAST = 3;

    private final AtomicLong updates = new AtomicLong();
    private final ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
    private final AtomicLong counts = new AtomicLong();
    private final AtomicLong scans = new AtomicLong();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("d").getCollection("all");
    }

    @Override
    public void prepare(MongoClient client) {
        List<Document> all = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            all.add(new Document("_id", i).append("n", 0).append("filler", "x".repeat(100)));
        }
        collection(client).insertMany(all);
    }

    @Override
    public List<Worker> workers() {
        return List.of(this::update, this::count, this::scan);
    }

    private void update(MongoClient client, BooleanSupplier goOn) {
        while (goOn.getAsBoolean()) {
            try {
                long matched = collection(client)
                        .updateMany(new Document(), new Document("$inc", new Document("n", 1)))
                        .getMatchedCount();
                updates.incrementAndGet();
                if (matched != DOCUMENTS) {
                    wrong.add("an update of all met " + matched);
                }
            } catch (MongoException unknown) {
                refused.add(unknown.getMessage());
                UnderFaults.afterRefusal();
            }
        }
    }

    private void count(MongoClient client, BooleanSupplier goOn) {
        for (int i = 0; goOn.getAsBoolean(); i++) {
            try {
                long count = i % 2 == 0
                        ? collection(client).countDocuments()
                        : collection(client).estimatedDocumentCount();
                counts.incrementAndGet();
                if (count != DOCUMENTS) {
                    wrong.add("a count of " + count + (i % 2 == 0 ? " by a query" : " by the counter"));
                }
            } catch (MongoException notNow) {
                UnderFaults.afterRefusal();
            }
        }
    }

    private void scan(MongoClient client, BooleanSupplier goOn) {
        while (goOn.getAsBoolean()) {
            BitSet seen = new BitSet();
            try {
                collection(client).find().projection(Projections.include("_id")).forEach(each -> {
                    int id = each.getInteger("_id");
                    if (seen.get(id)) {
                        wrong.add(id + " was seen twice by a scan");
                    }
                    seen.set(id);
                });
                scans.incrementAndGet();
                if (seen.cardinality() != DOCUMENTS) {
                    wrong.add("a scan saw " + seen.cardinality());
                }
            } catch (MongoException notNow) {
                // A cursor ends with the member that holds it.
                UnderFaults.afterRefusal();
            }
        }
    }

    @Override
    public void check(MongoClient client, String about) {
        assertThat(wrong).as(about).isEmpty();
        long least = updates.get();
        long most = least + refused.size();
        for (Document each : collection(client).find()) {
            assertThat(each.getInteger("n"))
                    .as("updates of %s, refused %s, %s", each.get("_id"), refused, about)
                    .isBetween((int) least, (int) most);
        }
        assertThat(collection(client).countDocuments()).as(about).isEqualTo(DOCUMENTS);
        assertThat(updates.get()).as(about).isGreaterThanOrEqualTo(LEAST_UPDATES);
        assertThat(counts.get()).as(about).isGreaterThan(LEAST);
        assertThat(scans.get()).as(about).isGreaterThan(LEAST);
    }

    @Override
    public String summary() {
        return updates + " updates of all, " + refused.size() + " refused " + refused + ", " + counts + " counts, "
                + scans + " scans";
    }
}
