package io.ostraka.node.set;

import io.ostraka.replication.Leadership;
import io.ostraka.replication.ReplicaGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs only while this member leads: begun with each leadership, ended with it. One thread begins and ends, so that
 * no two leaderships overlap here.
 */
public final class LeaderTasks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderTasks.class);

    /** After which a task that could not begin is begun again. */
    private static final long AGAIN_MILLIS = 500;

    /** Something that a leader does. */
    @FunctionalInterface
    public interface Task {
        /**
         * Begins, without waiting for what it does.
         *
         * @return ends it, and returns when it has ended
         */
        AutoCloseable begin(Leadership leadership);
    }

    /** One task, and what ends it if it has begun. */
    private static final class Slot {
        private final Task task;
        private Leadership under;
        private AutoCloseable running;

        Slot(Task task) {
            this.task = task;
        }
    }

    private final ReplicaGroup group;
    private final ScheduledExecutorService thread;
    private final List<Slot> slots = new ArrayList<>();
    private boolean closed;

    public LeaderTasks(String name, ReplicaGroup group) {
        this.group = group;
        thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("leading-" + name).factory());
        group.watch(this::later);
    }

    /** Adds a task; where this member leads already, it has begun when this returns. */
    public void add(Task task) {
        Slot slot = new Slot(task);
        synchronized (this) {
            slots.add(slot);
            Optional<Leadership> now = group.leadership();
            if (now.isPresent()) {
                begin(slot, now.get());
            }
        }
    }

    private void later() {
        look(0);
    }

    private void look(long inMillis) {
        if (!thread.isShutdown()) {
            var unused = thread.schedule(this::reconcile, inMillis, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void reconcile() {
        if (closed) {
            return;
        }
        Optional<Leadership> now = group.leadership();
        for (Slot slot : slots) {
            if (slot.running != null && (now.isEmpty() || slot.under != now.get())) {
                end(slot);
            }
            if (slot.running == null && now.isPresent()) {
                try {
                    begin(slot, now.get());
                } catch (RuntimeException failed) {
                    LOG.warn("a task of the primary could not begin and is tried again", failed);
                    look(AGAIN_MILLIS);
                }
            }
        }
    }

    private static void begin(Slot slot, Leadership leadership) {
        slot.running = slot.task.begin(leadership);
        slot.under = leadership;
    }

    private static void end(Slot slot) {
        try {
            slot.running.close();
        } catch (Exception failed) {
            LOG.warn("a task of the primary did not end well", failed);
        }
        slot.running = null;
        slot.under = null;
    }

    /** Runs something for as long as a leadership lasts, on a thread of its own. */
    public static Task thread(String name, Consumer<Leadership> work) {
        return leadership -> {
            Thread thread = Thread.ofVirtual().name(name).start(() -> work.accept(leadership));
            return () -> join(thread);
        };
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all tasks; the leadership is over already. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            slots.stream().filter(slot -> slot.running != null).forEach(LeaderTasks::end);
        }
        thread.shutdownNow();
    }
}
