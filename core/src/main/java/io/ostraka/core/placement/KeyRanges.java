package io.ostraka.core.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A set of keys as sorted ranges that neither overlap nor touch.
 */
public final class KeyRanges {
    public static final KeyRanges NONE = new KeyRanges(List.of());

    private final List<KeyRange> ranges;

    private KeyRanges(List<KeyRange> ranges) {
        this.ranges = List.copyOf(ranges);
    }

    /** Joins what touches or overlaps. */
    public static KeyRanges of(List<KeyRange> ranges) {
        List<KeyRange> sorted = new ArrayList<>(ranges);
        sorted.sort(null);
        List<KeyRange> joined = new ArrayList<>();
        for (KeyRange range : sorted) {
            KeyRange last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && Arrays.compareUnsigned(range.min(), last.max()) <= 0) {
                if (Arrays.compareUnsigned(range.max(), last.max()) > 0) {
                    joined.set(joined.size() - 1, new KeyRange(last.min(), range.max()));
                }
            } else {
                joined.add(range);
            }
        }
        return new KeyRanges(joined);
    }

    public List<KeyRange> asList() {
        return ranges;
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    public boolean contains(byte[] key) {
        int at = lastAtOrBelow(key);
        return at >= 0 && Arrays.compareUnsigned(key, ranges.get(at).max()) < 0;
    }

    public boolean covers(KeyRange range) {
        int at = lastAtOrBelow(range.min());
        return at >= 0 && ranges.get(at).covers(range);
    }

    public boolean overlaps(KeyRange range) {
        int at = Math.max(0, lastAtOrBelow(range.min()));
        for (; at < ranges.size() && Arrays.compareUnsigned(ranges.get(at).min(), range.max()) < 0; at++) {
            if (ranges.get(at).overlaps(range)) {
                return true;
            }
        }
        return false;
    }

    public KeyRanges plus(KeyRange range) {
        List<KeyRange> all = new ArrayList<>(ranges);
        all.add(range);
        return of(all);
    }

    public KeyRanges minus(KeyRange range) {
        List<KeyRange> left = new ArrayList<>();
        for (KeyRange each : ranges) {
            if (!each.overlaps(range)) {
                left.add(each);
                continue;
            }
            if (Arrays.compareUnsigned(each.min(), range.min()) < 0) {
                left.add(new KeyRange(each.min(), range.min()));
            }
            if (Arrays.compareUnsigned(range.max(), each.max()) < 0) {
                left.add(new KeyRange(range.max(), each.max()));
            }
        }
        return new KeyRanges(left);
    }

    /** The keys in both. */
    public KeyRanges intersect(KeyRanges other) {
        List<KeyRange> both = new ArrayList<>();
        for (int mine = 0, theirs = 0; mine < ranges.size() && theirs < other.ranges.size(); ) {
            KeyRange a = ranges.get(mine);
            KeyRange b = other.ranges.get(theirs);
            if (a.overlaps(b)) {
                both.add(new KeyRange(
                        Arrays.compareUnsigned(a.min(), b.min()) >= 0 ? a.min() : b.min(),
                        Arrays.compareUnsigned(a.max(), b.max()) <= 0 ? a.max() : b.max()));
            }
            if (Arrays.compareUnsigned(a.max(), b.max()) <= 0) {
                mine++;
            } else {
                theirs++;
            }
        }
        return of(both);
    }

    private int lastAtOrBelow(byte[] key) {
        int low = 0;
        int high = ranges.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (Arrays.compareUnsigned(ranges.get(middle).min(), key) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyRanges that && ranges.equals(that.ranges);
    }

    @Override
    public int hashCode() {
        return ranges.hashCode();
    }

    @Override
    public String toString() {
        return ranges.toString();
    }
}
