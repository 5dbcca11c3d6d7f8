package io.ostraka.query.run;

import java.util.random.RandomGenerator;
import org.bson.BsonTimestamp;

/**
 * What a running query may know of the world outside its documents. Immutable, but for the generator.
 *
 * @param nowMillis {@code $$NOW}: one reading for the whole command
 * @param clusterTime {@code $$CLUSTER_TIME}
 * @param interruption asked between rows
 * @param random for {@code $sample} and {@code $rand}
 * @param limits bounds of memory
 * @param foreign where other collections are read
 */
public record RunContext(
        long nowMillis,
        BsonTimestamp clusterTime,
        Interruption interruption,
        RandomGenerator random,
        QueryLimits limits,
        ForeignCollections foreign) {
    /** A context in which no other collection can be read. */
    public RunContext(
            long nowMillis,
            BsonTimestamp clusterTime,
            Interruption interruption,
            RandomGenerator random,
            QueryLimits limits) {
        this(nowMillis, clusterTime, interruption, random, limits, ForeignCollections.NONE);
    }

    /** The same, where other collections are read. */
    public RunContext with(ForeignCollections collections) {
        return new RunContext(nowMillis, clusterTime, interruption, random, limits, collections);
    }

    /** Ends a query that was killed or is late. */
    @FunctionalInterface
    public interface Interruption {
        /** Returns if the query may go on, else throws a {@link io.ostraka.core.error.CommandException}. */
        void check();
    }
}
