package io.ostraka.acceptance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Runs workloads while something else happens, and lets each judge what it saw. */
public final class UnderFaults {
    private UnderFaults() {}

    /**
     * Returns when the faults are over, the clients have ended and all workloads are content; prints what was done.
     *
     * @param clients a driver for each client, closed here
     * @param about told by each failure, the seed among it
     */
    public static void run(Supplier<MongoClient> clients, List<Workload> workloads, Runnable faults, String about) {
        AtomicBoolean stopping = new AtomicBoolean();
        ConcurrentLinkedQueue<Throwable> broken = new ConcurrentLinkedQueue<>();
        try (MongoClient client = clients.get()) {
            workloads.forEach(each -> each.prepare(client));
            List<Thread> threads = new ArrayList<>();
            for (Workload workload : workloads) {
                for (Workload.Worker worker : workload.workers()) {
                    threads.add(Thread.ofPlatform()
                            .name(workload.getClass().getSimpleName())
                            .uncaughtExceptionHandler((thread, failure) -> broken.add(failure))
                            .start(() -> {
                                try (MongoClient own = clients.get()) {
                                    worker.work(own, () -> !stopping.get());
                                }
                            }));
                }
            }
            try {
                faults.run();
            } finally {
                stopping.set(true);
                threads.forEach(UnderFaults::join);
            }
            assertThat(broken).as(about).isEmpty();
            workloads.forEach(each -> each.check(client, about));
            workloads.forEach(each -> System.out.println(each.summary()));
            System.out.println(about);
        }
    }

    /** A client that was refused waits a little, or a short fault would be all refusals. */
    static void afterRefusal() {
        LockSupport.parkNanos(1_000_000);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
