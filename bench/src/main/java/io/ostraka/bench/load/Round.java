package io.ostraka.bench.load;

import io.ostraka.bench.target.TargetProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** Runs workers for a set time and counts. */
final class Round {
    private Round() {}

    static Outcome run(TargetProcess target, List<Work.Worker> workers, double seconds, long seed) throws Exception {
        long allocated = target.allocatedBytes();
        long processor = target.processorNanos();
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Callable<Histogram>> tasks = new ArrayList<>();
        for (int i = 0; i < workers.size(); i++) {
            Work.Worker worker = workers.get(i);
            SplittableRandom random = new SplittableRandom(seed + i);
            tasks.add(() -> until(end, worker, random));
        }
        Histogram all = new Histogram(3);
        try (ExecutorService threads = Executors.newFixedThreadPool(workers.size())) {
            for (Future<Histogram> each : threads.invokeAll(tasks)) {
                all.add(each.get());
            }
        }
        long nanos = System.nanoTime() - start;
        return new Outcome(nanos, all, target.processorNanos() - processor, target.allocatedBytes() - allocated);
    }

    private static Histogram until(long end, Work.Worker worker, SplittableRandom random) throws Exception {
        Histogram times = new Histogram(3);
        for (long before = System.nanoTime(); before < end; ) {
            worker.step(random);
            long after = System.nanoTime();
            times.recordValue(after - before);
            before = after;
        }
        return times;
    }
}
