package io.ostraka.wire.common;

/** What only the program around a process can do. */
public interface ProcessHooks {
    /** Closes the log file and opens a new one. */
    void rotateLog();

    /**
     * Begins to stop the process and returns. Connections are closed on the way.
     *
     * @param force whether to stop although a set would be left without a primary
     */
    void shutdown(boolean force);
}
