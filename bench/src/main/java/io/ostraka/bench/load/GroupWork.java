package io.ostraka.bench.load;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;

/** {@code $match} of nine tenths and {@code $group} into a hundred, over 100 000 documents. */
final class GroupWork implements Work {
    private static final int DOCUMENTS = 100_000;

    private final MongoCollection<RawBsonDocument> collection;

    GroupWork(Works.Site site, boolean covered) {
        Documents all = new Documents(
                DOCUMENTS, site.documents().make(0).getString("pad").getValue().length() + 64);
        Works.Site big = new Works.Site(site.target(), site.client(), all, site.threads());
        collection = Store.full(big, covered ? "groupCovered" : "group");
        if (covered) {
            collection.createIndex(Indexes.ascending("g", "n"));
        }
    }

    @Override
    public Worker worker() {
        List<Bson> pipeline = List.of(
                Aggregates.match(Filters.gte("g", Documents.GROUPS / 10)),
                Aggregates.group("$g", Accumulators.sum("count", 1), Accumulators.sum("n", "$n")));
        return _ -> {
            List<BsonDocument> groups =
                    collection.aggregate(pipeline, BsonDocument.class).into(new ArrayList<>());
            long sum = 0;
            for (BsonDocument group : groups) {
                sum += group.getNumber("count").longValue();
            }
            Work.check(groups.size() == Documents.GROUPS * 9 / 10, "as many groups as match");
            Work.check(sum == DOCUMENTS / 10 * 9, "every matching document is in a group");
        };
    }
}
