package io.ostraka.bench;

import io.ostraka.core.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Runs something on several threads for some seconds and prints how often it was done, and how long the median and the slowest hundredth took. */
final class Rate {
    /** Done again and again by one thread. */
    @FunctionalInterface
    interface Work {
        void run(int thread) throws Exception;
    }

    private Rate() {}

    static String of(String what, int threads, int seconds, Work work) throws InterruptedException {
        long end = Clock.SYSTEM.nanos() + TimeUnit.SECONDS.toNanos(seconds);
        List<long[]> taken = new ArrayList<>();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int thread = i;
            all.add(Thread.ofPlatform().start(() -> {
                long[] mine = loop(thread, end, work);
                synchronized (taken) {
                    taken.add(mine);
                }
            }));
        }
        for (Thread thread : all) {
            thread.join();
        }
        long[] nanos = taken.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return String.format(
                Locale.ROOT,
                "| %s | %d | %,d | %.2f | %.2f |",
                what,
                threads,
                nanos.length / seconds,
                nanos[nanos.length / 2] / 1e6,
                nanos[(int) (nanos.length * 0.99)] / 1e6);
    }

    private static long[] loop(int thread, long end, Work work) {
        long[] nanos = new long[1 << 12];
        int count = 0;
        long before = Clock.SYSTEM.nanos();
        while (before < end) {
            try {
                work.run(thread);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            long after = Clock.SYSTEM.nanos();
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, count * 2);
            }
            nanos[count++] = after - before;
            before = after;
        }
        return Arrays.copyOf(nanos, count);
    }
}
