package io.ostraka.storage;

/**
 * The records of one collection in {@link Family#RECORDS}.
 *
 * @param ident the collection's number, never used twice
 */
public record RecordStore(int ident) {
    /** The first RecordId; they rise from here. */
    public static final long FIRST = 1;

    public byte[] key(long recordId) {
        byte[] key = new byte[12];
        Keys.putInt(key, 0, ident);
        Keys.putLong(key, 4, recordId);
        return key;
    }

    public static long recordId(byte[] key) {
        return Keys.getLong(key, 4);
    }

    public void put(Batch batch, long recordId, byte[] document) {
        batch.put(Family.RECORDS, key(recordId), document);
    }

    public void delete(Batch batch, long recordId) {
        batch.delete(Family.RECORDS, key(recordId));
    }

    /** The document's bytes, or null. */
    public byte[] get(ReadView view, long recordId) {
        return view.get(Family.RECORDS, key(recordId));
    }

    /** All records, in the order of their RecordIds. */
    public Rows rows(ReadView view) {
        return view.rows(Family.RECORDS, start(), end());
    }

    /** The highest RecordId, or 0. */
    public long last(ReadView view) {
        try (Rows rows = rows(view)) {
            return rows.last() ? recordId(rows.key()) : 0;
        }
    }

    public byte[] start() {
        return Keys.ofInt(ident);
    }

    public byte[] end() {
        return Keys.ofInt(ident + 1);
    }

    /** Deletes all of it: for idents that no view can see any more. */
    public void deleteAll(Batch batch) {
        batch.deleteRange(Family.RECORDS, start(), end());
    }
}
