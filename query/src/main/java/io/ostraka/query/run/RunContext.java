package io.ostraka.query.run;

import io.ostraka.query.collation.Collation;
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
 * @param collation how strings compare
 * @param spill where what memory does not hold goes
 * @param foreign where other collections are read
 */
public record RunContext(
        long nowMillis,
        BsonTimestamp clusterTime,
        Interruption interruption,
        RandomGenerator random,
        QueryLimits limits,
        Collation collation,
        SpillSpace spill,
        ForeignCollections foreign) {
    /** A context in which no other collection can be read, strings compare by their bytes, and all is held in memory. */
    public RunContext(
            long nowMillis,
            BsonTimestamp clusterTime,
            Interruption interruption,
            RandomGenerator random,
            QueryLimits limits) {
        this(
                nowMillis,
                clusterTime,
                interruption,
                random,
                limits,
                Collation.SIMPLE,
                SpillSpace.NONE,
                ForeignCollections.NONE);
    }

    /** The same, where other collections are read. */
    public RunContext with(ForeignCollections collections) {
        return new RunContext(nowMillis, clusterTime, interruption, random, limits, collation, spill, collections);
    }

    /** The same, ended by somebody else. */
    public RunContext with(Interruption other) {
        return new RunContext(nowMillis, clusterTime, other, random, limits, collation, spill, foreign);
    }

    /** The same, where strings compare by these rules. */
    public RunContext with(Collation rules) {
        return new RunContext(nowMillis, clusterTime, interruption, random, limits, rules, spill, foreign);
    }

    /** The same, where what memory does not hold goes to disk. */
    public RunContext with(SpillSpace space) {
        return new RunContext(nowMillis, clusterTime, interruption, random, limits, collation, space, foreign);
    }

    /** Ends a query that was killed or is late. */
    @FunctionalInterface
    public interface Interruption {
        /** Returns if the query may go on, else throws a {@link io.ostraka.core.error.CommandException}. */
        void check();
    }
}
