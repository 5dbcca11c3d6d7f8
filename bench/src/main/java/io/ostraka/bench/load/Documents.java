package io.ostraka.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * The documents that works store: {@code _id}, {@code k} (a permutation of the ids), {@code n} (a counter), {@code g}
 * (one of a hundred groups), {@code pad} (to the size asked for).
 */
final class Documents {
    static final int GROUPS = 100;
    private static final int OVERHEAD = 64;

    private final int count;
    private final int size;

    Documents(int count, int size) {
        this.count = count;
        this.size = size;
    }

    int count() {
        return count;
    }

    /** Where the id stands in the other order. 7919 is prime, so this is a permutation unless it divides the count. */
    int keyOf(long id) {
        return (int) (id * 7919 % count);
    }

    BsonDocument make(long id) {
        char[] pad = new char[Math.max(1, size - OVERHEAD)];
        for (int i = 0; i < pad.length; i++) {
            pad[i] = (char) ('a' + (id + i) % 26);
        }
        return new BsonDocument("_id", new BsonInt64(id))
                .append("k", new BsonInt32(keyOf(id)))
                .append("n", new BsonInt32(0))
                .append("g", new BsonInt32((int) (id % GROUPS)))
                .append("pad", new BsonString(new String(pad)));
    }

    List<BsonDocument> batch(long from, int howMany) {
        List<BsonDocument> all = new ArrayList<>(howMany);
        for (int i = 0; i < howMany; i++) {
            all.add(make(from + i));
        }
        return all;
    }

    /** As bytes, so that the driver encodes nothing while a clock runs. */
    static RawBsonDocument raw(BsonDocument document) {
        return new RawBsonDocument(document, new BsonDocumentCodec());
    }

    long any(RandomGenerator random) {
        return random.nextInt(count);
    }
}
