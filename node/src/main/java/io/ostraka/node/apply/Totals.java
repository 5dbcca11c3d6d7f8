package io.ostraka.node.apply;

import io.ostraka.node.change.Change;
import java.nio.ByteBuffer;

/**
 * The counters of one collection.
 *
 * @param documents all there are, owned or not
 * @param unowned those this shard does not own
 * @param bytes of all documents
 * @param unownedBytes of the unowned
 */
public record Totals(long documents, long unowned, long bytes, long unownedBytes) {
    public static final Totals ZERO = new Totals(0, 0, 0, 0);

    private static final byte VERSION = 1;

    Totals plus(Change.Count count) {
        return new Totals(
                documents + count.documents(),
                unowned + count.unowned(),
                bytes + count.bytes(),
                unownedBytes + count.unownedBytes());
    }

    /** Documents this shard owns: what {@code count} answers. */
    public long owned() {
        return documents - unowned;
    }

    public long ownedBytes() {
        return bytes - unownedBytes;
    }

    byte[] encode() {
        return ByteBuffer.allocate(33)
                .put(VERSION)
                .putLong(documents)
                .putLong(unowned)
                .putLong(bytes)
                .putLong(unownedBytes)
                .array();
    }

    static Totals decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (buffer.get() != VERSION) {
            throw new IllegalArgumentException("counters have version " + bytes[0] + "; this program reads 1");
        }
        return new Totals(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
    }
}
