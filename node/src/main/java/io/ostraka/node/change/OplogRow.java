package io.ostraka.node.change;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.RecordId;
import io.ostraka.core.placement.Namespace;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;

/**
 * One row of the oplog, as read from the store.
 *
 * @param time the cluster time of its proposal
 * @param number its place within the proposal
 * @param header what happened
 * @param after the document after an insert or update
 * @param before the document before, where the collection keeps pre-images
 */
public record OplogRow(
        long time, int number, Header header, Optional<RawDocument> after, Optional<RawDocument> before) {
    public enum Kind {
        INSERT("i"),
        UPDATE("u"),
        DELETE("d"),
        COMMAND("c"),
        NOOP("n");

        private final String letter;

        Kind(String letter) {
            this.letter = letter;
        }

        public String letter() {
            return letter;
        }

        static Kind of(String letter) {
            for (Kind kind : values()) {
                if (kind.letter.equals(letter)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("unknown oplog row '" + letter + "'");
        }
    }

    /**
     * The statement a row comes from.
     *
     * @param lsid the client's session
     * @param number the statement's own, within {@code txnNumber}
     */
    public record Statement(RawDocument lsid, long txnNumber, int number) {
        /** Stands for the number in rows of multi-document transactions. */
        public static final int OF_TRANSACTION = -1;
    }

    /**
     * What happened, without the documents.
     *
     * @param collection its UUID, empty for commands on databases
     * @param recordId where the document is, for rows of documents
     * @param documentKey shard key and {@code _id} of the document before (after, for an insert)
     * @param statement of which retryable write or transaction it is part
     * @param update which fields an update has changed, see {@link Difference}
     * @param moved whether the mover wrote it: change streams skip it
     * @param command what a command row did
     * @param wallMillis the leader's wall clock
     */
    public record Header(
            Kind kind,
            Namespace namespace,
            Optional<UUID> collection,
            Optional<RecordId> recordId,
            Optional<RawDocument> documentKey,
            Optional<Statement> statement,
            Optional<RawDocument> update,
            boolean moved,
            Optional<RawDocument> command,
            long wallMillis) {
        /** The form in proposals and in the store. */
        public RawDocument toRaw() {
            RawBuilder builder = new RawBuilder(160);
            builder.put("op", kind.letter()).put("ns", namespace.toString());
            collection.ifPresent(uuid -> builder.put("ui", binary(uuid)));
            documentKey.ifPresent(key -> builder.put("o2", key));
            recordId.ifPresent(id -> builder.put("rid", new BsonBinary(id.toByteArray())));
            statement.ifPresent(of -> builder.put("lsid", of.lsid())
                    .put("txnNumber", of.txnNumber())
                    .put("stmtId", of.number()));
            update.ifPresent(paths -> builder.put("u", paths));
            if (moved) {
                builder.put("moved", true);
            }
            command.ifPresent(document -> builder.put("o", document));
            return builder.put("wall", new BsonDateTime(wallMillis)).build();
        }

        static Header of(RawDocument raw) {
            Kind kind = null;
            Namespace namespace = null;
            Optional<UUID> collection = Optional.empty();
            Optional<RecordId> recordId = Optional.empty();
            Optional<RawDocument> key = Optional.empty();
            Optional<RawDocument> command = Optional.empty();
            RawDocument lsid = null;
            Optional<RawDocument> update = Optional.empty();
            long txnNumber = -1;
            int stmtId = -1;
            boolean moved = false;
            long wall = 0;
            RawCursor cursor = raw.cursor();
            while (cursor.next()) {
                switch (cursor.name()) {
                    case "op" -> kind = Kind.of(cursor.string());
                    case "ns" -> namespace = Namespace.parse(cursor.string());
                    case "ui" ->
                        collection = Optional.of(uuid(cursor.value().asBinary().getData()));
                    case "o2" -> key = Optional.of(cursor.document());
                    case "rid" ->
                        recordId = Optional.of(
                                RecordId.of(cursor.value().asBinary().getData()));
                    case "lsid" -> lsid = cursor.document();
                    case "u" -> update = Optional.of(cursor.document());
                    case "txnNumber" -> txnNumber = cursor.int64();
                    case "stmtId" -> stmtId = cursor.int32();
                    case "moved" -> moved = true;
                    case "o" -> command = Optional.of(cursor.document());
                    case "wall" -> wall = cursor.int64();
                    default -> throw new IllegalArgumentException("unknown field of an oplog row: " + cursor.name());
                }
            }
            Optional<Statement> statement =
                    lsid == null ? Optional.empty() : Optional.of(new Statement(lsid, txnNumber, stmtId));
            return new Header(kind, namespace, collection, recordId, key, statement, update, moved, command, wall);
        }

        private static BsonBinary binary(UUID uuid) {
            return new BsonBinary(
                    (byte) 4,
                    ByteBuffer.allocate(16)
                            .putLong(uuid.getMostSignificantBits())
                            .putLong(uuid.getLeastSignificantBits())
                            .array());
        }

        private static UUID uuid(byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return new UUID(buffer.getLong(), buffer.getLong());
        }
    }

    private static final byte VERSION = 1;

    /** The row's bytes in the store. */
    public static byte[] encode(RawDocument header, Optional<RawDocument> after, Optional<RawDocument> before) {
        int documents = after.map(RawDocument::size).orElse(0)
                + before.map(RawDocument::size).orElse(0);
        ProposalSink sink = new ProposalSink(header.size() + documents + 3);
        sink.raw(VERSION);
        sink.document(header);
        sink.optional(after);
        sink.optional(before);
        return sink.toByteArray();
    }

    /** Reads a row of the store. */
    public static OplogRow decode(long time, int number, byte[] bytes) {
        ProposalSource source = new ProposalSource(bytes);
        byte version = source.raw();
        if (version != VERSION) {
            throw new IllegalArgumentException("an oplog row has version " + version + "; this program reads 1");
        }
        Header header = Header.of(source.document());
        return new OplogRow(time, number, header, source.optional(), source.optional());
    }
}
