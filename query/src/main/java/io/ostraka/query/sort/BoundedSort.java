package io.ostraka.query.sort;

import static io.ostraka.core.error.ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED;

import io.ostraka.core.key.KeyString;
import io.ostraka.query.run.SpillSpace;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Sorts with a bound on the bytes held in memory; past it sorted runs go to disk, where there is space for them. Equal keys
 * stay in the order they came. If only the first few are wanted, only those are held. One thread; closing it gives the
 * space on disk back.
 *
 * @param <T> what is sorted
 */
public final class BoundedSort<T> implements AutoCloseable {
    private static final int ITEM_OVERHEAD_BYTES = 64;

    /** @param prefix of the key: most comparisons end there, without a look at the key's bytes elsewhere in memory */
    private record Item<T>(KeyString key, long prefix, long arrival, T value, int bytes)
            implements Comparable<Item<T>> {
        static <T> Item<T> of(KeyString key, long arrival, T value, int bytes) {
            return new Item<>(key, prefix(key.bytes()), arrival, value, bytes);
        }

        /** The first eight bytes as a number that sorts as they do; where there are fewer, zeros. */
        private static long prefix(byte[] key) {
            if (key.length >= Long.BYTES) {
                return (long) BIG_ENDIAN.get(key, 0) ^ Long.MIN_VALUE;
            }
            long prefix = 0;
            for (int i = 0; i < Long.BYTES; i++) {
                prefix = prefix << Byte.SIZE | (i < key.length ? key[i] & 0xFF : 0);
            }
            return prefix ^ Long.MIN_VALUE;
        }

        @Override
        public int compareTo(Item<T> other) {
            if (prefix != other.prefix) {
                return prefix < other.prefix ? -1 : 1;
            }
            int byKey = key.compareTo(other.key);
            return byKey != 0 ? byKey : Long.compare(arrival, other.arrival);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(arrival);
        }
    }

    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final long limit;
    private final long bytesMax;
    private final Optional<SpillForm<T>> form;
    private final KeyedRuns runs;
    private final boolean spills;
    private final List<Item<T>> all = new ArrayList<>();
    private final PriorityQueue<Item<T>> first = new PriorityQueue<>(Collections.reverseOrder());
    private long arrived;
    private long bytes;

    /**
     * A sort in memory alone.
     *
     * @param limit how many of the first are wanted; 0 for all
     * @param bytesMax how many bytes may be held
     */
    public BoundedSort(long limit, long bytesMax) {
        this(limit, bytesMax, Optional.empty(), SpillSpace.NONE);
    }

    /** A sort that goes on on disk, where there is space. */
    public BoundedSort(long limit, long bytesMax, SpillForm<T> form, SpillSpace space) {
        this(limit, bytesMax, Optional.of(form), space);
    }

    private BoundedSort(long limit, long bytesMax, Optional<SpillForm<T>> form, SpillSpace space) {
        this.limit = limit;
        this.bytesMax = bytesMax;
        this.form = form;
        this.runs = new KeyedRuns(space);
        this.spills = form.isPresent() && space.isThere();
    }

    /**
     * Takes one in.
     *
     * @param size its bytes
     * @throws io.ostraka.core.error.CommandException 292 past the bound, where nothing can go to disk
     */
    public void add(KeyString key, T value, int size) {
        int held = size + key.bytes().length + ITEM_OVERHEAD_BYTES;
        Item<T> item = Item.of(key, arrived++, value, held);
        boolean few = limit > 0 && runs.isEmpty();
        if (few && first.size() >= limit) {
            if (item.compareTo(first.peek()) >= 0) {
                return;
            }
            bytes -= first.poll().bytes;
        }
        bytes += held;
        if (few) {
            first.add(item);
        } else {
            all.add(item);
        }
        if (bytes > bytesMax) {
            if (!spills) {
                throw QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED.because(
                        "Sort exceeded memory limit of %d bytes, but did not opt in to external sorting. Sort by an index"
                                + " or add a limit.",
                        bytesMax);
            }
            spill();
        }
    }

    /** What is in memory becomes a run. From now on all are kept, as the few that are wanted do not fit. */
    private void spill() {
        all.addAll(first);
        first.clear();
        all.sort(null);
        Iterator<Item<T>> items = all.iterator();
        runs.add(new Iterator<>() {
            @Override
            public boolean hasNext() {
                return items.hasNext();
            }

            @Override
            public KeyedRuns.Row next() {
                Item<T> item = items.next();
                return new KeyedRuns.Row(item.key.bytes(), form.orElseThrow().encode(item.value));
            }
        });
        all.clear();
        bytes = 0;
    }

    /** Everything in order. Nothing more is taken in; what is on disk stays until the sort is closed. */
    public Iterator<T> inOrder() {
        if (!runs.isEmpty()) {
            spill();
            return limited(runs.merged());
        }
        List<Item<T>> items = limit > 0 ? new ArrayList<>(first) : all;
        items.sort(null);
        Iterator<Item<T>> iterator = items.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return iterator.hasNext();
            }

            @Override
            public T next() {
                return iterator.next().value;
            }
        };
    }

    private Iterator<T> limited(Iterator<KeyedRuns.Row> rows) {
        return new Iterator<>() {
            private long given;

            @Override
            public boolean hasNext() {
                return rows.hasNext() && (limit == 0 || given < limit);
            }

            @Override
            public T next() {
                given++;
                return form.orElseThrow().decode(rows.next().value());
            }
        };
    }

    @Override
    public void close() {
        runs.close();
    }
}
