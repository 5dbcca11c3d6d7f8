package io.ostraka.router.gather;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.cursor.OpenCursor;
import java.util.function.Function;

/**
 * A cursor over a stream that runs here, such as the second half of a pipeline. The stream is made when it is first
 * read, and asks the operation of the moment whether it may go on.
 */
public final class StreamCursor implements OpenCursor {
    /** The operation that reads now. One thread at a time, not always the same. */
    public static final class Current {
        private volatile Operation operation;

        public Current(Operation opener) {
            operation = opener;
        }

        public Operation operation() {
            return operation;
        }
    }

    private final Current current;
    private final DocumentStream stream;
    private RawDocument kept;
    private boolean ended;

    /** @param stream made with the operation that reads */
    public StreamCursor(Operation opener, Function<Current, DocumentStream> stream) {
        current = new Current(opener);
        this.stream = stream.apply(current);
    }

    @Override
    public boolean fill(BatchReply batch, Operation operation) {
        current.operation = operation;
        while (!batch.isFull()) {
            RawDocument next = kept != null ? kept : stream.next();
            kept = null;
            if (next == null) {
                ended = true;
                return true;
            }
            if (!batch.add(next)) {
                kept = next;
                return false;
            }
        }
        return ended;
    }

    @Override
    public void close() {
        stream.close();
    }
}
