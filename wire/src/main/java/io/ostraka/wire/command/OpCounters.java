package io.ostraka.wire.command;

import java.util.concurrent.atomic.LongAdder;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** How often each kind of command ran, as {@code serverStatus.opcounters} shows. Safe for many threads. */
public final class OpCounters {
    private final LongAdder insert = new LongAdder();
    private final LongAdder query = new LongAdder();
    private final LongAdder update = new LongAdder();
    private final LongAdder delete = new LongAdder();
    private final LongAdder getmore = new LongAdder();
    private final LongAdder command = new LongAdder();
    private final Usage usage = new Usage();

    /** The same by collection, and with times. */
    public Usage usage() {
        return usage;
    }

    void count(String name, Fields fields) {
        switch (name) {
            case "insert" -> insert.add(size(fields, "documents"));
            case "update" -> update.add(size(fields, "updates"));
            case "delete" -> delete.add(size(fields, "deletes"));
            case "find" -> query.increment();
            case "getMore" -> getmore.increment();
            default -> command.increment();
        }
    }

    private static int size(Fields fields, String name) {
        return fields.documents(name).map(java.util.List::size).orElse(1);
    }

    public BsonDocument toBson() {
        return new BsonDocument("insert", new BsonInt64(insert.sum()))
                .append("query", new BsonInt64(query.sum()))
                .append("update", new BsonInt64(update.sum()))
                .append("delete", new BsonInt64(delete.sum()))
                .append("getmore", new BsonInt64(getmore.sum()))
                .append("command", new BsonInt64(command.sum()));
    }
}
