package io.ostraka.acceptance.histories;

import com.mongodb.client.MongoClient;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One kind of work, done by several clients at once. */
public interface Workload {
    /** What is there before the clients begin. */
    void prepare(MongoClient client);

    /** The clients, each to be run by a thread and with a driver of its own until {@code goOn} says no. */
    List<Worker> workers();

    /**
     * Judges what was heard against what is there now; nothing is going on any more.
     *
     * @param about told by a failure
     */
    void check(MongoClient client, String about);

    /** What was done, for the log of a run. */
    String summary();

    /** What one client does. */
    interface Worker {
        void work(MongoClient client, BooleanSupplier goOn);
    }
}
