package io.ostraka.node.view;

import io.ostraka.node.apply.Applier;
import io.ostraka.node.change.OplogRow;
import io.ostraka.storage.Family;
import io.ostraka.storage.Keys;
import io.ostraka.storage.Rows;
import java.util.Optional;

/** The oplog of one View, in order. One thread. */
public final class OplogReader implements AutoCloseable {
    private final Rows rows;
    private boolean started;
    private final byte[] from;

    /**
     * @param fromTime a cluster time: rows of it and later ones
     * @param fromRow the first row's number within the proposal of that time
     */
    public OplogReader(View view, long fromTime, int fromRow) {
        rows = view.store().rows(Family.OPLOG, new byte[] {0}, new byte[] {
            (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF
        });
        from = Applier.oplogKey(fromTime, fromRow);
    }

    /** The next row, if there is one in this View. */
    public Optional<OplogRow> next() {
        boolean on = started ? rows.next() : rows.seek(from);
        started = true;
        if (!on) {
            return Optional.empty();
        }
        byte[] key = rows.key();
        return Optional.of(OplogRow.decode(Keys.getLong(key, 0), Keys.getInt(key, 8), rows.value()));
    }

    /** The time of the oldest row there is, or 0. */
    public static long oldest(View view) {
        try (OplogReader reader = new OplogReader(view, 0, 0)) {
            return reader.next().map(OplogRow::time).orElse(0L);
        }
    }

    @Override
    public void close() {
        rows.close();
    }
}
