package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.cursor.OpenCursor;

/**
 * A client's cursor over a stream and the View it reads. It keeps that View to its end, so that it sees each document once
 * whatever moves or changes meanwhile.
 */
public final class DocumentCursor implements OpenCursor {
    /** Passes the checks of a stream on to whoever pulls it at the moment. */
    public static final class Puller implements RunContext.Interruption {
        private volatile Operation operation;

        public Puller(Operation opener) {
            operation = opener;
        }

        @Override
        public void check() {
            operation.checkAlive();
        }
    }

    private final DocumentStream documents;
    private final AutoCloseable view;
    private final Puller puller;
    private RawDocument kept;

    /**
     * @param documents closed with the cursor
     * @param view closed after them
     * @param puller the interruption the stream was made with
     */
    public DocumentCursor(DocumentStream documents, AutoCloseable view, Puller puller) {
        this.documents = documents;
        this.view = view;
        this.puller = puller;
    }

    @Override
    public boolean fill(BatchReply batch, Operation operation) {
        puller.operation = operation;
        if (kept == null) {
            if (batch.isFull()) {
                return false;
            }
            kept = documents.next();
        }
        while (kept != null) {
            if (!batch.add(kept)) {
                return false;
            }
            kept = null;
            if (batch.isFull() && batch.count() >= batch.maxDocuments()) {
                // Whether there is more is only known by pulling it, and a client that counts wants no empty batch at
                // the end.
                kept = documents.next();
                return kept == null;
            }
            operation.checkAlive();
            kept = documents.next();
        }
        return true;
    }

    /** What it reads, for who wants all of it at once. Closing the stream closes this. */
    DocumentStream documents() {
        return new DocumentStream() {
            @Override
            public RawDocument next() {
                return documents.next();
            }

            @Override
            public void close() {
                DocumentCursor.this.close();
            }
        };
    }

    @Override
    public void close() {
        try (AutoCloseable _ = view) {
            documents.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
