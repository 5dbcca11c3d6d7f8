package io.ostraka.bench.load;

import org.HdrHistogram.Histogram;

/**
 * One round of one work on one target.
 *
 * @param nanos how long it took
 * @param times of each operation, in nanoseconds
 * @param serverNanos processor time the server used, 0 if unknown
 * @param allocated bytes the server allocated, 0 if unknown
 */
record Outcome(long nanos, Histogram times, long serverNanos, long allocated) {
    double perSecond() {
        return times.getTotalCount() * 1e9 / nanos;
    }
}
