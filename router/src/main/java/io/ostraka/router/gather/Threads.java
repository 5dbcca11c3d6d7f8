package io.ostraka.router.gather;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The virtual threads a router asks shards on. Closing it ends them. */
public final class Threads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Threads.class);

    private final ExecutorService executor = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("router-", 0).factory());

    /**
     * Does all at once and waits for all. The caller's thread does the first itself. Tasks must end by themselves when
     * their operation does.
     *
     * @return the results in order
     * @throws RuntimeException the first failure, when all have ended
     */
    public <T> List<T> all(List<Callable<T>> tasks) {
        List<Future<T>> begun = new ArrayList<>();
        for (int i = 1; i < tasks.size(); i++) {
            begun.add(executor.submit(tasks.get(i)));
        }
        List<T> results = new ArrayList<>();
        RuntimeException failure = null;
        for (int i = 0; i < tasks.size(); i++) {
            try {
                results.add(i == 0 ? tasks.getFirst().call() : begun.get(i - 1).get());
            } catch (ExecutionException failed) {
                failure = failure != null ? failure : asRuntime(failed.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw io.ostraka.core.error.ErrorCode.INTERRUPTED.because("operation was interrupted");
            } catch (Exception failed) {
                failure = failure != null ? failure : asRuntime(failed);
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    private static RuntimeException asRuntime(Throwable failed) {
        return failed instanceof RuntimeException known ? known : new IllegalStateException(failed);
    }

    /** Does something nobody waits for; a failure is logged. */
    public void aside(String what, Runnable task) {
        executor.execute(() -> {
            try {
                task.run();
            } catch (RuntimeException failed) {
                LOG.debug("{} failed", what, failed);
            }
        });
    }

    @Override
    public void close() {
        executor.shutdownNow();
        try {
            if (!executor.awaitTermination(5, java.util.concurrent.TimeUnit.SECONDS)) {
                LOG.warn("requests to shards did not end when the router closed");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
