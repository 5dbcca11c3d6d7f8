package io.ostraka.bench.load;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.RawBsonDocument;

/** {@code $inc} by {@code _id}, over all documents or one. */
final class CountWork implements Work {
    private final MongoCollection<RawBsonDocument> collection;
    private final int spread;
    private final AtomicLong acknowledged = new AtomicLong();

    CountWork(Works.Site site, int spread) {
        this.spread = spread;
        collection = Store.full(site, "count" + spread);
    }

    @Override
    public Worker worker() {
        return random -> {
            long id = random.nextInt(spread);
            long changed = collection
                    .updateOne(Filters.eq("_id", id), Updates.inc("n", 1))
                    .getModifiedCount();
            Work.check(changed == 1, "one document changed");
            acknowledged.incrementAndGet();
        };
    }

    @Override
    public void verify() {
        long sum = 0;
        for (RawBsonDocument document : collection.find()) {
            sum += document.getInt32("n").getValue();
        }
        Work.check(sum == acknowledged.get(), "the counters add up to " + acknowledged.get() + ", not " + sum);
    }
}
