package io.ostraka.core.time;

/** Where time comes from. Passed in, so that a test can move it. */
public interface Clock {
    /** Milliseconds since 1970-01-01T00:00Z. May jump, forwards and backwards. */
    long wallMillis();

    /** Nanoseconds since an arbitrary moment. Never goes back; only differences mean something. */
    long nanos();

    /** The machine's own clocks. */
    Clock SYSTEM = new SystemClock();
}
