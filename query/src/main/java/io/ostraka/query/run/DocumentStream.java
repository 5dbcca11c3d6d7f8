package io.ostraka.query.run;

import io.ostraka.core.bson.RawDocument;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Documents, pulled one by one. One thread at a time. Closing it closes what it pulls from. */
public interface DocumentStream extends AutoCloseable {
    /** The next document, or null at the end. After null it goes on giving null. */
    RawDocument next();

    @Override
    void close();

    /** Documents that are there already. */
    static DocumentStream of(Iterable<RawDocument> documents) {
        Iterator<RawDocument> iterator = documents.iterator();
        return new DocumentStream() {
            @Override
            public RawDocument next() {
                return iterator.hasNext() ? iterator.next() : null;
            }

            @Override
            public void close() {}
        };
    }

    /** The next documents, up to a number and until they have so many bytes together; none at the end. */
    default List<RawDocument> batch(int documentsMax, long bytesEnough) {
        List<RawDocument> batch = new ArrayList<>();
        long bytes = 0;
        while (batch.size() < documentsMax && bytes < bytesEnough) {
            RawDocument document = next();
            if (document == null) {
                break;
            }
            batch.add(document);
            bytes += document.size();
        }
        return batch;
    }

    /** All that is left, and closes. For tests and for streams known to be short. */
    default List<RawDocument> toList() {
        try (this) {
            List<RawDocument> all = new ArrayList<>();
            for (RawDocument document = next(); document != null; document = next()) {
                all.add(document);
            }
            return all;
        }
    }
}
