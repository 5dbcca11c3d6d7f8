package io.ostraka.storage;

import io.ostraka.core.check.Check;
import io.ostraka.core.key.RecordId;
import java.util.Arrays;

/**
 * The entries of one index in {@link Family#INDEX}. A key is a KeyString; several records may have the same one,
 * unique index or not.
 *
 * @param ident the index's number, never used twice
 */
public record IndexStore(int ident) {
    private static final int BEFORE = 4;
    private static final int AFTER = RecordId.NUMBER_SIZE;

    public byte[] key(byte[] keyString, RecordId recordId) {
        byte[] id = recordId.toByteArray();
        Check.that(id.length == AFTER, "indexed records are numbered");
        byte[] key = new byte[BEFORE + keyString.length + AFTER];
        Keys.putInt(key, 0, ident);
        System.arraycopy(keyString, 0, key, BEFORE, keyString.length);
        System.arraycopy(id, 0, key, BEFORE + keyString.length, AFTER);
        return key;
    }

    public static RecordId recordId(byte[] key) {
        return RecordId.of(key, key.length - AFTER, key.length);
    }

    public static byte[] keyString(byte[] key) {
        return Arrays.copyOfRange(key, BEFORE, key.length - AFTER);
    }

    /** Where the entries of a KeyString, or of a prefix of one, begin. */
    public byte[] from(byte[] keyString) {
        byte[] key = new byte[BEFORE + keyString.length];
        Keys.putInt(key, 0, ident);
        System.arraycopy(keyString, 0, key, BEFORE, keyString.length);
        return key;
    }

    public void put(Batch batch, byte[] keyString, RecordId recordId, byte[] typeBits) {
        batch.put(Family.INDEX, key(keyString, recordId), typeBits);
    }

    public void delete(Batch batch, byte[] keyString, RecordId recordId) {
        batch.delete(Family.INDEX, key(keyString, recordId));
    }

    /** All entries, in the order of their keys. */
    public Rows rows(ReadView view) {
        return view.rows(Family.INDEX, start(), end());
    }

    public byte[] start() {
        return Keys.ofInt(ident);
    }

    public byte[] end() {
        return Keys.ofInt(ident + 1);
    }

    /** Deletes all of it: for idents that no view can see any more. */
    public void deleteAll(Batch batch) {
        batch.deleteRange(Family.INDEX, start(), end());
    }
}
