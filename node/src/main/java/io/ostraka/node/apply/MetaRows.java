package io.ostraka.node.apply;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.catalog.Catalog;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.replication.LogPosition;
import io.ostraka.storage.Family;
import io.ostraka.storage.Keys;
import io.ostraka.storage.ReadView;
import io.ostraka.storage.Rows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of the family meta; see the package page. */
public final class MetaRows {
    private static final byte VERSION = 1;
    private static final byte[] POSITION = {'p'};

    private MetaRows() {}

    /** The stored position and time, without the catalog. */
    record Position(LogPosition position, long time, int highestIdent) {
        byte[] encode() {
            return ByteBuffer.allocate(45)
                    .put(VERSION)
                    .putLong(position.incarnation().getMostSignificantBits())
                    .putLong(position.incarnation().getLeastSignificantBits())
                    .putLong(position.term())
                    .putLong(position.index())
                    .putLong(time)
                    .putInt(highestIdent)
                    .array();
        }

        static Position decode(byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            if (buffer.get() != VERSION) {
                throw new IllegalArgumentException("the position has version " + bytes[0] + "; this program reads 1");
            }
            UUID incarnation = new UUID(buffer.getLong(), buffer.getLong());
            LogPosition position = new LogPosition(incarnation, buffer.getLong(), buffer.getLong());
            return new Position(position, buffer.getLong(), buffer.getInt());
        }
    }

    static byte[] positionKey() {
        return POSITION;
    }

    static Optional<Position> position(ReadView view) {
        return Optional.ofNullable(view.get(Family.META, POSITION)).map(Position::decode);
    }

    static byte[] oplogFromKey() {
        return new byte[] {'o'};
    }

    /** The cluster time below which rows of the oplog have been cut away; 0 while none has. */
    public static long oplogFrom(ReadView view) {
        byte[] stored = view.get(Family.META, oplogFromKey());
        return stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
    }

    static byte[] collectionKey(int ident) {
        return key('c', ident);
    }

    static byte[] totalsKey(int ident) {
        return key('n', ident);
    }

    private static byte[] key(char kind, int ident) {
        byte[] key = new byte[5];
        key[0] = (byte) kind;
        Keys.putInt(key, 1, ident);
        return key;
    }

    static Catalog catalog(ReadView view, int highestIdent) {
        List<CollectionEntry> entries = new ArrayList<>();
        try (Rows rows = view.rows(Family.META, new byte[] {'c'}, new byte[] {'d'})) {
            for (boolean on = rows.first(); on; on = rows.next()) {
                entries.add(CollectionEntry.of(RawDocument.of(rows.value()).toBson()));
            }
        }
        return Catalog.of(entries, highestIdent);
    }

    /** A collection's counters at a view's moment. */
    public static Totals totals(ReadView view, int ident) {
        byte[] value = view.get(Family.META, totalsKey(ident));
        return value == null ? Totals.ZERO : Totals.decode(value);
    }
}
