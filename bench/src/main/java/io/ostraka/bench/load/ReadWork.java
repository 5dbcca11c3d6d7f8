package io.ostraka.bench.load;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import org.bson.RawBsonDocument;

/** Finds of one document, or of a hundred in order. */
final class ReadWork implements Work {
    /** How documents are found. */
    enum By {
        ID,
        KEY,
        RANGE
    }

    private static final int RANGE = 100;

    private final MongoCollection<RawBsonDocument> collection;
    private final Documents documents;
    private final By by;

    ReadWork(Works.Site site, By by) {
        this.documents = site.documents();
        this.by = by;
        collection = Store.full(site, "read");
    }

    @Override
    public Worker worker() {
        return switch (by) {
            case ID ->
                random -> {
                    long id = documents.any(random);
                    RawBsonDocument found =
                            collection.find(Filters.eq("_id", id)).first();
                    check(found != null && found.getNumber("_id").longValue() == id, "the document asked for");
                };
            case KEY ->
                random -> {
                    int key = (int) documents.any(random);
                    RawBsonDocument found =
                            collection.find(Filters.eq("k", key)).first();
                    check(found != null && found.getInt32("k").getValue() == key, "the document with the key");
                };
            case RANGE ->
                random -> {
                    int from = random.nextInt(documents.count() - RANGE);
                    List<RawBsonDocument> found = collection
                            .find(Filters.gte("k", from))
                            .sort(Sorts.ascending("k"))
                            .limit(RANGE)
                            .into(new ArrayList<>());
                    check(found.size() == RANGE, "a hundred documents");
                    check(found.getFirst().getInt32("k").getValue() == from, "the first of the range");
                    check(found.getLast().getInt32("k").getValue() == from + RANGE - 1, "the last of the range");
                };
        };
    }

    private static void check(boolean holds, String what) {
        Work.check(holds, what);
    }
}
