package io.ostraka.bench.load;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.bson.RawBsonDocument;

/** A mix like YCSB's: so many in a hundred read, update, or scan; the rest insert. Documents by Zipf. */
final class MixWork implements Work {
    private static final int LONGEST_SCAN = 100;

    private final MongoCollection<RawBsonDocument> collection;
    private final Documents documents;
    private final Zipf zipf;
    private final int reads;
    private final int updates;
    private final int scans;
    private final AtomicLong next;

    MixWork(Works.Site site, int reads, int updates, int scans) {
        this.documents = site.documents();
        this.reads = reads;
        this.updates = updates;
        this.scans = scans;
        zipf = new Zipf(documents.count());
        next = new AtomicLong(documents.count());
        collection = Store.full(site, "mix" + reads);
    }

    @Override
    public Worker worker() {
        return random -> {
            int dice = random.nextInt(100);
            if (dice < reads) {
                long id = zipf.next(random);
                RawBsonDocument found = collection.find(Filters.eq("_id", id)).first();
                Work.check(found != null && found.getNumber("_id").longValue() == id, "the document asked for");
            } else if (dice < reads + updates) {
                long changed = collection
                        .updateOne(Filters.eq("_id", (long) zipf.next(random)), Updates.inc("n", 1))
                        .getModifiedCount();
                Work.check(changed == 1, "one document changed");
            } else if (dice < reads + updates + scans) {
                scan(random);
            } else {
                collection.insertOne(Documents.raw(documents.make(next.getAndIncrement())));
            }
        };
    }

    private void scan(RandomGenerator random) {
        long from = zipf.next(random);
        int length = 1 + random.nextInt(LONGEST_SCAN);
        List<RawBsonDocument> found = collection
                .find(Filters.gte("_id", from))
                .sort(Sorts.ascending("_id"))
                .limit(length)
                .into(new ArrayList<>());
        Work.check(!found.isEmpty() && found.size() <= length, "some documents of the range");
        Work.check(found.getFirst().getNumber("_id").longValue() == from, "the first of the range");
    }
}
