package io.ostraka.query.run;

/**
 * Where a query puts what memory does not hold: runs of rows that are written once and read once. The node implements it.
 * Safe for many threads.
 */
public interface SpillSpace {
    /** There is none: what does not fit into memory ends with 292. */
    SpillSpace NONE = new SpillSpace() {
        @Override
        public boolean isThere() {
            return false;
        }

        @Override
        public Writer begin() {
            throw new IllegalStateException("nothing is spilled where there is no space for it");
        }
    };

    /** Whether anything can be spilled. */
    default boolean isThere() {
        return true;
    }

    /**
     * Begins a run.
     *
     * @throws io.ostraka.core.error.CommandException 14031 OutOfDiskSpace where the space is used up; of a writer's rows too
     */
    Writer begin();

    /** Takes the rows of a run. One thread. */
    interface Writer extends AutoCloseable {
        /** Adds a row, which is copied. */
        void add(byte[] row);

        /** Ends the run, for reading. */
        Run end();

        /** Gives the run up, unless it was ended. */
        @Override
        void close();
    }

    /** A run that is read. One thread at a time. */
    interface Run extends AutoCloseable {
        /** The next row, or null at the end. */
        byte[] next();

        /** Gives its space back. */
        @Override
        void close();
    }
}
