package io.ostraka.query.sort;

import static io.ostraka.core.error.ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED;

import io.ostraka.core.key.KeyString;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorts in memory, with a bound on the bytes held. Equal keys stay in the order they came. If only the first few are
 * wanted, only those are held.
 *
 * @param <T> what is sorted
 */
public final class BoundedSort<T> {
    private static final int ITEM_OVERHEAD_BYTES = 64;

    private record Item<T>(KeyString key, long arrival, T value, int bytes) {}

    private final Comparator<Item<T>> order =
            Comparator.comparing((Item<T> item) -> item.key).thenComparingLong(item -> item.arrival);
    private final long limit;
    private final long bytesMax;
    private final List<Item<T>> all = new ArrayList<>();
    private final PriorityQueue<Item<T>> first = new PriorityQueue<>(Collections.reverseOrder(order));
    private long arrived;
    private long bytes;

    /**
     * @param limit how many of the first are wanted; 0 for all
     * @param bytesMax how many bytes may be held
     */
    public BoundedSort(long limit, long bytesMax) {
        this.limit = limit;
        this.bytesMax = bytesMax;
    }

    /**
     * Takes one in.
     *
     * @param size its bytes
     * @throws io.ostraka.core.error.CommandException 292 past the bound
     */
    public void add(KeyString key, T value, int size) {
        int held = size + key.bytes().length + ITEM_OVERHEAD_BYTES;
        Item<T> item = new Item<>(key, arrived++, value, held);
        if (limit > 0 && first.size() >= limit) {
            if (order.compare(item, first.peek()) >= 0) {
                return;
            }
            bytes -= first.poll().bytes;
        }
        bytes += held;
        if (bytes > bytesMax) {
            throw QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED.because(
                    "Sort exceeded memory limit of %d bytes, but did not opt in to external sorting. Sort by an index"
                            + " or add a limit.",
                    bytesMax);
        }
        if (limit > 0) {
            first.add(item);
        } else {
            all.add(item);
        }
    }

    /** Everything in order. The sort is over. */
    public Iterator<T> inOrder() {
        List<Item<T>> items = limit > 0 ? new ArrayList<>(first) : all;
        items.sort(order);
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
}
