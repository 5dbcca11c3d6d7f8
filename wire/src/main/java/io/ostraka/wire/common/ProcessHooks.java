package io.ostraka.wire.common;

/** What only the program around a process can do. */
public interface ProcessHooks {
    /** Closes the log file and opens a new one. */
    void rotateLog();

    /**
     * Lets a part of the process tell more, or less.
     *
     * @param component as MongoDB names it, dotted where it lies in another; empty for all that have none of their own
     * @param level 0 for what everybody should know, from 1 on details; -1 for the same as the component around it
     */
    default void verbosity(String component, int level) {
        // A process whose log goes elsewhere: whoever owns it sets its levels.
    }

    /**
     * Begins to stop the process and returns. Connections are closed on the way.
     *
     * @param force whether to stop although a set would be left without a primary
     */
    void shutdown(boolean force);
}
