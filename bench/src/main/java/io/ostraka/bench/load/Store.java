package io.ostraka.bench.load;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Indexes;
import org.bson.Document;
import org.bson.RawBsonDocument;

/** The collections of a work. */
final class Store {
    private static final String DATABASE = "bench";
    private static final int LOADED_AT_ONCE = 1_000;

    private Store() {}

    /** A new, empty collection; sharded by hashed {@code _id} where that is possible. */
    static MongoCollection<RawBsonDocument> empty(Works.Site site, String name) {
        MongoDatabase database = site.client().getDatabase(DATABASE);
        database.getCollection(name).drop();
        if (site.target().spec().sharded()) {
            site.client()
                    .getDatabase("admin")
                    .runCommand(new Document("shardCollection", DATABASE + "." + name)
                            .append("key", new Document("_id", "hashed")));
        }
        return database.getCollection(name, RawBsonDocument.class);
    }

    /** A collection with all documents and an index on {@code k}. */
    static MongoCollection<RawBsonDocument> full(Works.Site site, String name) {
        MongoCollection<RawBsonDocument> collection = empty(site, name);
        collection.createIndex(Indexes.ascending("k"));
        Documents documents = site.documents();
        for (long id = 0; id < documents.count(); id += LOADED_AT_ONCE) {
            int howMany = (int) Math.min(LOADED_AT_ONCE, documents.count() - id);
            collection.insertMany(
                    documents.batch(id, howMany).stream().map(Documents::raw).toList());
        }
        Work.check(collection.countDocuments() == documents.count(), "all documents are loaded");
        return collection;
    }
}
