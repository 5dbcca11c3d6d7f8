package io.ostraka.wire.command;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs operations that took longer than a threshold an operator sets ({@code --slowms}, {@code profile}). */
public final class SlowOperations {
    /** MongoDB's default. */
    public static final int DEFAULT_MILLIS = 100;

    private static final int SHOWN_BYTES = 4096;
    private static final Logger LOG = LoggerFactory.getLogger("COMMAND");

    private volatile int thresholdMillis;

    public SlowOperations(int thresholdMillis) {
        this.thresholdMillis = thresholdMillis;
    }

    public int thresholdMillis() {
        return thresholdMillis;
    }

    public void thresholdMillis(int millis) {
        thresholdMillis = millis;
    }

    void note(Operation operation, long tookNanos) {
        long millis = tookNanos / 1_000_000;
        // Some commands wait by nature: their time says nothing.
        boolean waits =
                operation.command().equals("hello") || operation.command().equals("isMaster");
        if (millis < thresholdMillis || waits || !LOG.isInfoEnabled()) {
            return;
        }
        LOG.atInfo()
                .addKeyValue("id", 51803)
                .addKeyValue("type", "command")
                .addKeyValue("ns", operation.database() + ".$cmd")
                .addKeyValue("command", shown(operation))
                .addKeyValue("remote", operation.client().remote())
                .addKeyValue("durationMillis", millis)
                .log("Slow query");
    }

    private static String shown(Operation operation) {
        // What processes say to each other is mostly bytes, of no use to a reader.
        if (operation.request().size() > SHOWN_BYTES || operation.command().startsWith("_ostraka")) {
            return operation.command() + " of " + operation.request().size() + " bytes";
        }
        return operation.request().toString();
    }
}
