package io.ostraka.bench.load;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.RawBsonDocument;

/** Inserts of one or many. */
final class InsertWork implements Work {
    private final MongoCollection<RawBsonDocument> collection;
    private final Documents documents;
    private final int batch;
    private final boolean ordered;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();

    InsertWork(Works.Site site, int batch, boolean ordered) {
        this.documents = site.documents();
        this.batch = batch;
        this.ordered = ordered;
        collection = Store.empty(site, "insert" + batch + ordered);
    }

    @Override
    public Worker worker() {
        InsertManyOptions options = new InsertManyOptions().ordered(ordered);
        return _ -> {
            long from = next.getAndAdd(batch);
            List<RawBsonDocument> all = new ArrayList<>(batch);
            for (int i = 0; i < batch; i++) {
                all.add(Documents.raw(documents.make(from + i)));
            }
            if (batch == 1) {
                Work.check(collection.insertOne(all.getFirst()).wasAcknowledged(), "acknowledged");
            } else {
                int inserted =
                        collection.insertMany(all, options).getInsertedIds().size();
                Work.check(inserted == batch, "all are inserted");
            }
            acknowledged.addAndGet(batch);
        };
    }

    @Override
    public void verify() {
        Work.check(
                collection.countDocuments() == acknowledged.get(),
                "there are " + acknowledged.get() + " documents, as acknowledged");
        collection.drop();
    }
}
