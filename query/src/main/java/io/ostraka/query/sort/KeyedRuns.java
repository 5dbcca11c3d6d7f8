package io.ostraka.query.sort;

import io.ostraka.query.run.SpillSpace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorted runs of keyed rows on disk, merged again: of equal keys those of earlier runs come first. One thread. Closing it
 * gives the space back, however far it was read.
 */
public final class KeyedRuns implements AutoCloseable {
    /** A key and what belongs to it. */
    public record Row(byte[] key, byte[] value) {}

    private record Head(Row row, int run) {}

    private static final Comparator<Head> ORDER = Comparator.comparing(
                    (Head head) -> head.row.key, Arrays::compareUnsigned)
            .thenComparingInt(Head::run);

    private final SpillSpace space;
    private final List<SpillSpace.Run> runs = new ArrayList<>();

    public KeyedRuns(SpillSpace space) {
        this.space = space;
    }

    public boolean isEmpty() {
        return runs.isEmpty();
    }

    /** Writes a run of rows that come in the order of their keys. */
    public void add(Iterator<Row> sorted) {
        try (SpillSpace.Writer writer = space.begin()) {
            while (sorted.hasNext()) {
                Row row = sorted.next();
                writer.add(ByteBuffer.allocate(Integer.BYTES + row.key.length + row.value.length)
                        .putInt(row.key.length)
                        .put(row.key)
                        .put(row.value)
                        .array());
            }
            runs.add(writer.end());
        }
    }

    /** All rows in the order of their keys. The runs can be read once. */
    public Iterator<Row> merged() {
        PriorityQueue<Head> heads = new PriorityQueue<>(ORDER);
        for (int run = 0; run < runs.size(); run++) {
            advance(heads, run);
        }
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return !heads.isEmpty();
            }

            @Override
            public Row next() {
                Head head = heads.remove();
                advance(heads, head.run);
                return head.row;
            }
        };
    }

    private void advance(PriorityQueue<Head> heads, int run) {
        byte[] next = runs.get(run).next();
        if (next != null) {
            int length = ByteBuffer.wrap(next).getInt();
            int value = Integer.BYTES + length;
            heads.add(new Head(
                    new Row(
                            Arrays.copyOfRange(next, Integer.BYTES, value),
                            Arrays.copyOfRange(next, value, next.length)),
                    run));
        }
    }

    @Override
    public void close() {
        runs.forEach(SpillSpace.Run::close);
        runs.clear();
    }
}
