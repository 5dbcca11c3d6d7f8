package io.ostraka.storage;

import java.nio.charset.StandardCharsets;

/** The column families of an {@link Engine}. Flushed together, so that none is ever ahead of another on disk. */
public enum Family {
    META("meta"),
    RECORDS("records"),
    INDEX("index"),
    OPLOG("oplog");

    private final String label;

    Family(String label) {
        this.label = label;
    }

    byte[] label() {
        return label.getBytes(StandardCharsets.UTF_8);
    }
}
