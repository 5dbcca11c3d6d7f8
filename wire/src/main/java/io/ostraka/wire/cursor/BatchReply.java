package io.ostraka.wire.cursor;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Builds a cursor's reply, {@code {cursor: {firstBatch|nextBatch, id, ns}}}, out of raw documents. Holds at most so
 * many documents and {@link #MAX_BYTES} of them, but always takes the first. One thread.
 */
public final class BatchReply {
    /** What one answer carries at most. */
    public static final int MAX_BYTES = 16 << 20;

    /** About what stands around a document that is alone. */
    private static final int OVERHEAD = 64;

    private final String namespace;
    private final int maxDocuments;
    private final RawBuilder reply = new RawBuilder();
    private final BsonDocument beside = new BsonDocument();
    private int count;
    private int bytes;

    private BatchReply(String field, String namespace, int maxDocuments) {
        this.namespace = namespace;
        this.maxDocuments = maxDocuments;
        reply.openDocument("cursor").openArray(field);
    }

    /** @param maxDocuments 0 takes none: {@code batchSize: 0} opens a cursor only */
    public static BatchReply first(String namespace, int maxDocuments) {
        return new BatchReply("firstBatch", namespace, maxDocuments);
    }

    public static BatchReply next(String namespace, int maxDocuments) {
        return new BatchReply("nextBatch", namespace, maxDocuments);
    }

    /** Whether no further document is wanted. */
    public boolean isFull() {
        return count >= maxDocuments || bytes >= MAX_BYTES;
    }

    /** Takes a document, or says false and leaves it to the caller, for the next batch. */
    public boolean add(RawDocument document) {
        if (count >= maxDocuments || count > 0 && bytes + document.size() > MAX_BYTES) {
            return false;
        }
        if (count == 0) {
            reply.expect(document.size() + OVERHEAD);
        }
        reply.put(Integer.toString(count++), document);
        bytes += document.size();
        return true;
    }

    public int count() {
        return count;
    }

    public int maxDocuments() {
        return maxDocuments;
    }

    /** A field beside {@code id} and {@code ns}, such as {@code partialResultsReturned}. */
    public BatchReply with(String name, BsonValue value) {
        beside.put(name, value);
        return this;
    }

    /** Ends the reply. @param cursorId 0 where nothing follows */
    public RawDocument finish(long cursorId) {
        reply.close();
        reply.put("id", cursorId).put("ns", namespace);
        beside.forEach(reply::put);
        return reply.close().build();
    }
}
