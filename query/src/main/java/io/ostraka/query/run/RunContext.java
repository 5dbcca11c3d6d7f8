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
 */
public record RunContext(
        long nowMillis,
        BsonTimestamp clusterTime,
        Interruption interruption,
        RandomGenerator random,
        QueryLimits limits) {
    /** Ends a query that was killed or is late. */
    @FunctionalInterface
    public interface Interruption {
        /** Returns if the query may go on, else throws a {@link io.ostraka.core.error.CommandException}. */
        void check();
    }
}
