package io.ostraka.wire.command;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** How much time commands took on each collection, as {@code top} shows. Safe for many threads. */
public final class Usage {
    /** Collections counted; what comes later is not, so that made-up names fill no memory. */
    private static final int NAMESPACES = 10_000;

    private enum Column {
        TOTAL("total"),
        READ_LOCK("readLock"),
        WRITE_LOCK("writeLock"),
        QUERIES("queries"),
        GETMORE("getmore"),
        INSERT("insert"),
        UPDATE("update"),
        REMOVE("remove"),
        COMMANDS("commands");

        private final String field;

        Column(String field) {
            this.field = field;
        }

        static Column of(String command) {
            return switch (command) {
                case "find" -> QUERIES;
                case "getMore" -> GETMORE;
                case "insert" -> INSERT;
                case "update" -> UPDATE;
                case "delete" -> REMOVE;
                default -> COMMANDS;
            };
        }
    }

    private static final class Row {
        private final Map<Column, LongAdder> nanos = new EnumMap<>(Column.class);
        private final Map<Column, LongAdder> counts = new EnumMap<>(Column.class);

        Row() {
            for (Column column : Column.values()) {
                nanos.put(column, new LongAdder());
                counts.put(column, new LongAdder());
            }
        }

        void add(Column column, long took) {
            nanos.get(column).add(took);
            counts.get(column).increment();
        }
    }

    private final Map<String, Row> rows = new ConcurrentHashMap<>();

    /** @param namespace {@code db.coll}; anything else is not counted */
    void note(String namespace, Command<?> command, long tookNanos) {
        Needs.Kind kind = command.needs().kind();
        if (namespace.indexOf('.') <= 0 || kind != Needs.Kind.READ && kind != Needs.Kind.WRITE) {
            return;
        }
        Row row = rows.get(namespace);
        if (row == null) {
            if (rows.size() >= NAMESPACES) {
                return;
            }
            row = rows.computeIfAbsent(namespace, _ -> new Row());
        }
        row.add(Column.TOTAL, tookNanos);
        row.add(kind == Needs.Kind.READ ? Column.READ_LOCK : Column.WRITE_LOCK, tookNanos);
        row.add(Column.of(command.name()), tookNanos);
    }

    /** {@code {totals: {note, "db.coll": {total: {time, count}, ...}, ...}}}. */
    public BsonDocument toBson() {
        BsonDocument totals = new BsonDocument("note", new BsonString("all times in microseconds"));
        new TreeMap<>(rows).forEach((namespace, row) -> {
            BsonDocument shown = new BsonDocument();
            for (Column column : Column.values()) {
                shown.append(
                        column.field,
                        new BsonDocument(
                                        "time",
                                        new BsonInt64(row.nanos.get(column).sum() / 1_000))
                                .append(
                                        "count",
                                        new BsonInt64(row.counts.get(column).sum())));
            }
            totals.put(namespace, shown);
        });
        return new BsonDocument("totals", totals);
    }
}
