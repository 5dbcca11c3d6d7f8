package io.ostraka.wire.cursor;

import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;

import io.ostraka.core.bson.BsonCheck;
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

    /** The largest document that is answered: one that may be stored, and some room for what a stage adds. */
    public static final int MAX_DOCUMENT_BYTES = MAX_BYTES + (16 << 10);

    /** About what stands around a document that is alone. */
    private static final int OVERHEAD = 64;

    private final String namespace;
    private final int maxDocuments;
    private final RawBuilder reply = new RawBuilder(OVERHEAD);
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

    /**
     * Takes a document, or says false and leaves it to the caller, for the next batch.
     *
     * @throws io.ostraka.core.error.CommandException 10334 BSONObjectTooLarge or 15 Overflow for one that no client would take
     */
    public boolean add(RawDocument document) {
        if (document.size() > MAX_DOCUMENT_BYTES) {
            throw BSON_OBJECT_TOO_LARGE.because(
                    "A result of %d bytes is larger than %d; project or unwind what it gathers",
                    document.size(), MAX_DOCUMENT_BYTES);
        }
        if (count >= maxDocuments || count > 0 && bytes + document.size() > MAX_BYTES) {
            return false;
        }
        BsonCheck.depth(document, BsonCheck.MAX_ANSWER_DEPTH);
        if (count == 0) {
            reply.expect(document.size() + OVERHEAD + namespace.length());
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
        return reply.close().buildShortLived();
    }
}
