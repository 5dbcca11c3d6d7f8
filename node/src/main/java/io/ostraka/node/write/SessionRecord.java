package io.ostraka.node.write;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;

/**
 * What is stored of a session in {@code config.transactions}: its highest number, and what the statements of that number
 * answered when they ran first. Immutable.
 *
 * <pre>{ _id: lsid, txnNum: long, lastWriteDate: date, ui: [ uuid, … ], parts: n, state: "committed", stmts: [ { s: first, c: count, r: answer }, … ] }</pre>
 *
 * @param lsid the session
 * @param number its highest {@code txnNumber} that has changed something
 * @param wallMillis when it last did
 * @param collections those its statements changed
 * @param parts how many documents of {@code config.transactionParts} hold older runs of the same number
 * @param runs statements of consecutive numbers with equal answers
 * @param committed whether the number is that of a transaction, which has been committed
 */
public record SessionRecord(
        RawDocument lsid,
        long number,
        long wallMillis,
        Set<UUID> collections,
        int parts,
        List<Run> runs,
        boolean committed) {
    /** Bytes of runs beyond which they are put away into a part, so that a long batch does not write them again and again. */
    static final int RUNS_BYTES = 8 << 10;

    /** Statements of one answer. */
    public record Run(int first, int count, RawDocument answer) {
        boolean has(int statement) {
            return statement >= first && statement - first < count;
        }

        private int size() {
            return answer.size() + 32;
        }
    }

    public SessionRecord {
        collections = Set.copyOf(collections);
        runs = List.copyOf(runs);
    }

    /** The record of a number that has changed nothing yet. */
    static SessionRecord fresh(RawDocument lsid, long number) {
        return new SessionRecord(lsid, number, 0, Set.of(), 0, List.of(), false);
    }

    /** What a statement answered, where it is known without the parts. */
    Optional<RawDocument> first(int statement) {
        return first(runs, statement);
    }

    static Optional<RawDocument> first(List<Run> runs, int statement) {
        for (Run run : runs) {
            if (run.has(statement)) {
                return Optional.of(run.answer);
            }
        }
        return Optional.empty();
    }

    /** The same with further answers. */
    SessionRecord with(Map<Integer, RawDocument> answers, Optional<UUID> collection, long now) {
        List<Run> all = new ArrayList<>(runs);
        answers.forEach((statement, answer) -> add(all, new Run(statement, 1, answer)));
        Set<UUID> touched = new LinkedHashSet<>(collections);
        collection.ifPresent(touched::add);
        return new SessionRecord(lsid, number, now, touched, parts, all, committed);
    }

    private static void add(List<Run> to, Run run) {
        Run last = to.isEmpty() ? null : to.getLast();
        if (last != null && last.first + last.count == run.first && last.answer.equals(run.answer)) {
            to.set(to.size() - 1, new Run(last.first, last.count + run.count, last.answer));
        } else {
            to.add(run);
        }
    }

    /** Whether there are so many runs that they should be put away. */
    boolean isFull() {
        return runs.size() > 1 && runs.stream().mapToInt(Run::size).sum() > RUNS_BYTES;
    }

    /** The same with its runs put away in one more part. */
    SessionRecord emptied() {
        return new SessionRecord(lsid, number, wallMillis, collections, parts + 1, List.of(), committed);
    }

    /** The same with all its runs in it. */
    public SessionRecord whole(List<Run> older) {
        List<Run> all = new ArrayList<>(older);
        all.addAll(runs);
        return new SessionRecord(lsid, number, wallMillis, collections, 0, all, committed);
    }

    /** The document of {@code config.transactions}. */
    public RawDocument toRaw() {
        RawBuilder builder = new RawBuilder(256)
                .put("_id", lsid)
                .put("txnNum", number)
                .put("lastWriteDate", new BsonDateTime(wallMillis))
                .openArray("ui");
        int at = 0;
        for (UUID uuid : collections) {
            builder.put(Integer.toString(at++), binary(uuid));
        }
        builder.close();
        if (parts > 0) {
            builder.put("parts", parts);
        }
        if (committed) {
            builder.put("state", "committed");
        }
        return putRuns(builder, runs).build();
    }

    static RawBuilder putRuns(RawBuilder builder, List<Run> runs) {
        builder.openArray("stmts");
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            builder.openDocument(Integer.toString(i))
                    .put("s", run.first)
                    .put("c", run.count)
                    .put("r", run.answer)
                    .close();
        }
        return builder.close();
    }

    /** Reads a document of {@code config.transactions}, or one that came from another shard. */
    public static SessionRecord of(RawDocument raw) {
        RawDocument lsid = RawDocument.EMPTY;
        long number = -1;
        long wall = 0;
        int parts = 0;
        Set<UUID> collections = new LinkedHashSet<>();
        List<Run> runs = List.of();
        boolean committed = false;
        RawCursor cursor = raw.cursor();
        while (cursor.next()) {
            switch (cursor.name()) {
                case "_id" -> lsid = cursor.document().compact();
                case "txnNum" -> number = cursor.int64();
                case "lastWriteDate" -> wall = cursor.int64();
                case "parts" -> parts = cursor.int32();
                case "ui" -> {
                    RawCursor each = cursor.document().cursor();
                    while (each.next()) {
                        collections.add(uuid(each.value().asBinary()));
                    }
                }
                case "state" -> committed = cursor.string().equals("committed");
                case "stmts" -> runs = runs(cursor);
                default -> {}
            }
        }
        return new SessionRecord(lsid, number, wall, collections, parts, runs, committed);
    }

    static List<Run> runs(RawCursor array) {
        List<Run> runs = new ArrayList<>();
        RawCursor each = array.document().cursor();
        while (each.next()) {
            RawDocument run = each.document();
            runs.add(new Run(
                    run.find("s").int32(),
                    run.find("c").int32(),
                    run.find("r").document().compact()));
        }
        return runs;
    }

    private static BsonBinary binary(UUID uuid) {
        return new BsonBinary(
                (byte) 4,
                ByteBuffer.allocate(16)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits())
                        .array());
    }

    private static UUID uuid(BsonBinary binary) {
        ByteBuffer buffer = ByteBuffer.wrap(binary.getData());
        return new UUID(buffer.getLong(), buffer.getLong());
    }
}
