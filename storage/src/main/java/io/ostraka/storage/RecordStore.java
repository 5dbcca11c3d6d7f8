package io.ostraka.storage;

import io.ostraka.core.key.RecordId;
import java.util.Optional;

/**
 * The records of one collection in {@link Family#RECORDS}.
 *
 * @param ident the collection's number, never used twice
 */
public record RecordStore(int ident) {
    public byte[] key(RecordId recordId) {
        byte[] id = recordId.toByteArray();
        byte[] key = new byte[4 + id.length];
        Keys.putInt(key, 0, ident);
        System.arraycopy(id, 0, key, 4, id.length);
        return key;
    }

    public static RecordId recordId(byte[] key) {
        return RecordId.of(key, 4, key.length);
    }

    public void put(Batch batch, RecordId recordId, byte[] document) {
        batch.put(Family.RECORDS, key(recordId), document);
    }

    public void delete(Batch batch, RecordId recordId) {
        batch.delete(Family.RECORDS, key(recordId));
    }

    /** The document's bytes, or null. */
    public byte[] get(ReadView view, RecordId recordId) {
        return view.get(Family.RECORDS, key(recordId));
    }

    /** All records, in the order of their RecordIds. */
    public Rows rows(ReadView view) {
        return view.rows(Family.RECORDS, start(), end());
    }

    /** The highest RecordId, if there is a record. */
    public Optional<RecordId> last(ReadView view) {
        try (Rows rows = rows(view)) {
            return rows.last() ? Optional.of(recordId(rows.key())) : Optional.empty();
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
